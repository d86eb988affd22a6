// Preview keys: one for each version that may be run before it is deployed. Their digests are stored on the neuron, not on the version.
import { createHash, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../contract/service-error.ts';
import { isVersionId } from '../contract/slugs.ts';
import type { Random } from '../ports/platform.ts';
import type { PreviewKeys } from '../settings/stored-settings.ts';

/** Distinguishes them from API keys. */
const PREFIX = 'nrp_';
const RANDOM_BYTES = 24;

/** Versions of one neuron with a key; beyond it the oldest loses its key. */
const MAX_PREVIEW_KEYS = 100;

/** A new key of 192 random bits, which need no slow digest. */
export function mintPreviewKey(random: Pick<Random, 'bytes'>): {
  readonly key: string;
  readonly digest: string;
} {
  const key = PREFIX + Buffer.from(random.bytes(RANDOM_BYTES)).toString('base64url');
  return { key, digest: digestOf(key).toString('hex') };
}

/** The keys with the one of a version added or replaced. */
export function withPreviewKey(keys: PreviewKeys, version: string, digest: string): PreviewKeys {
  const { [version]: _replaced, ...others } = keys;
  const newest = Object.entries(others)
    .sort(([one], [other]) => numberOf(other) - numberOf(one))
    .slice(0, MAX_PREVIEW_KEYS - 1);
  return Object.fromEntries([...newest, [version, digest]]);
}

/** True when there is at least one key and all are the version's, compared in constant time. */
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
