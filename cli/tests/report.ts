// Turns outcomes into the report that every output is made of.
import { rateInterval } from '../../core/statistics/intervals.ts';
import type { AssertionResult } from '../../core/tests/assertions/assertion.ts';
import {
  BOOTSTRAP_SEED,
  type Comparison,
  caseInterval,
  compareSides,
} from '../../core/tests/suite/compare.ts';
import {
  type CaseOutcome,
  type RunOutcome,
  type SideOutcome,
  totalsOf,
} from '../../core/tests/suite/outcomes.ts';
import type {
  ReportedAssertion,
  ReportedCase,
  ReportedComparison,
  ReportedRun,
  ReportedVersion,
  TestReport,
} from '../json/tests.ts';

/** The first version, which is tested, decides; the one that it is compared with does not. */
export function toReport(sides: readonly SideOutcome[]): TestReport {
  const [tested, before] = sides;
  const isCompared = tested !== undefined && before !== undefined;
  return {
    format: 1,
    passed: tested?.cases.every(({ status }) => status === 'passed') === true,
    versions: sides.map(toVersion),
    comparison: isCompared ? toComparison(compareSides(tested, before)) : null,
  };
}

function toVersion(side: SideOutcome): ReportedVersion {
  const { replayed, live, latencyMs, ...totals } = totalsOf(side);
  return {
    version: side.label,
    ...totals,
    latencyMs: latencyMs ?? null,
    casesInterval: caseInterval(side) ?? null,
    callsReplayed: replayed,
    callsMade: live,
    results: side.cases.map(toCase),
  };
}

function toCase({ tests, name, status, passed, passRate, score, runs }: CaseOutcome): ReportedCase {
  const interval = rateInterval(passed, runs.length) ?? null;
  return { tests, case: name, status, passed, passRate, score, interval, runs: runs.map(toRun) };
}

function toRun(run: RunOutcome): ReportedRun {
  const { status, output, error, score, latencyMs, costMicrodollars, assertions } = run;
  return {
    status,
    output: output ?? null,
    error: error ?? null,
    score,
    latencyMs: latencyMs ?? null,
    costMicrodollars,
    assertions: assertions.flatMap((one) => [one, ...(one.parts ?? [])]).map(toAssertion),
  };
}

function toAssertion({ type, pass, score, reason, metric }: AssertionResult): ReportedAssertion {
  return { type, pass, score, reason, metric: metric ?? null };
}

function toComparison({ gained, lost, score, ...comparison }: Comparison): ReportedComparison {
  const named = (list: Comparison['gained']) => list.map(({ tests, name }) => ({ tests, case: name }));
  return {
    ...comparison,
    gained: named(gained),
    lost: named(lost),
    score: score === undefined ? null : { ...score, seed: BOOTSTRAP_SEED },
  };
}
