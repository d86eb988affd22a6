// Problems of an archive as data, and how they are counted.
import type { Discrepancy } from '../verify-log/discrepancies.ts';

export type ArchiveProblem =
  /** A day without its manifest, between the first and the last day. */
  | { readonly kind: 'day missing' | 'day unreadable'; readonly day: string }
  /** `foreign object`: no day names it. */
  | { readonly kind: 'object missing' | 'object changed' | 'foreign object'; readonly name: string }
  /** The newest link of a chain is not the one that its day names. */
  | { readonly kind: 'head'; readonly day: string; readonly chain: string }
  /** Lines of an object that are neither a seal nor its entries. */
  | { readonly kind: 'lines'; readonly name: string; readonly chain: string; readonly lines: number }
  | { readonly kind: 'sealed'; readonly chain: string; readonly found: Discrepancy }
  /** No chain has the head that was kept elsewhere. */
  | { readonly kind: 'kept head' }
  | { readonly kind: 'empty' };

/** `whole` entries are as they were sealed; of `erased` ones amounts were left; `erasedLater`: so many whole ones are of persons who were erased from the tables since; `expired` had left the table when they were archived, at the end of their retention. */
export interface ArchiveCounts {
  days: number;
  objects: number;
  seals: number;
  whole: number;
  erased: number;
  erasedLater: number;
  expired: number;
}

export interface ArchiveSummary extends Readonly<ArchiveCounts> {
  readonly problems: number;
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
  readonly intact: boolean;
}

/** True for what is told and is no problem: an erasure that did what it says. */
function isErasureDone(problem: ArchiveProblem): boolean {
  return problem.kind === 'sealed' && problem.found.kind === 'erasure' && problem.found.problem === null;
}

export function createArchiveTotals() {
  const counts: ArchiveCounts = {
    days: 0,
    objects: 0,
    seals: 0,
    whole: 0,
    erased: 0,
    erasedLater: 0,
    expired: 0,
  };
  let problems = 0;
  return {
    counts,
    /** Counts problems and gives them back, for a generator to yield. */
    add(found: readonly ArchiveProblem[]): readonly ArchiveProblem[] {
      problems += found.filter((one) => !isErasureDone(one)).length;
      return found;
    },
    summary: (days: readonly string[]): ArchiveSummary => ({
      ...counts,
      problems,
      firstDay: days[0],
      lastDay: days.at(-1),
      intact: problems === 0,
    }),
  };
}
