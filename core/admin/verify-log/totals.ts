// Counts what is found.
import { type Discrepancy, isFailure, type VerificationSummary } from './discrepancies.ts';

type Counts = Pick<VerificationSummary, 'seals' | 'sealed' | 'whole' | 'expired'>;

/** Numbers of a verification that is going on. */
export interface VerificationTotals {
  /** What is no discrepancy. */
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
  seal: 'chainProblems',
  'seals missing': 'chainProblems',
  head: 'chainProblems',
} as const satisfies Record<Discrepancy['kind'], keyof VerificationSummary>;

export function createTotals(): VerificationTotals {
  const counts = { seals: 0, sealed: 0, whole: 0, expired: 0 };
  const found = { changed: 0, missing: 0, late: 0, unsealed: 0, chainProblems: 0 };
  let failures = 0;
  return {
    counts,
    add(discrepancies) {
      for (const discrepancy of discrepancies) found[COUNTED[discrepancy.kind]] += 1;
      failures += discrepancies.filter(isFailure).length;
      return discrepancies;
    },
    summary: (head) => ({ ...counts, ...found, head, intact: failures === 0 }),
  };
}
