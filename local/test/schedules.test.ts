// Tests of calling functions by schedule, under a clock of the test.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { InvokeResult } from '../functions/index.ts';
import { readSchedules, startSchedules } from '../schedules.ts';
import type { ResolvedResource } from '../template/types.ts';
import { resource, stackOf } from './support/resources.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:111122223333:function:fn';

const rule = (properties: object) =>
  resource(
    'AWS::Events::Rule',
    'Thing',
    { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: FUNCTION, Id: 't' }], ...properties },
    { arn: 'arn:aws:events:eu-west-1:111122223333:rule/thing' },
  );

const calls: unknown[] = [];
const lines: string[] = [];
let result: InvokeResult;
let stop: () => void;

function start(...resources: readonly ResolvedResource[]): void {
  const all = [...resources, resource('AWS::Lambda::Function', 'Fn', {}, { arn: FUNCTION })];
  const schedules = readSchedules(stackOf(all), Date.now());
  const invoke = async (arn: string, event: unknown) => {
    calls.push({ arn, event });
    return result;
  };
  const running = startSchedules({ schedules, invoke, log: (line) => lines.push(line) });
  stop = () => running.stop();
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T10:00:00Z') });
  result = { outcome: 'succeeded', payload: Buffer.from('null'), requestId: 'r' };
  calls.length = 0;
  lines.length = 0;
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('schedules', () => {
  it('calls the function of a rule with the event of EventBridge', async () => {
    start(rule({}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([
      {
        arn: FUNCTION,
        event: {
          version: '0',
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          'detail-type': 'Scheduled Event',
          source: 'aws.events',
          account: '111122223333',
          time: '2026-03-01T10:01:00Z',
          region: 'eu-west-1',
          resources: ['arn:aws:events:eu-west-1:111122223333:rule/thing'],
          detail: {},
        },
      },
    ]);
  });

  it('calls it again and again, with the input of the template', async () => {
    start(rule({ Targets: [{ Arn: FUNCTION, Id: 't', Input: '{"x":[1]}' }] }));
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    expect(calls).toEqual([1, 2, 3].map(() => ({ arn: FUNCTION, event: { x: [1] } })));
  });

  it('waits longer than a timer can', async () => {
    start(rule({ ScheduleExpression: 'rate(40 days)' }));
    await vi.advanceTimersByTimeAsync(40 * 86_400_000 - 1);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['rate(5 minutes)', 5],
    ['rate(2 hours)', 120],
    ['rate(1 day)', 1_440],
  ])('calls a function at %s every %d minutes', async (ScheduleExpression, minutes) => {
    start(rule({ ScheduleExpression }));
    await vi.advanceTimersByTimeAsync(minutes * 60_000 - 1);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(minutes * 60_000 + 1);
    expect(calls).toHaveLength(2);
  });

  it('calls nothing that is disabled, and nothing after the stop', async () => {
    start(rule({ State: 'DISABLED' }), rule({}));
    stop();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(calls).toEqual([]);
  });

  it('tells of a run that fails, and goes on', async () => {
    result = {
      outcome: 'failed',
      error: { errorType: 'Error', errorMessage: 'boom' },
      streamed: false,
      requestId: 'r',
    };
    start(rule({}));
    await vi.advanceTimersByTimeAsync(2 * 60_000);
    expect(lines).toEqual(['Stack/Thing: Error: boom', 'Stack/Thing: Error: boom']);
  });

  it.each([
    [
      'a target that is no function of the template',
      { Targets: [{ Arn: 'arn:aws:sqs:eu-west-1:1:queue', Id: 'q' }] },
    ],
    ['an input that is not JSON', { Targets: [{ Arn: FUNCTION, Id: 't', Input: '{' }] }],
    ['another expression', { ScheduleExpression: 'cron(0 10 * * ? *)' }],
    ['an unknown unit', { ScheduleExpression: 'rate(5 weeks)' }],
    ['no interval at all', { ScheduleExpression: 'rate(0 minutes)' }],
  ])('refuses %s', (_what, properties) => {
    expect(() => start(rule(properties))).toThrow(
      expect.objectContaining({ code: 'TEMPLATE_NOT_SUPPORTED' }),
    );
  });
});
