// Begins the Middy chain: how the answer leaves, what happens after it, and the handler at its end.
import middy from '@middy/core';
import { executionModeStandard } from '@middy/core/executionModeStandard';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { CORS } from '../../core/contract/headers.ts';
import { ServiceError } from '../../core/contract/service-error.ts';
import type { TransferMode } from '../environment.ts';
import { type FinishPorts, finish } from './finish.ts';
import { refuseTooLarge } from './refuse-too-large.ts';
import { type RunFlowPorts, runFlow } from './run-flow.ts';
import { maybeRunOf, runOf } from './steps/record.ts';

/** CORS as the contract has it; preflight is answered by API Gateway. */
export const corsOptions = { origin: CORS.allowOrigin, exposeHeaders: CORS.exposeHeaders.join(', ') };

/** The last moment for an answer of our own before Lambda ends the function; Middy's default of 5 ms is no answer at all. */
const TIMEOUT_EARLY_MS = 5_000;

/** Longest wait for the work after the answer where the answer waits for it. */
const BUFFERED_FINISH_MS = 300;

/** A chain that ends in running the flow. In STREAM the work after the answer runs when the caller has it, in BUFFERED before. */
export function beginChain(transferMode: TransferMode, ports: FinishPorts & RunFlowPorts) {
  const streams = transferMode === 'STREAM';
  return middy(
    async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
      const result = await runFlow(runOf(event), ports);
      if (!streams) refuseTooLarge(result);
      return result;
    },
    {
      executionMode: streams ? executionModeStreamifyResponse : executionModeStandard,
      requestEnd({ event }) {
        const finished = finish(maybeRunOf(event as APIGatewayProxyEvent), ports);
        return streams ? finished : Promise.race([finished, ports.clock.sleep(BUFFERED_FINISH_MS)]);
      },
      timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
      timeoutEarlyResponse() {
        throw new ServiceError('deadline_exceeded');
      },
    },
  );
}
