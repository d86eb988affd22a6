// How the change of an erasure names the entries: 24 bytes for each, of what was sealed and of what is left of it.
import { hash } from 'node:crypto';
import { ERASED_BY } from '../../ports/personal-data.ts';
import type { SealedEntry, StoredRecord } from '../../ports/seals.ts';
import { canonicalJson } from '../../text/canonical-json.ts';
import { digestRecord } from '../seals/entry-digest.ts';

/** An entry in the change: digests of the sealed entry and of its rest, each base64url of 12 bytes. */
export interface ErasedTags {
  readonly entry: string;
  readonly rest: string;
}

const TAG_BYTES = 12;
const PAIR_BYTES = 2 * TAG_BYTES;

/** A change must fit into an item of 400 KB with its other members. */
export const MAX_ERASED_ENTRIES = 14_000;

/** Names a sealed entry by its keys and the digest in its seal. Tells nothing about the person: the digest has the entry's salt. */
export function tagEntry({ pk, sk, digest }: Pick<SealedEntry, 'pk' | 'sk' | 'digest'>): string {
  return tagOf(['neuron-erased-entry/1', pk, sk, digest]);
}

/** Names what is left of an entry, whether it carries the id of its erasure already or not. */
export function tagRest(record: StoredRecord): string {
  const { [ERASED_BY]: _id, ...rest } = record;
  return tagOf(['neuron-erased-rest/1', digestRecord(rest).digest]);
}

/** As the change stores them. */
export function packTags(tags: readonly ErasedTags[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(
      tags.flatMap(({ entry, rest }) => [entry, rest].map((tag) => Buffer.from(tag, 'base64url'))),
    ),
  );
}

/** Reads them back; undefined where the change has another value there. */
export function unpackTags(packed: StoredRecord[string] | undefined): readonly ErasedTags[] | undefined {
  if (typeof packed !== 'object' || packed === null || !('$binary' in packed)) return undefined;
  const bytes = Buffer.from(String(packed['$binary']), 'base64');
  if (bytes.length % PAIR_BYTES !== 0) return undefined;
  const tagAt = (at: number) => bytes.subarray(at, at + TAG_BYTES).toString('base64url');
  return Array.from({ length: bytes.length / PAIR_BYTES }, (_, index) => ({
    entry: tagAt(index * PAIR_BYTES),
    rest: tagAt(index * PAIR_BYTES + TAG_BYTES),
  }));
}

function tagOf(parts: readonly string[]): string {
  return hash('sha256', canonicalJson(parts), 'buffer').subarray(0, TAG_BYTES).toString('base64url');
}
