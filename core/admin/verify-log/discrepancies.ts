// The results of verifying the log, as data: the command prints it, and scripts read it. And how they are counted.

import type { SealHead } from '../../ports/seals.ts';
import type { FieldDifferences } from './differences.ts';

export interface NamedEntry {
  readonly time: string;
  readonly id: string;
  readonly pk: string;
  readonly sk: string;
}

/** The entry is not what was sealed. `differences` is undefined where the seal cannot tell which attributes differ. */
interface ChangedEntry extends NamedEntry {
  readonly kind: 'changed';
  readonly sequence: number;
  readonly differences: FieldDifferences | undefined;
}

/** The entry is gone before its retention ended; null for an item without an end. */
interface MissingEntry extends NamedEntry {
  readonly kind: 'missing';
  readonly sequence: number;
  readonly retainedUntil: string | null;
}

/** The entry was put long after its own time. `sequence` and `putAt` are null for one that passed no reader of the stream. */
interface LateEntry extends NamedEntry {
  readonly kind: 'late';
  readonly sequence: number | null;
  readonly putAt: string | null;
  /** The id of the sealed change that names the entry as one that it restored; null where none does. */
  readonly restoredBy: string | null;
}

/** The entry's keys and attributes contradict each other, so that lists find it by the ones and show the others. */
interface InconsistentEntry extends NamedEntry {
  readonly kind: 'inconsistent';
  /** The attributes that are not what the others demand. */
  readonly attributes: readonly string[];
}

/** Lists of the organization show the entry, but it is of another chain (null for that of the service), or says another slug. */
interface ForeignEntry extends NamedEntry {
  readonly kind: 'foreign';
  readonly organizationId: string | null;
  /** True for a change of a time at which another organization may have had the slug. */
  readonly isOtherTime: boolean;
}

/** The entry was put before its own time. */
interface EarlyEntry extends NamedEntry {
  readonly kind: 'early';
  readonly sequence: number;
  readonly putAt: string;
}

/** The entry says that it was erased, and no change names it or what is left of it. */
interface UnexplainedErasure extends NamedEntry {
  readonly kind: 'erased';
  readonly sequence: number;
  /** The change that the entry names. */
  readonly erasedBy: string;
}

/** The entry is of a person who was erased, from before that. */
interface RemainingEntry extends NamedEntry {
  readonly kind: 'remaining';
  readonly sequence: number;
  readonly erasedBy: string;
}

/** The erasure of a person, with the number of entries of the period that it erased, or that are wrong. */
interface Erasure {
  readonly kind: 'erasure';
  readonly id: string;
  readonly time: string;
  readonly by: string;
  readonly reason: string;
  /**
   * null: it did what it says. `unsealed`: no seal has the change. `not erased`: entries that it names are there. `unknown entries`: it
   * names what was never in the log. `erased before`: it names what an earlier change had erased, so that it was copied.
   */
  readonly problem: null | 'unsealed' | 'not erased' | 'unknown entries' | 'erased before';
  readonly entries: number;
}

/** The entry waits for the reader of the stream. */
interface UnsealedEntry extends NamedEntry {
  readonly kind: 'unsealed';
}

/** A link of the chain is not what was written. */
interface BadSeal {
  readonly kind: 'seal';
  readonly sequence: number;
  /**
   * `edited`: its hash is not that of its content. `unreadable`: it lacks what a seal has. `detached`: it does not follow the seal before it,
   * so that one of the two was replaced. `format`: a later release wrote it.
   */
  readonly problem: 'edited' | 'unreadable' | 'detached' | 'format';
}

/** An export holds no seal of its organization: nothing in it can be shown. */
interface NoSeals {
  readonly kind: 'no seals';
}

/** Links that are not there and had not expired. */
interface MissingSeals {
  readonly kind: 'seals missing';
  readonly first: number;
  readonly last: number;
}

/** The chain does not contain a head. */
interface LostHead extends Pick<SealHead, 'sequence' | 'hash'> {
  readonly kind: 'head';
  /** `kept`: by the operator. `table`: beside the chain, which tells of a chain whose end was cut. */
  readonly source: 'kept' | 'table';
  /** `absent`: no seal has its number. `different`: that seal has another hash. `expired`: it was before the oldest seal that is left. */
  readonly problem: 'absent' | 'different' | 'expired';
}

export type Discrepancy =
  | ChangedEntry
  | MissingEntry
  | LateEntry
  | UnsealedEntry
  | UnexplainedErasure
  | RemainingEntry
  | Erasure
  | InconsistentEntry
  | ForeignEntry
  | EarlyEntry
  | BadSeal
  | MissingSeals
  | NoSeals
  | LostHead;

export interface VerificationSummary {
  /** Links that were read, and the entries in them. */
  readonly seals: number;
  readonly sealed: number;
  /** Sealed entries of the period: `whole` are as they were sealed, `expired` had reached the end of their retention. */
  readonly whole: number;
  readonly expired: number;
  /** Entries of which only amounts are left, as a change says. */
  readonly erased: number;
  readonly changed: number;
  readonly missing: number;
  readonly late: number;
  readonly unsealed: number;
  /** Entries that contradict themselves, are of another chain, or were put before their time. */
  readonly inconsistent: number;
  /** Erasures without their change, changes without their erasure, and entries that are left of a person. */
  readonly erasureProblems: number;
  /** Discrepancies of the chain itself, heads included. */
  readonly chainProblems: number;
  /** The newest link; undefined where there is none. */
  readonly head: Pick<SealHead, 'sequence' | 'hash' | 'sealedAtMs'> | undefined;
  /** True when nothing was found but what waits for its seal, or a sealed change explains. */
  readonly intact: boolean;
}

/** False for what is no sign of tampering: entries that wait for their seal, late ones that a sealed change explains, and erasures. */
function isFailure(discrepancy: Discrepancy): boolean {
  if (discrepancy.kind === 'late') return discrepancy.restoredBy === null;
  if (discrepancy.kind === 'foreign') return !discrepancy.isOtherTime;
  if (discrepancy.kind === 'erasure') return discrepancy.problem !== null;
  return discrepancy.kind !== 'unsealed';
}

type Counts = Pick<VerificationSummary, 'seals' | 'sealed' | 'whole' | 'expired' | 'erased'>;

/** Numbers of a verification that is going on. */
export interface VerificationTotals {
  /** Figures that are no discrepancies. */
  readonly counts: { -readonly [Name in keyof Counts]: number };
  /** Counts discrepancies and gives them back, for a generator to yield. */
  add(discrepancies: readonly Discrepancy[]): readonly Discrepancy[];
  summary(head: VerificationSummary['head']): VerificationSummary;
}

const COUNTED = {
  changed: 'changed',
  missing: 'missing',
  late: 'late',
  unsealed: 'unsealed',
  inconsistent: 'inconsistent',
  foreign: 'inconsistent',
  early: 'inconsistent',
  erased: 'erasureProblems',
  remaining: 'erasureProblems',
  erasure: 'erasureProblems',
  seal: 'chainProblems',
  'seals missing': 'chainProblems',
  'no seals': 'chainProblems',
  head: 'chainProblems',
} as const satisfies Record<Discrepancy['kind'], keyof VerificationSummary>;

export function createTotals(): VerificationTotals {
  const counts = { seals: 0, sealed: 0, whole: 0, expired: 0, erased: 0 };
  const found = {
    changed: 0,
    missing: 0,
    late: 0,
    unsealed: 0,
    inconsistent: 0,
    erasureProblems: 0,
    chainProblems: 0,
  };
  let failures = 0;
  return {
    counts,
    add(discrepancies) {
      for (const discrepancy of discrepancies)
        if (discrepancy.kind !== 'erasure' || isFailure(discrepancy)) found[COUNTED[discrepancy.kind]] += 1;
      failures += discrepancies.filter(isFailure).length;
      return discrepancies;
    },
    summary: (head) => ({ ...counts, ...found, head, intact: failures === 0 }),
  };
}
