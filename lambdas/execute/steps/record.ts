// Where the record of a request hangs while it goes through the chain: on its event, the one thing that steps and handler both get.
import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Run } from '../run.ts';

/** A step of the chain. */
export type Step = middy.MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

// Not Middy's `internal`: Middy gives that to middleware and not to the handler.
const runs = new WeakMap<APIGatewayProxyEvent, Run>();

/** The record of this request; open-run sets it. */
export function runOf(event: APIGatewayProxyEvent): Run {
  const run = runs.get(event);
  if (run === undefined) throw new Error('the run is not open');
  return run;
}

/** The record, or undefined when the chain failed before it was set. */
export function maybeRunOf(event: APIGatewayProxyEvent): Run | undefined {
  return runs.get(event);
}

/** Sets the record. */
export function setRun(event: APIGatewayProxyEvent, run: Run): void {
  runs.set(event, run);
}
