// List prices of AWS for what a call uses, and for what a stage has while nobody calls (docs/costs.md has the pages).

/** Nanodollars, us-east-1, ARM, November 2026. */
export const INFRASTRUCTURE_PRICES = {
  apiRequest: 3_500,
  lambdaRun: 200,
  lambdaGibSecond: 13_333.4,
  writeUnit: 625,
  readUnit: 125,
  logByte: 0.5,
  trace: 5_000,
} as const;

/** US dollars a month, beyond what an account has free. */
export const IDLE_PRICES = {
  alarmMetric: 0.1,
  freeAlarmMetrics: 10,
  customMetric: 0.3,
  freeCustomMetrics: 10,
  dashboard: 3,
  freeDashboards: 3,
  secret: 0.4,
} as const;

/** Providers' keys and the key of the log are one; shared JWT secrets, where there are any, a second one. */
export const SECRETS_PER_ORGANIZATION = 1;

/** US dollars for a stage's metrics in a month in which each has a value in every hour. */
export function metricsBill(metrics: number): number {
  return Math.max(0, metrics - IDLE_PRICES.freeCustomMetrics) * IDLE_PRICES.customMetric;
}

/** An idle month, in US dollars, from the resources of the templates. */
export function idleBill(alarmMetrics: number, dashboards: number, organizations: number) {
  return {
    alarms: Math.max(0, alarmMetrics - IDLE_PRICES.freeAlarmMetrics) * IDLE_PRICES.alarmMetric,
    dashboards: Math.max(0, dashboards - IDLE_PRICES.freeDashboards) * IDLE_PRICES.dashboard,
    secrets: organizations * SECRETS_PER_ORGANIZATION * IDLE_PRICES.secret,
  };
}
