// The shape that `neuron test` prints with --json, and writes to --json FILE.

export interface TestReport {
  /** Counts up when members change their meaning. */
  readonly format: 1;
  /** True where the command exits with 0. */
  readonly passed: boolean;
  /** The version that is tested, then the one that it is compared with. */
  readonly versions: readonly ReportedVersion[];
  /** Null where one version was tested. */
  readonly comparison: ReportedComparison | null;
}

export interface ReportedInterval {
  readonly low: number;
  readonly high: number;
}

export interface ReportedVersion {
  /** `files`, `deployed`, `v8`, or the folder that was named. */
  readonly version: string;
  readonly cases: number;
  readonly casesPassed: number;
  /** Cases of which each run passed. */
  readonly casesAlwaysPassed: number;
  /** Wilson's 95 % interval of the share of cases that pass; null for no case. */
  readonly casesInterval: ReportedInterval | null;
  readonly runs: number;
  readonly runsPassed: number;
  /** Cost of all runs and their judges, as recorded; null where a model has no price. */
  readonly costMicrodollars: number | null;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  /** Milliseconds, the mean of the runs; null where none is known. */
  readonly latencyMs: number | null;
  readonly callsReplayed: number;
  readonly callsMade: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly results: readonly ReportedCase[];
}

export interface ReportedCase {
  /** `ORGANIZATION/NEURON`. */
  readonly tests: string;
  readonly case: string;
  /** `missing`: a call has no recording. `maxCost`: a call had no room in --max-cost. `error`: no verdict for another reason. */
  readonly status: 'passed' | 'failed' | 'error' | 'missing' | 'maxCost';
  readonly passed: number;
  readonly passRate: number;
  readonly score: number;
  /** Wilson's 95 % interval of the share of runs that pass. */
  readonly interval: ReportedInterval | null;
  readonly runs: readonly ReportedRun[];
}

export interface ReportedRun {
  readonly status: ReportedCase['status'];
  readonly output: string | null;
  readonly error: string | null;
  readonly score: number;
  readonly latencyMs: number | null;
  readonly costMicrodollars: number | null;
  readonly assertions: readonly ReportedAssertion[];
}

export interface ReportedAssertion {
  readonly type: string;
  readonly pass: boolean;
  readonly score: number;
  readonly reason: string;
  /** Null for none. */
  readonly metric: string | null;
}

export interface ReportedComparison {
  readonly before: string;
  readonly after: string;
  /** Cases with a verdict on both sides. */
  readonly cases: number;
  readonly gained: readonly { readonly tests: string; readonly case: string }[];
  readonly lost: readonly { readonly tests: string; readonly case: string }[];
  /** McNemar's exact test, two-sided. */
  readonly p: number;
  /** The difference of the mean scores of cases, with its 95 % interval by a bootstrap; null for fewer than two cases. */
  readonly score: (ReportedInterval & { readonly mean: number; readonly seed: number }) | null;
  readonly sentence: string;
}
