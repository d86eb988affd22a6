// Tests of the record of a request, which lies on its event.
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { keep, runSoFar } from '../../../lambdas/execute/bind.ts';
import type { PartialRun } from '../../../lambdas/execute/run.ts';

const event = (): APIGatewayProxyEvent => ({ path: '/acme/hello' }) as APIGatewayProxyEvent;
const part = (members: object): PartialRun => members as PartialRun;

it('adds to the record of a request', () => {
  const called = event();
  keep(called, part({ startMs: 1 }));
  keep(called, part({ status: 200 }));
  expect(runSoFar(called)).toEqual({ startMs: 1, status: 200 });
});

it('leaves a record as it was for whoever has it: after an early timeout a late result is nobody’s', () => {
  const called = event();
  keep(called, part({ startMs: 1 }));
  const atTimeout = runSoFar(called);
  keep(called, part({ result: 'late' }));
  expect(atTimeout).toEqual({ startMs: 1 });
});

it('gives a copy of an event no record', () => {
  const called = event();
  keep(called, part({ startMs: 1 }));
  expect(runSoFar({ ...called })).toBeUndefined();
  expect(JSON.stringify(called)).toBe('{"path":"/acme/hello"}');
});
