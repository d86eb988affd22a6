// Decides whether the chain of seals in a table continues the one in a restored table.
import type { StoredRecord } from '../../ports/seals.ts';

/** Attributes of a head's item, as they are stored. */
export interface StoredHead {
  readonly sequence: number;
  readonly hash: string;
}

/** Undefined for an item that is no head. */
export function readHead(record: StoredRecord | undefined): StoredHead | undefined {
  const { sequence, hash } = record ?? {};
  return typeof sequence === 'number' && typeof hash === 'string' ? { sequence, hash } : undefined;
}

/**
 * True where nothing contradicts it: without a head, the restored one becomes the head. `findSeal`: the seal of this number in the
 * table. Two chains in one would make `logs verify` fail for good, so that in doubt the restored seals stay out.
 */
export async function continuesChain(
  restored: StoredHead,
  present: StoredHead | undefined,
  findSeal: (sequence: number) => Promise<StoredRecord | undefined>,
): Promise<boolean> {
  if (present?.sequence === restored.sequence) return present.hash === restored.hash;
  const next = await findSeal(restored.sequence + 1);
  if (present === undefined) {
    const same = await findSeal(restored.sequence);
    // A seal beyond the head would stop the function that seals.
    return next === undefined && (same === undefined || same['hash'] === restored.hash);
  }
  return present.sequence > restored.sequence && next?.['previous'] === restored.hash;
}
