// How long each part waits for the next: every outer wait is longer, so that the innermost one answers.
import { Duration } from 'aws-cdk-lib';
import type { Stage } from '../../config/config.ts';

/** API Gateway waits for an authorizer at most 30 s; a JWKS list may take 5 s, and a store call fails well before. */
export const AUTHORIZER_TIMEOUT = Duration.seconds(10);

/** A batch is a few transactions of at most three tries each; a timeout costs nothing but another try. */
export const ROLLUP_TIMEOUT = Duration.seconds(60);

/** Settling, the log entry and the cache come after the answer, within the same call. */
const AFTER_THE_ANSWER_MS = 15_000;

/** Beyond the function's own timeout: starting an environment is not part of that. */
const START_MS = 15_000;

/** API Gateway's longest wait for a buffered answer without a quota increase (limits page of the REST API). */
const BUFFERED_INTEGRATION_SECONDS = 29;

export interface ExecutionTimeouts {
  readonly function: Duration;
  readonly integration: Duration;
}

/** The waits around the execution function, in either transfer mode. */
export function executionTimeouts({ transferMode, maxDeadline }: Stage): ExecutionTimeouts {
  if (transferMode === 'BUFFERED') {
    return {
      function: Duration.seconds(BUFFERED_INTEGRATION_SECONDS - 1),
      integration: Duration.seconds(BUFFERED_INTEGRATION_SECONDS),
    };
  }
  const functionMs = maxDeadline + AFTER_THE_ANSWER_MS;
  return {
    function: Duration.seconds(Math.ceil(functionMs / 1000)),
    integration: Duration.millis(functionMs + START_MS),
  };
}
