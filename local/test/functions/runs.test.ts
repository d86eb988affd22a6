// The ends of runs: results, failures, exits, timeouts; their log lines; queueing and rejection.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RunningFunctions } from '../fixtures/http-template.ts';
import { ACT, pidOf, runAct } from '../fixtures/run-in-test.ts';
import { isRunning } from '../support/processes.ts';

/** Two at once run in two processes, unless the first is done before the second has started: then they run again, for longer. */
async function twoProcesses(functions: RunningFunctions['functions'], sleepMs = 50): Promise<number[]> {
  const results = await Promise.all([1, 2].map(() => functions.invoke(ACT, { sleepMs })));
  const pids = new Set(results.map(pidOf));
  return pids.size === 2 ? [...pids] : twoProcesses(functions, sleepMs * 2);
}

const logOf = ({ logFolder }: RunningFunctions) => readFileSync(join(logFolder, 'act.log'), 'utf8');

describe('a run', () => {
  it('happens in a process of its own, and the next one in the same', async () => {
    const { functions } = runAct();
    const first = pidOf(await functions.invoke(ACT, {}));
    expect(first).not.toBe(process.pid);
    expect(pidOf(await functions.invoke(ACT, {}))).toBe(first);
  });

  it('that throws fails with name and message, and the process goes on', async () => {
    const { functions } = runAct();
    const pid = pidOf(await functions.invoke(ACT, {}));
    expect(await functions.invoke(ACT, { throws: 'broken' })).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'TestError', errorMessage: 'broken' },
    });
    expect(pidOf(await functions.invoke(ACT, {}))).toBe(pid);
  });

  it.each([
    [
      'exits',
      { exit: 3 },
      'Runtime.ExitError',
      /^RequestId: \S+ Error: Runtime exited with error: exit status 3$/,
    ],
    ['exits quietly', { exit: 0 }, 'Runtime.ExitError', /Error: Runtime exited without providing a reason$/],
    ['is killed', { kill: 'SIGKILL' }, 'Runtime.ExitError', /Runtime exited with error: signal: killed$/],
    ['throws beside its promise', { later: 'late', sleepMs: 5_000 }, 'Error', /^late$/],
    [
      'rejects beside its promise',
      { reject: 'lost', sleepMs: 5_000 },
      'Runtime.UnhandledPromiseRejection',
      /lost/,
    ],
  ])('that %s fails, and the next one gets a new process', async (_name, event, errorType, message) => {
    const { functions } = runAct();
    const pid = pidOf(await functions.invoke(ACT, {}));
    const result = await functions.invoke(ACT, event);
    expect(result).toMatchObject({ outcome: 'failed', error: { errorType } });
    expect(result.outcome === 'failed' && result.error.errorMessage).toMatch(message);
    const next = pidOf(await functions.invoke(ACT, {}));
    expect(next).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  it('that waits for nothing fails at once and leaves its process free', async () => {
    const { functions } = runAct();
    const pid = pidOf(await functions.invoke(ACT, {}));
    expect(await functions.invoke(ACT, { never: true })).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Runtime.NodeJsExit' },
    });
    expect(pidOf(await functions.invoke(ACT, {}))).toBe(pid);
  });

  it.each([
    ['waits', { sleepMs: 60_000 }],
    ['computes', { spin: true }],
  ])('that %s longer than its timeout is killed', async (_name, event) => {
    const started = runAct({ Timeout: 1 });
    const pid = pidOf(await started.functions.invoke(ACT, {}));
    const result = await started.functions.invoke(ACT, event);
    expect(result).toMatchObject({
      outcome: 'failed',
      error: {
        errorType: 'Sandbox.Timedout',
        errorMessage: `RequestId: ${result.requestId} Error: Task timed out after 1.00 seconds`,
      },
    });
    expect(logOf(started)).toContain(`${result.requestId} Task timed out after 1.00 seconds`);
    expect(pidOf(await started.functions.invoke(ACT, {}))).not.toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });

  it('that takes more memory than the template gives ends alone', async () => {
    const { functions } = runAct({ MemorySize: 128, Timeout: 15 });
    expect(await functions.invoke(ACT, { hoard: true })).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Runtime.ExitError' },
    });
    expect((await functions.invoke(ACT, {})).outcome).toBe('succeeded');
  });

  it('that returns more than Lambda takes fails, and an event that is larger is refused', async () => {
    const { functions } = runAct();
    expect(await functions.invoke(ACT, { large: 6_291_556 })).toMatchObject({
      outcome: 'failed',
      error: { errorType: 'Function.ResponseSizeTooLarge' },
    });
    expect((await functions.invoke(ACT, { large: 6_000_000 })).outcome).toBe('succeeded');
    expect(await functions.invoke(ACT, { x: 'x'.repeat(6_291_556) })).toMatchObject({
      outcome: 'rejected',
      errorType: 'RequestTooLargeException',
    });
    expect((await functions.invoke(ACT, { x: 'x'.repeat(6_291_500) })).outcome).toBe('succeeded');
  });

  it('writes its output to a file of its own, in the form of a Lambda log', async () => {
    const started = runAct();
    const { requestId } = await started.functions.invoke(ACT, { log: 'a line' });
    const lines = logOf(started).split('\n');
    expect(lines[0]).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z\\t${requestId}\\tINFO\\ta line$`));
    expect(lines[1]).toBe('a line as it is');
    expect(lines[2]).toContain(`${requestId}\tERROR\tError: shown\r`);
    await started.functions.invoke(ACT, { log: 'another' });
    expect(logOf(started)).toContain('another as it is');
  });

  it('writes JSON lines when the template says so', async () => {
    const started = runAct({ LoggingConfig: { LogFormat: 'JSON', LogGroup: 'group' } });
    const { requestId } = await started.functions.invoke(ACT, { log: 'a line' });
    expect(JSON.parse(logOf(started).split('\n')[0] ?? '')).toMatchObject({
      level: 'INFO',
      message: 'a line',
      requestId,
    });
  });
});

describe('a process killed from outside', () => {
  it('while it runs fails the run; while it waits harms nobody', async () => {
    const { functions } = runAct();
    const pid = pidOf(await functions.invoke(ACT, {}));
    const hit = functions.invoke(ACT, { sleepMs: 60_000 });
    await sleep(50);
    process.kill(pid, 'SIGKILL');
    expect(await hit).toMatchObject({ outcome: 'failed', error: { errorType: 'Runtime.ExitError' } });
    const second = pidOf(await functions.invoke(ACT, {}));
    process.kill(second, 'SIGKILL');
    while (isRunning(second)) await sleep(5);
    await sleep(20);
    expect(pidOf(await functions.invoke(ACT, {}))).not.toBe(second);
  });
});

describe('the pool', () => {
  it('has at most the configured number of processes, and queues the rest', async () => {
    const { functions } = runAct({}, { concurrency: 2 });
    const results = await Promise.all(
      Array.from({ length: 12 }, () => functions.invoke(ACT, { sleepMs: 20 })),
    );
    expect(new Set(results.map(pidOf)).size).toBe(2);
  });

  it('refuses an invocation when the queue is full, as Lambda throttles', async () => {
    const { functions } = runAct({}, { concurrency: 1, queueLength: 2 });
    pidOf(await functions.invoke(ACT, {}));
    const results = await Promise.all(
      Array.from({ length: 5 }, () => functions.invoke(ACT, { sleepMs: 50 })),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ errorType: 'TooManyRequestsException' });
  });

  it('refuses an invocation that has waited too long', async () => {
    const { functions } = runAct({}, { concurrency: 1, queueWaitMs: 1_000 });
    pidOf(await functions.invoke(ACT, {}));
    const [first, second] = await Promise.all([
      functions.invoke(ACT, { sleepMs: 1_500 }),
      functions.invoke(ACT, {}),
    ]);
    expect(first?.outcome).toBe('succeeded');
    expect(second).toMatchObject({ outcome: 'rejected', errorType: 'TooManyRequestsException' });
    expect((await functions.invoke(ACT, {})).outcome).toBe('succeeded');
  });

  it('refuses at once beyond the reserved concurrency of the template', async () => {
    const { functions } = runAct({ ReservedConcurrentExecutions: 1 }, { concurrency: 4 });
    const results = await Promise.all(
      Array.from({ length: 3 }, () => functions.invoke(ACT, { sleepMs: 50 })),
    );
    expect(results.map(({ outcome }) => outcome)).toEqual(['succeeded', 'rejected', 'rejected']);
    expect((await functions.invoke(ACT, {})).outcome).toBe('succeeded');
  });

  it('refuses more than ten invocations a second for each reserved environment, however short they are', async () => {
    const { functions } = runAct({ ReservedConcurrentExecutions: 2 }, { concurrency: 2 });
    pidOf(await functions.invoke(ACT, {}));
    const outcomes: string[] = [];
    // One after the other: never more than one at once.
    const began = performance.now();
    for (let run = 0; run < 60; run += 1) outcomes.push((await functions.invoke(ACT, {})).outcome);
    const seconds = (performance.now() - began) / 1000;
    const succeeded = outcomes.filter((outcome) => outcome === 'succeeded').length;
    // A full bucket of 20, and 20 a second after that.
    expect(succeeded).toBeLessThanOrEqual(20 + Math.ceil(20 * seconds));
    expect(succeeded).toBeGreaterThanOrEqual(19);
    expect(new Set(outcomes)).toEqual(new Set(['succeeded', 'rejected']));
  });

  it('refuses every run of a function whose reserved concurrency is 0', async () => {
    const { functions } = runAct({ ReservedConcurrentExecutions: 0 });
    expect(await functions.invoke(ACT, {})).toMatchObject({ errorType: 'TooManyRequestsException' });
  });

  it('serves queued invocations when a process dies', async () => {
    const { functions } = runAct({}, { concurrency: 1 });
    const [dead, alive] = await Promise.all([functions.invoke(ACT, { exit: 1 }), functions.invoke(ACT, {})]);
    expect(dead?.outcome).toBe('failed');
    expect(alive?.outcome).toBe('succeeded');
  });

  it('ends every process when it stops, and lets running invocations finish within the grace period', async () => {
    const { functions } = runAct();
    const pids = await twoProcesses(functions);
    const working = functions.invoke(ACT, { sleepMs: 100 });
    const stuck = functions.invoke(ACT, { sleepMs: 60_000 });
    await functions.stop(1_500);
    expect((await working).outcome).toBe('succeeded');
    expect((await stuck).outcome).toBe('failed');
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect((await functions.invoke(ACT, {})).outcome).toBe('rejected');
  });
});
