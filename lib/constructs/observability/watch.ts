// One alarm as data: its metric, its threshold, and its section of the runbook.
import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** Thresholds where the stage sets none. */
export const DEFAULTS = {
  serverErrorPercent: 1,
  unavailablePercent: 5,
  latencyP99: 30_000,
  providerErrors: 50,
  /** Microdollars: 50 dollars a day. */
  dailySpending: 50_000_000,
};

/** Authorizer faults within five minutes: a few may come from the JWKS endpoint of one organization. */
export const AUTHORIZER_FAULTS = 5;

/** Requests within five minutes that a guard by a service did not judge: a service may miss one at its own deployment. */
export const GUARDS_UNAVAILABLE = 5;

/** The age of a log entry that the usage must contain. Lambda gives an entry up after twelve hours, so there is time to fix the cause. */
export const USAGE_LATE = Duration.hours(1);

/** One alarm: its metric, its threshold, and its section in docs/operations.md. */
export interface Watch {
  readonly id: string;
  readonly summary: string;
  readonly section: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** How many periods in a row. @default 1 */
  readonly periods?: number;
  /** Above the threshold instead of at or above it. @default false */
  readonly above?: boolean;
  /** Below the threshold, and also where values stop coming. @default false */
  readonly below?: boolean;
}
