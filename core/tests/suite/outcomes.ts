// The outcomes of a suite's runs, case by case.
import { sum } from '../../text/numbers.ts';
import type { AssertionResult } from '../assertions/assertion.ts';

/** `error`: the run ended, or its judge did, before there was a verdict. `missing`: a call has no recording. `maxCost`: a call had no room. */
export type RunStatus = 'passed' | 'failed' | 'error' | 'missing' | 'maxCost';

export interface RunOutcome {
  readonly status: RunStatus;
  /** The answer; undefined where there is none. */
  readonly output: string | undefined;
  /** The error code with which the run ended, and why; or why there is no verdict. */
  readonly error: string | undefined;
  /** From 0 to 1. */
  readonly score: number;
  readonly assertions: readonly AssertionResult[];
  readonly latencyMs: number | undefined;
  /** Integer microdollars of the run, of its judges and of the vectors of its assertions; null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly replayed: number;
  readonly live: number;
  /** Targets of calls without a recording. */
  readonly missing: readonly string[];
}

export type CaseStatus = 'passed' | 'failed' | 'error' | 'missing' | 'maxCost';

export interface CaseOutcome {
  /** `ORGANIZATION/NEURON`. */
  readonly tests: string;
  readonly name: string;
  readonly status: CaseStatus;
  readonly passed: number;
  readonly runs: readonly RunOutcome[];
  readonly passRate: number;
  /** The mean of the runs' scores. */
  readonly score: number;
}

/** Everything that is no verdict, the worst first: none of it may look like a case that failed by itself. */
const NO_VERDICT = ['missing', 'maxCost', 'error'] as const;

export function toCaseOutcome(
  of: Pick<CaseOutcome, 'tests' | 'name' | 'passRate'>,
  runs: readonly RunOutcome[],
): CaseOutcome {
  const passed = runs.filter(({ status }) => status === 'passed').length;
  const without = NO_VERDICT.find((status) => runs.some((run) => run.status === status));
  const reached = passed / runs.length >= of.passRate;
  return {
    ...of,
    status: without ?? (reached ? 'passed' : 'failed'),
    passed,
    runs,
    score: sum(runs.map(({ score }) => score)) / runs.length,
  };
}

/** True for a case with a verdict, which alone can be compared. */
export function hasVerdict({ status }: Pick<CaseOutcome, 'status'>): boolean {
  return status === 'passed' || status === 'failed';
}

/** The cases of one version. */
export interface SideOutcome {
  /** `files`, `v8`, `deployed v7`. */
  readonly label: string;
  readonly cases: readonly CaseOutcome[];
}

/** Sums over the runs of a version. */
export interface SideTotals {
  readonly cases: number;
  readonly casesPassed: number;
  /** Cases of which every run passed. */
  readonly casesAlwaysPassed: number;
  readonly runs: number;
  readonly runsPassed: number;
  /** Null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly replayed: number;
  readonly live: number;
  /** The mean over the runs that have one. */
  readonly latencyMs: number | undefined;
  /** Means by the `metric` of assertions, by weight; undefined scores are not in them. */
  readonly metrics: Readonly<Record<string, number>>;
}

export function totalsOf({ cases }: Pick<SideOutcome, 'cases'>): SideTotals {
  const runs = cases.flatMap((one) => one.runs);
  const latencies = runs.flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    cases: cases.length,
    casesPassed: cases.filter(({ status }) => status === 'passed').length,
    casesAlwaysPassed: cases.filter((one) => one.passed === one.runs.length).length,
    runs: runs.length,
    runsPassed: sum(cases.map(({ passed }) => passed)),
    costMicrodollars: runs.reduce<number | null>(
      (total, { costMicrodollars: cost }) => (total === null || cost === null ? null : total + cost),
      0,
    ),
    tokensInput: sum(runs.map(({ tokensInput }) => tokensInput)),
    tokensOutput: sum(runs.map(({ tokensOutput }) => tokensOutput)),
    replayed: sum(runs.map(({ replayed }) => replayed)),
    live: sum(runs.map(({ live }) => live)),
    latencyMs: latencies.length === 0 ? undefined : Math.round(sum(latencies) / latencies.length),
    metrics: metricsOf(runs.flatMap(({ assertions }) => assertions)),
  };
}

function metricsOf(results: readonly AssertionResult[]): Readonly<Record<string, number>> {
  const all = results.flatMap((result) => [result, ...(result.parts ?? [])]);
  const names = [...new Set(all.flatMap(({ metric }) => metric ?? []))].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const own = all.filter(({ metric }) => metric === name);
      const weight = sum(own.map((one) => one.weight));
      return [name, sum(own.map((one) => one.score * one.weight)) / weight];
    }),
  );
}
