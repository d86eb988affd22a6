// Reads a chain link by link and checks each: no gap before its number, its own hash, that of the one before, and required heads.
import { hashOf, NO_HASH, SEAL_FORMAT } from '../../logs/seals/seal.ts';
import { parseSealedEntries } from '../../logs/seals/sealed-entry.ts';
import {
  SEAL_RETENTION_MS,
  type Seal,
  type SealedEntry,
  type SealHead,
  type StoredSeal,
} from '../../ports/seals.ts';
import type { Discrepancy } from './discrepancies.ts';

/** A head that the chain must contain, the table's or one that was kept elsewhere: they reveal that its end was cut off. */
export type RequiredHead = Pick<SealHead, 'sequence' | 'hash'> & { readonly source: 'kept' | 'table' };

/** A link that was read: what is wrong with it, and its entries. */
export interface CheckedSeal {
  readonly sequence: number;
  readonly entries: readonly SealedEntry[];
  readonly discrepancies: readonly Discrepancy[];
}

/** Checks links in the order of their numbers; ask `finish` after the last one. */
export interface ChainCheck {
  check(stored: StoredSeal): CheckedSeal;
  finish(): readonly Discrepancy[];
  /** The newest link so far. */
  head(): Pick<SealHead, 'sequence' | 'hash' | 'sealedAtMs'> | undefined;
}

/** Sequence and predecessor of the next link. `hash` is undefined after a link that cannot be read. */
interface Expected {
  readonly sequence: number;
  readonly hash: string | undefined;
}

/** `nowMs` tells whether the links before the first one may have expired. */
export function createChainCheck(heads: readonly RequiredHead[], nowMs: number): ChainCheck {
  let expected: Expected | undefined;
  let first: number | undefined;
  let newest: ReturnType<ChainCheck['head']>;
  const open = new Set(heads);

  function checkHeads({ sequence, hash }: Seal): readonly Discrepancy[] {
    const here = [...open].filter((head) => head.sequence === sequence);
    for (const head of here) open.delete(head);
    return here
      .filter((head) => head.hash !== hash)
      .map((head) => ({ kind: 'head', ...head, problem: 'different' }));
  }

  return {
    check({ sequence, seal }) {
      if (seal === undefined) {
        // An item that no key of a seal leads to takes no place in the chain.
        if (Number.isNaN(sequence))
          return { sequence, entries: [], discrepancies: [bad(sequence, 'unreadable')] };
        const discrepancies = [...findGap(sequence, expected, undefined, nowMs), bad(sequence, 'unreadable')];
        first ??= sequence;
        expected = { sequence: sequence + 1, hash: undefined };
        return { sequence, entries: [], discrepancies };
      }
      const discrepancies = [
        ...findGap(sequence, expected, seal, nowMs),
        ...checkSeal(seal, expected),
        ...checkHeads(seal),
      ];
      first ??= sequence;
      expected = { sequence: sequence + 1, hash: seal.hash };
      newest = { sequence, hash: seal.hash, sealedAtMs: seal.sealedAtMs };
      return { sequence, entries: parseSealedEntries(seal.lines) ?? [], discrepancies };
    },
    finish: () =>
      [...open].map((head) => ({
        kind: 'head',
        ...head,
        problem: first !== undefined && head.sequence < first ? 'expired' : 'absent',
      })),
    head: () => newest,
  };
}

function bad(sequence: number, problem: 'edited' | 'unreadable' | 'detached' | 'format'): Discrepancy {
  return { kind: 'seal', sequence, problem };
}

/** Links that should be there before this one. */
function findGap(
  sequence: number,
  expected: Expected | undefined,
  seal: Seal | undefined,
  nowMs: number,
): readonly Discrepancy[] {
  const next = expected?.sequence ?? firstExpected(sequence, seal, nowMs);
  return sequence > next ? [{ kind: 'seals missing', first: next, last: sequence - 1 }] : [];
}

/** The number with which a chain may begin: its first link, or any whose predecessor has expired. */
function firstExpected(sequence: number, seal: Seal | undefined, nowMs: number): number {
  const previousEndMs = (seal?.previousAtMs ?? Number.POSITIVE_INFINITY) + SEAL_RETENTION_MS;
  return previousEndMs <= nowMs ? sequence : 1;
}

function checkSeal(seal: Seal, expected: Expected | undefined): readonly Discrepancy[] {
  const { sequence, format, previous } = seal;
  if (format !== SEAL_FORMAT) return [bad(sequence, 'format')];
  if (hashOf(seal) !== seal.hash) return [bad(sequence, 'edited')];
  if (parseSealedEntries(seal.lines) === undefined) return [bad(sequence, 'unreadable')];
  // A link that is there twice, or out of order, as only a file can have it.
  if (expected !== undefined && sequence < expected.sequence) return [bad(sequence, 'detached')];
  const before = sequence === 1 ? NO_HASH : expected?.sequence === sequence ? expected.hash : undefined;
  return before !== undefined && before !== previous ? [bad(sequence, 'detached')] : [];
}
