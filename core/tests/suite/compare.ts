// Compares two versions that were tried on the same cases, and says it in a sentence.
import { type Interval, rateInterval } from '../../statistics/intervals.ts';
import { fewestChanges, mcnemarExact } from '../../statistics/mcnemar.ts';
import { type MeanDifference, pairedBootstrap } from '../../statistics/paired-bootstrap.ts';
import { type CaseOutcome, hasVerdict, type SideOutcome } from './outcomes.ts';

const ALPHA = 0.05;

/** Printed with each report: whoever has the runs gets the same interval. */
export const BOOTSTRAP_SEED = 20_260_101;

/** A case that has a verdict on both sides and changed. */
export interface ChangedCase {
  readonly tests: string;
  readonly name: string;
}

export interface Comparison {
  readonly before: string;
  readonly after: string;
  /** Cases with a verdict on both sides. */
  readonly cases: number;
  readonly gained: readonly ChangedCase[];
  readonly lost: readonly ChangedCase[];
  /** Two-sided, by McNemar's exact test. */
  readonly p: number;
  /** Difference of the cases' mean scores, with its 95 % interval; undefined for fewer than two cases. */
  readonly score: MeanDifference | undefined;
  readonly sentence: string;
}

export function compareSides(after: SideOutcome, before: SideOutcome): Comparison {
  const pairs = after.cases.flatMap((one, at) => {
    const other = before.cases[at];
    return other !== undefined && hasVerdict(one) && hasVerdict(other) ? [{ after: one, before: other }] : [];
  });
  const changedTo = (status: CaseOutcome['status']) =>
    pairs
      .filter((pair) => pair.after.status === status && pair.before.status !== status)
      .map(({ after: { tests, name } }) => ({ tests, name }));
  const [gained, lost] = [changedTo('passed'), changedTo('failed')];
  const facts = {
    before: before.label,
    after: after.label,
    cases: pairs.length,
    gained,
    lost,
    p: mcnemarExact(gained.length, lost.length),
  };
  const score = pairedBootstrap(
    pairs.map((pair) => pair.after.score - pair.before.score),
    { seed: BOOTSTRAP_SEED },
  );
  return { ...facts, score, sentence: describe(facts) };
}

function describe({ after, cases, gained, lost, p }: Omit<Comparison, 'score' | 'sentence'>): string {
  if (cases === 0) return 'No case has a verdict on both sides, so there is nothing to compare.';
  const [more, fewer] = [gained.length, lost.length];
  const within = cases === 1 ? 'with 1 case' : `with ${cases} cases`;
  if (more + fewer === 0) return `${after} passes the same cases: ${within} no difference was seen.`;
  const what =
    more === 0 || fewer === 0
      ? `${after} passes ${more === 0 ? `${countCases(fewer)} fewer` : `${countCases(more)} more`}`
      : `${after} passes ${countCases(more)} more and ${fewer} fewer`;
  if (p < ALPHA) return `${what}: ${within} that is hardly chance (p = ${p.toFixed(3)}).`;
  const least = fewestChanges(ALPHA);
  const hint =
    more + fewer < least ? `; at least ${least} would have to change, all in one direction, to tell` : '';
  return `${what}: ${within} this may be chance (p = ${p.toFixed(2)})${hint}.`;
}

function countCases(count: number): string {
  return count === 1 ? '1 case' : `${count} cases`;
}

/** The share of cases that passed, as the whole set of such cases may have it. */
export function caseInterval({ cases }: Pick<SideOutcome, 'cases'>): Interval | undefined {
  return rateInterval(cases.filter(({ status }) => status === 'passed').length, cases.length);
}
