// The execution function: Middy around `serve`, for CORS, text as bytes and the early timeout. How a stream ends: answer.ts. Duties at the
// end of every request: end/end-run.ts.
import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/executionModeStandard';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import httpCors from '@middy/http-cors';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toProxyResult } from '../../adapters/apigateway/proxy-answer.ts';
import { waitAtMost } from '../../core/async/race.ts';
import { CORS } from '../../core/contract/headers.ts';
import { surfaceOf } from '../../core/surfaces/registry.ts';
import type { Answer } from '../../core/surfaces/surface.ts';
import { EXECUTION_FIELDS, fromVariables } from '../environment.ts';
import { compose } from './compose.ts';
import type { ServedAnswer } from './run.ts';
import { serve } from './serve.ts';
import { streamBytes } from './stream/bytes.ts';

/**
 * Latest time before the end of the function at which we still answer; Middy's default of 5 ms is too late for that. The function is given
 * more than the longest deadline of a run, 10 s where answers are buffered and 31 where they are streamed
 * (`lib/constructs/compute/timeouts.ts`): only work that does not heed its deadline comes to this. A stream that is open is ended by the
 * deadline alone: its request has been answered.
 */
const TIMEOUT_EARLY_MS = 5_000;

/** Max. time that a buffered answer waits for the work after it. */
const BUFFERED_FINISH_MS = 300;

const environment = fromVariables(EXECUTION_FIELDS, process.env);
const ports = compose(environment);
const streams = environment.transferMode === 'STREAM';

// On the event, not in Middy's `internal`: the handler at the end of the list does not get that. Nor in a `WeakMap`, whose values
// a collection of young objects takes for alive, each with all that it refers to.
const SERVED = Symbol('served');

interface ServedEvent extends APIGatewayProxyEvent {
  [SERVED]?: ServedAnswer;
}

export const handler = middy<ServedEvent, APIGatewayProxyResult>({
  executionMode: streams ? executionModeStreamifyResponse : executionModeStandard,
  // In STREAM the caller has the answer by now, or has left: Middy calls this after a broken pipe, too. In BUFFERED it waits for this.
  requestEnd({ event }) {
    const finished = (event as ServedEvent)[SERVED]?.finish() ?? Promise.resolve();
    return streams ? finished : waitAtMost(ports.clock, BUFFERED_FINISH_MS, finished);
  },
  timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
  // The signal has told `serve`, which answers: Middy waits for it.
  timeoutEarlyResponse: () => new Promise(() => undefined),
})
  .use(streams ? streamBytes() : [])
  // Preflight is answered by API Gateway.
  .use(httpCors({ origin: CORS.allowOrigin, exposeHeaders: CORS.exposeHeaders.join(', ') }))
  // Without an answer Middy would end the stream and skip `requestEnd`.
  .onError((request) => {
    request.response = toProxyResult(surfaceOf('native').renderError('internal', {}));
  })
  .handler(async (event, _context, { signal }) => {
    const served = await serve(event, signal, ports);
    event[SERVED] = served;
    // The types of a proxy result know no streams; Middy does, and pipes one with back-pressure.
    return toProxyResult(served.answer() as Answer);
  });
