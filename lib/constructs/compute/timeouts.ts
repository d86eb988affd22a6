// Timeouts along the request path: every outer one is longer, so that the innermost one answers.
import { Duration } from 'aws-cdk-lib';
import type { Stage } from '../../config/config.ts';

/** API Gateway waits for an authorizer at most 30 s; a JWKS list may take 5 s, and a store call fails well before. */
export const AUTHORIZER_TIMEOUT = Duration.seconds(10);

/** A batch is a few transactions of at most three attempts each; a timeout costs only a retry. */
export const ROLLUP_TIMEOUT = Duration.seconds(60);

/** A page of heads, an object, and room for their retries. */
export const HEADS_TIMEOUT = Duration.seconds(60);

/** Settling limits, the log entry and the cache follow the answer, within the same invocation. */
const AFTER_THE_ANSWER_MS = 15_000;

/** A cold start is not part of the function's timeout. */
const START_MS = 15_000;

/** API Gateway's longest integration timeout in buffered transfer without a quota increase (limits page of the REST API). */
const BUFFERED_INTEGRATION_SECONDS = 29;

interface ExecutionTimeouts {
  readonly function: Duration;
  readonly integration: Duration;
}

/** The timeouts of the execution function and its integration, in either transfer mode. */
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
