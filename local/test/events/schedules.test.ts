// Tests of calling functions by schedule, under a clock of the test.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readSchedules, startSchedules } from '../../events/schedules.ts';
import type { InvokeResult } from '../../functions/index.ts';
import type { ResolvedResource } from '../../template/types.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:111122223333:function:fn';

const resource = (type: string, properties: object, arn?: string): ResolvedResource => ({
  stack: 'Stack',
  logicalId: 'Thing',
  type,
  physicalId: 'thing',
  arn,
  metadata: {},
  properties: properties as Readonly<Record<string, unknown>>,
});
const rule = (properties: object) =>
  resource(
    'AWS::Events::Rule',
    { ScheduleExpression: 'rate(1 minute)', Targets: [{ Arn: FUNCTION, Id: 't' }], ...properties },
    'arn:aws:events:eu-west-1:111122223333:rule/thing',
  );
const schedule = (properties: object) =>
  resource(
    'AWS::Scheduler::Schedule',
    { ScheduleExpression: 'rate(1 minute)', Target: { Arn: FUNCTION, Input: '{"a":1}' }, ...properties },
    'arn:aws:scheduler:eu-west-1:111122223333:schedule/default/thing',
  );

const calls: unknown[] = [];
const lines: string[] = [];
let result: InvokeResult;
let stop: () => void;

function start(...resources: readonly ResolvedResource[]): void {
  const all = [...resources, resource('AWS::Lambda::Function', {}, FUNCTION)];
  const schedules = readSchedules([{ name: 'Stack', folder: '', outputs: {}, resources: all }], Date.now());
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

  it('fills in the context attributes of a schedule', async () => {
    start(schedule({ Target: { Arn: FUNCTION, Input: '{"at":"<aws.scheduler.scheduled-time>"}' } }));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([{ arn: FUNCTION, event: { at: '2026-03-01T10:01:00Z' } }]);
  });

  it('keeps to the start and the end of a schedule', async () => {
    start(schedule({ StartDate: '2026-03-01T10:02:00Z', EndDate: '2026-03-01T10:03:30Z' }));
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(calls).toHaveLength(2);
  });

  it('waits for times that are further away than a timer reaches', async () => {
    start(schedule({ ScheduleExpression: 'at(2026-04-10T10:00:00)' }));
    await vi.advanceTimersByTimeAsync(39 * 86_400_000);
    expect(calls).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(86_400_000);
    expect(calls).toHaveLength(1);
  });

  it('calls nothing that is disabled, and nothing after the stop', async () => {
    start(rule({ State: 'DISABLED' }), schedule({}));
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

  it('refuses a target that is no function of the template, and an expression that cannot be run', () => {
    const target = { Arn: 'arn:aws:sqs:eu-west-1:1:queue', Id: 'q' };
    expect(() => start(rule({ Targets: [target] }))).toThrow('is no function');
    expect(() => start(rule({ ScheduleExpression: 'cron(0 0 L * ? *)' }))).toThrow(
      expect.objectContaining({ code: 'TEMPLATE_NOT_SUPPORTED' }),
    );
  });
});
