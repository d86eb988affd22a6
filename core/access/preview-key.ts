// Preview keys: one for each version that may be run before it is deployed. Kept as digests on the neuron, never with the version.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contract/service-error.ts';
import { isVersionId } from '../contract/slugs.ts';
import type { Random } from '../ports/platform.ts';
import type { PreviewKeys } from '../settings/stored-settings.ts';

/** Told from API keys by its beginning. */
const PREFIX = 'nrp_';
const RANDOM_BYTES = 24;

/** Versions of one neuron that may have a key; the oldest loses its key to a newer one. */
const MAX_PREVIEW_KEYS = 100;

/** A new key: 192 random bits, too many for a slow digest to be of use. */
export function mintPreviewKey(random: Pick<Random, 'bytes'>): {
  readonly key: string;
  readonly digest: string;
} {
  const key = PREFIX + Buffer.from(random.bytes(RANDOM_BYTES)).toString('base64url');
  return { key, digest: digestOf(key).toString('hex') };
}

/** The keys with one set, in place of the version's earlier one. */
export function withPreviewKey(keys: PreviewKeys, version: string, digest: string): PreviewKeys {
  const { [version]: _replaced, ...others } = keys;
  const newest = Object.entries(others)
    .sort(([one], [other]) => numberOf(other) - numberOf(one))
    .slice(0, MAX_PREVIEW_KEYS - 1);
  return Object.fromEntries([...newest, [version, digest]]);
}

/** True when at least one key was given and every one that was is the version's. The time it takes does not depend on how far they agree. */
export function opensVersion(keys: PreviewKeys, version: string, input: readonly string[]): boolean {
  const digest = Object.hasOwn(keys, version) ? keys[version] : undefined;
  const expected = Buffer.from(digest ?? '', 'hex');
  if (expected.length !== 32 || input.length === 0) return false;
  return input.every((key) => timingSafeEqual(digestOf(key), expected));
}

/** The version that a path names, as text of its caller. Throws one error for a version that is not there and for a key that does not open it. */
export function previewedVersion(
  revision: string,
  keys: readonly string[],
  { previewKeys }: { readonly previewKeys: PreviewKeys },
): string {
  if (isVersionId(revision) && opensVersion(previewKeys, revision, keys)) return revision;
  throw new ServiceError('revision_not_found');
}

function digestOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function numberOf(version: string): number {
  return Number(version.replace(/^v/, '')) || 0;
}
