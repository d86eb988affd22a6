// Opens the record of a request, and rejects a request whose body came long after it began.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type ExecutionRequest, toExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { ExecutionPorts, Run } from '../run.ts';
import { authorizedSubject } from './settings.ts';

/** Never throws. When the settings cannot be read, the authorizer's ids still say whose call it was. */
export function openRun(event: APIGatewayProxyEvent, { clock }: Pick<ExecutionPorts, 'clock'>): Run {
  const request = toExecutionRequest(event, clock.now());
  return {
    request,
    startedMs: clock.monotonicMs(),
    attempts: [],
    subject: authorizedSubject(request),
  };
}

/**
 * Max. time from a request's arrival at API Gateway to here, cold starts and the authorizer included. A caller can hold the body
 * back after the headers: such a request would run in another second than it is counted in, and with a token that has expired.
 */
export const MAX_REQUEST_AGE_MS = 30_000;

/** 503 `deadline_exceeded` for a request that arrived too long ago. A time in the future, which clocks allow for, is not rejected. */
export function rejectOld({ timeMs }: ExecutionRequest, { clock }: Pick<ExecutionPorts, 'clock'>): void {
  const ageMs = clock.now() - timeMs;
  if (ageMs <= MAX_REQUEST_AGE_MS) return;
  const reason = `the request arrived ${Math.floor(ageMs / 1000)} s before its body`;
  throw new ServiceError('deadline_exceeded', { reason });
}
