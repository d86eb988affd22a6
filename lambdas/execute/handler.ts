// The execution function: the way of a request, as a list.
import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/executionModeStandard';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import httpCors from '@middy/http-cors';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { waitAtMost } from '../../core/async/race.ts';
import { CORS } from '../../core/contract/headers.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import { EXECUTION_FIELDS, fromVariables } from '../environment.ts';
import { chainOf, runSoFar } from './bind.ts';
import { compose } from './compose.ts';
import { finish } from './finish.ts';
import { admit, openRunBudget } from './steps/admit.ts';
import { answerErrors } from './steps/answer-errors.ts';
import { claimKey, endClaim } from './steps/idempotency.ts';
import { checkAccepted, findVersion, readInvocation } from './steps/invocation.ts';
import { answerModels } from './steps/list-models.ts';
import {
  openRun,
  readSettings,
  rejectOld,
  rejectWhileClosed,
  requireAdmission,
  useSettings,
} from './steps/open-run.ts';
import { recordLine } from './steps/record-line.ts';
import { respond } from './steps/respond.ts';
import { lookUpAnswer, releaseFollowers, startCacheRead } from './steps/response-cache.ts';
import { streamBytes } from './steps/stream-bytes.ts';

/** The last moment for an answer of our own before Lambda ends the function; Middy's default of 5 ms is no answer at all. */
const TIMEOUT_EARLY_MS = 5_000;

/** Longest wait for the work after the answer where the answer waits for it. */
const BUFFERED_FINISH_MS = 300;

const environment = fromVariables(EXECUTION_FIELDS, process.env);
const ports = compose(environment);
const streams = environment.transferMode === 'STREAM';

const outermost = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
  executionMode: streams ? executionModeStreamifyResponse : executionModeStandard,
  // In STREAM the caller has the answer by now; in BUFFERED it waits for this.
  requestEnd({ event }) {
    const run = runSoFar(event as APIGatewayProxyEvent);
    // A stream that opened finishes by itself, so that a slow reader keeps nothing from being stored.
    const finished = run?.streaming ?? finish(run, ports);
    return streams ? finished : waitAtMost(ports.clock, BUFFERED_FINISH_MS, finished);
  },
  timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
  timeoutEarlyResponse() {
    throw new ServiceError('deadline_exceeded');
  },
})
  .use(streams ? streamBytes() : [])
  // Preflight is answered by API Gateway.
  .use(httpCors({ origin: CORS.allowOrigin, exposeHeaders: CORS.exposeHeaders.join(', ') }))
  .use(endClaim(ports))
  .use(recordLine(ports))
  .use(answerErrors());

// Errors go the list up, from the step that threw to the first: an answer is made, the line written, CORS added.
export const handler = chainOf(outermost, ports, openRun)
  .step(readSettings)
  .step(requireAdmission)
  .step(rejectOld)
  .step(useSettings)
  .step(rejectWhileClosed)
  .step(answerModels)
  .step(claimKey)
  .step(readInvocation)
  .step(findVersion)
  .step(checkAccepted)
  .step(startCacheRead)
  .step(openRunBudget)
  .step(admit)
  .use(releaseFollowers(ports))
  .step(lookUpAnswer)
  .answer(respond((run) => finish(run, ports)));
