// Quotas of the account that no deployment fails on, or that no API tells: memory of functions, and the throttle of all APIs.
import type { Stage } from '../../lib/config/config.ts';
import type { Throttle } from './account.ts';
import type { CheckResult } from './check-result.ts';

/** Concurrency of an account whose quotas are not those of a new one (lambda/latest/dg/gettingstarted-limits.html). */
const FULL_CONCURRENCY = 1000;

/** Memory of a function in a new account. AWS raises it with use, and has no API that reads it. */
const NEW_ACCOUNT_MEGABYTES = 3008;

/** A new account has "reduced concurrency and memory quotas", and the former can be read. */
export function checkMemory({ memoryMegabytes }: Stage, concurrencyQuota: number): CheckResult {
  const text = `Each function of the stage has ${memoryMegabytes} MB of memory`;
  if (memoryMegabytes <= NEW_ACCOUNT_MEGABYTES || concurrencyQuota >= FULL_CONCURRENCY)
    return { severity: 'ok', text: `${text}.` };
  return {
    severity: 'warning',
    text: `${text}. The concurrency quota of ${concurrencyQuota} is a new account's, where Lambda may refuse more than ${NEW_ACCOUNT_MEGABYTES} MB; no API tells its memory quota.`,
    remedy: `Set memoryMegabytes to at most ${NEW_ACCOUNT_MEGABYTES} in the file of the stage, or ask AWS Support for the full memory quota of Lambda first.`,
  };
}

/** The account's rate is for all APIs of the region together (apigateway/latest/developerguide/limits.html). */
export function checkThrottle({ throttle, peak }: Stage, account: Throttle): CheckResult {
  const { requestsPerSecond, burst } = account;
  const quota = `API Gateway's throttle of the account is ${requestsPerSecond} requests a second with a burst of ${burst}, for all APIs of the region`;
  const isFast = throttle.requestsPerSecond > requestsPerSecond;
  if (!isFast && throttle.burst <= burst) return { severity: 'ok', text: `${quota}.` };
  const cause = peak === undefined ? 'throttle' : 'throttle, which its peak gives,';
  const raise = `aws service-quotas request-service-quota-increase --service-code apigateway --quota-code L-8A5B8E43 --desired-value ${throttle.requestsPerSecond}`;
  return {
    severity: 'warning',
    text: `${quota}. The stage's ${cause} is ${throttle.requestsPerSecond} with a burst of ${throttle.burst}: callers get 429 before that.`,
    remedy: isFast
      ? `Ask for more: ${raise}. Or lower ${peak === undefined ? 'throttle' : 'peak'} in the file of the stage.`
      : `Set throttle.burst to at most ${burst} in the file of the stage: AWS sets the burst by the rate, and takes no request for it.`,
  };
}
