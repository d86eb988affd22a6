// Shapes that `neuron usage` prints with --json. The page of `neuron console` reads the same.
import type { KeyLimits } from '../../core/ports/keys.ts';
import type { ListedLimit } from './limits.ts';

/** Days in UTC, both inclusive. */
export interface Days {
  readonly fromDay: string;
  readonly toDay: string;
}

/** Model calls with their tokens and costs, in microdollars; `unknownCosts` counts calls without a known cost. */
export interface CallUsage {
  readonly modelCalls: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
  readonly unknownCosts: number;
}

export interface RequestUsage extends CallUsage {
  readonly requests: number;
  readonly success: number;
  readonly stopped: number;
  readonly failed: number;
  readonly refused: number;
  readonly savingsMicrodollars: number;
  /** AWS's charges by the formula of docs/costs.md. */
  readonly infrastructureNanodollars: number;
}

export interface OrganizationUsage extends RequestUsage {
  readonly organization: string;
  /** Tells a deleted organization from a later one with its slug. */
  readonly organizationId: string;
  /** Requests that a guard blocked. */
  readonly guardBlocked: number;
  /** Requests that a guard was to judge and did not, since its service was down. */
  readonly guardNotJudged: number;
  /** Runs of a rollout. */
  readonly rolloutRuns: number;
  /** Its own limits of which at least 80 percent are used. */
  readonly limits: readonly ListedLimit[];
}

/** The highest share of a limit that was alerted in its current window. */
export interface CurrentAlert {
  readonly organization: string;
  /** Null for a limit of the organization. */
  readonly keyId: string | null;
  readonly metric: string;
  readonly period: string;
  /** In percent. */
  readonly share: number;
}

/** Usage of all organizations: the totals, and those of the largest. */
export interface ServiceUsage extends Days {
  /** Organizations with a request on these days. */
  readonly called: number;
  readonly totals: RequestUsage;
  readonly organizations: readonly OrganizationUsage[];
  /** True where these credentials may not read the counters of limits; `limits` are empty then. Absent otherwise. */
  readonly limitsWithheld?: true;
  readonly alerts: readonly CurrentAlert[];
}

/** Neurons, users, keys and tags are sorted by requests, models by calls, the largest first. */
export interface UsageReport extends Days {
  readonly organization: string;
  readonly totals: RequestUsage;
  readonly neurons: readonly (RequestUsage & { readonly neuron: string; readonly neuronId: string })[];
  readonly models: readonly (CallUsage & { readonly model: string })[];
  readonly users: readonly (RequestUsage & { readonly username: string })[];
  readonly keys: readonly (RequestUsage & { readonly keyId: string })[];
  readonly tags: readonly (RequestUsage & { readonly tag: string; readonly value: string })[];
  readonly days: readonly (RequestUsage & { readonly day: string })[];
  /** Runs by rollout and arm, without answers of the cache. */
  readonly arms: readonly ArmUsage[];
  readonly versions: readonly VersionUsage[];
  readonly branches: readonly BranchUsage[];
  readonly feedback: readonly FeedbackUsage[];
}

/** The values for one metric of one version; of `true` and `false` the mean is the share of `true`. */
export interface FeedbackUsage {
  readonly neuron: string;
  readonly metric: string;
  readonly version: string;
  readonly ratings: number;
  readonly mean: number;
  /** Bounds of the 95 % interval; null for a single number. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface ArmUsage extends RequestUsage {
  readonly neuron: string;
  readonly rollout: string;
  readonly arm: 'control' | 'candidate';
  readonly version: string;
}

/** `requests` are runs: answers of the cache are not among them. Percentiles are null where no run had a latency. */
export interface RunUsage extends RequestUsage {
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
}

export interface VersionUsage extends RunUsage {
  readonly neuron: string;
  readonly version: string;
  /** Answers of the cache. */
  readonly hits: number;
}

export interface BranchUsage extends RunUsage {
  readonly neuron: string;
  readonly version: string;
  /** As `randomizedSplit` drew: `a`, or `a.b` of two. */
  readonly branch: string;
}

/** A figure of one version; the bounds of its 95 % interval are null where there are too few values, or none ends it. */
export interface FigureOfVersion {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The number of values that it is made of. */
  readonly count: number;
}

export interface ComparedFigure {
  readonly figure: string;
  readonly unit: 'share' | 'ms' | 'dollars' | 'mean';
  /** Null where the version has none. */
  readonly a: FigureOfVersion | null;
  readonly b: FigureOfVersion | null;
  /** True where the 95 % interval of the difference holds no zero; null where one of them has no interval. */
  readonly differs: boolean | null;
}

export interface ComparedVersion {
  readonly version: string;
  /** Those below together. */
  readonly runs: number;
  readonly success: number;
  readonly stopped: number;
  readonly failed: number;
  /** Answers of the cache. */
  readonly hits: number;
}

/** `neuron versions compare`: runs without answers of the cache, which are counted apart. */
export interface VersionComparison {
  readonly versions: readonly ComparedVersion[];
  readonly figures: readonly ComparedFigure[];
}

/** The current month at its end, extrapolated from its days so far; cost in microdollars. */
export interface Forecast {
  /** Number of days that it is extrapolated from, such as 20.5. */
  readonly fromDays: number;
  readonly toDay: string;
  readonly requests: number;
  readonly tokensInput: number;
  readonly tokensOutput: number;
  readonly costMicrodollars: number;
}

/** A usage limit and the usage of its period, in requests, tokens or microdollars. */
export interface LimitForecast {
  readonly metric: KeyLimits[number]['metric'];
  readonly limit: number;
  readonly period: KeyLimits[number]['period'];
  readonly used: number;
  /** Null for a day, on the first day of a month, and for a past month. */
  readonly forecast: number | null;
}

export interface FullReport extends UsageReport {
  /** Null for anything but the current month, and on its first day. */
  readonly forecast: Forecast | null;
  /** Limits of the organization for the period of the report: a month or a day. */
  readonly limits: readonly LimitForecast[];
}

/** A key of `neuron usage --by key`. A key that the organization no longer has has no name and no limits. */
export type KeyUsage = UsageReport['keys'][number] & {
  readonly name: string | null;
  /** For the period of the report: a month or a day. */
  readonly limits: readonly LimitForecast[];
};
