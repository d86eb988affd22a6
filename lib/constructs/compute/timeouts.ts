// Timeouts along the request path: a run's deadline is the shortest, then the integration's, then those of what it waits for.
import { Duration } from 'aws-cdk-lib';
import type { Stage } from '../../config/config.ts';

/** API Gateway waits for an authorizer at most 30 s; a JWKS list may take 5 s, and a store call fails well before. */
export const AUTHORIZER_TIMEOUT = Duration.seconds(10);

/** A batch is a few transactions of at most three attempts each; a timeout costs only a retry. */
export const ROLLUP_TIMEOUT = Duration.seconds(60);

/** A page of heads, an object, and room for their retries. */
export const HEADS_TIMEOUT = Duration.seconds(60);

/** Lambda's longest: a day is some thousand entries a second. */
export const ARCHIVE_TIMEOUT = Duration.minutes(15);

/** All slots of a rollout of weeks, once after a cold start. */
export const ROLLOUTS_TIMEOUT = Duration.seconds(60);

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

/**
 * Lambda ends a function after its integration has given up, whose gateway response is 503 `deadline_exceeded`. A function that is ended
 * before looks like one that crashed.
 */
const AFTER_THE_INTEGRATION_MS = 1_000;

export function executionTimeouts({ transferMode, maxDeadline }: Stage): ExecutionTimeouts {
  const integrationMs =
    transferMode === 'BUFFERED'
      ? BUFFERED_INTEGRATION_SECONDS * 1000
      : maxDeadline + AFTER_THE_ANSWER_MS + START_MS;
  return {
    function: Duration.seconds(Math.ceil((integrationMs + AFTER_THE_INTEGRATION_MS) / 1000)),
    integration: Duration.millis(integrationMs),
  };
}
