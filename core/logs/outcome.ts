// How a request ended, from the code of its answer.
import { type ErrorCode, statusOf } from '../contract/error-codes.ts';
import type { LogOutcome } from '../contract/log-entry.ts';

/** No code: a run, stopped or not. Maintenance refuses like a limit; every other 5xx is a failure of ours or of a provider. */
export function outcomeOf(code: ErrorCode | undefined, executionStopped: boolean): LogOutcome {
  if (code === undefined) return executionStopped ? 'stopped' : 'success';
  if (code === 'maintenance') return 'refused';
  return statusOf(code) >= 500 ? 'failed' : 'refused';
}
