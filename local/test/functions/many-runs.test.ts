// Functions on managed instances: several runs in one process, each with its own end, log lines and reader.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { functionArn, lambdaFunction } from '../fixtures/http-template.ts';
import { ACT, pidOf, runAct, runInTest } from '../fixtures/run-in-test.ts';
import { isRunning } from '../support/processes.ts';

const onInstances = (runsAtOnce?: number) => ({
  CapacityProviderConfig: {
    LambdaManagedInstancesCapacityProviderConfig: {
      CapacityProviderArn: 'arn:aws:lambda:eu-west-1:111122223333:capacity-provider:instances',
      ...(runsAtOnce === undefined ? {} : { PerExecutionEnvironmentMaxConcurrency: runsAtOnce }),
    },
  },
});

const runsOf = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a process that many runs share', () => {
  it('has 64 of them at once where the template names no number', async () => {
    const { functions } = runAct(onInstances(), { concurrency: 1, queueLength: 100 });
    await functions.invoke(ACT, {});
    const began = performance.now();
    const results = await Promise.all(runsOf(64).map(() => functions.invoke(ACT, { sleepMs: 500 })));
    // One after the other they would take half a minute.
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(new Set(results.map(pidOf)).size).toBe(1);
  });

  it('has no more than the template says, and another takes the rest', async () => {
    const { functions } = runAct(onInstances(3), { concurrency: 2 });
    // Long enough for the second process to start on a busy machine.
    const results = await Promise.all(runsOf(6).map(() => functions.invoke(ACT, { sleepMs: 2_000 })));
    const pids = results.map(pidOf);
    const counts = [...new Set(pids)].map((pid) => pids.filter((one) => one === pid).length);
    expect(counts).toEqual([3, 3]);
  });

  it('keeps those beyond all processes in the queue, in their order', async () => {
    const { functions } = runAct(onInstances(2), { concurrency: 1 });
    const ended: number[] = [];
    await Promise.all(
      runsOf(6).map(async (run) => {
        await functions.invoke(ACT, { sleepMs: 100 });
        ended.push(run);
      }),
    );
    expect(ended.map((run) => Math.floor(run / 2))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('ends a run at its timeout and lets the others finish, and takes no more', async () => {
    const { functions } = runAct({ ...onInstances(4), Timeout: 4 }, { concurrency: 2 });
    const pid = pidOf(await functions.invoke(ACT, {}));
    const stuck = functions.invoke(ACT, { sleepMs: 60_000 });
    // Goes on for a second after the other's timeout, and ends as long before its own.
    await sleep(2_000);
    const other = functions.invoke(ACT, { sleepMs: 3_000 });
    expect(await stuck).toMatchObject({ outcome: 'failed', error: { errorType: 'Sandbox.Timedout' } });
    const later = functions.invoke(ACT, {});
    expect(pidOf(await other)).toBe(pid);
    expect(pidOf(await later)).not.toBe(pid);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('fails all of them when it dies, and the next one gets a new process', async () => {
    const { functions } = runAct(onInstances(4));
    const pid = pidOf(await functions.invoke(ACT, {}));
    const [one, other] = await Promise.all([
      functions.invoke(ACT, { sleepMs: 60_000 }),
      functions.invoke(ACT, { sleepMs: 200, exit: undefined, kill: 'SIGKILL' }),
    ]);
    for (const result of [one, other])
      expect(result).toMatchObject({ outcome: 'failed', error: { errorType: 'Runtime.ExitError' } });
    expect(one.requestId).not.toBe(other.requestId);
    expect(JSON.stringify(one)).toContain(one.requestId);
    expect(pidOf(await functions.invoke(ACT, {}))).not.toBe(pid);
  });

  it('fails the one that throws, and no other', async () => {
    const { functions } = runAct(onInstances(4));
    const [waits, throws] = await Promise.all([
      functions.invoke(ACT, { sleepMs: 400 }),
      functions.invoke(ACT, { throws: 'mine' }),
    ]);
    expect(throws).toMatchObject({ outcome: 'failed', error: { errorMessage: 'mine' } });
    expect(waits.outcome).toBe('succeeded');
  });

  it('fails those whose promises never settle once nothing else is left to wait for', async () => {
    const { functions } = runAct(onInstances(4));
    const [never, waits] = await Promise.all([
      functions.invoke(ACT, { never: true }),
      functions.invoke(ACT, { sleepMs: 300 }),
    ]);
    expect(waits.outcome).toBe('succeeded');
    expect(never).toMatchObject({ outcome: 'failed', error: { errorType: 'Runtime.NodeJsExit' } });
  });

  it('writes the lines of each run with its own request id', async () => {
    const { functions, logFolder } = runAct({ ...onInstances(), LoggingConfig: { LogFormat: 'JSON' } });
    const results = await Promise.all(
      runsOf(8).map((run) => functions.invoke(ACT, { log: `run ${run}`, sleepMs: 20 * (8 - run) })),
    );
    const lines = readFileSync(join(logFolder, 'act.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"message":"run '))
      .map((line) => JSON.parse(line) as { message: string; requestId: string });
    expect(lines.length).toBe(8);
    for (const { message, requestId } of lines)
      expect(requestId).toBe(results[Number(message.slice('run '.length))]?.requestId);
  });

  it('holds the answer of a slow reader back, and no other', async () => {
    const { functions } = runInTest([lambdaFunction('flood', 'index.flood', onInstances())]);
    const flood = functionArn('flood');
    let held = 0;
    let resume: () => void = () => undefined;
    let isHeld = true;
    const slow = functions.invoke(
      flood,
      { body: '{"mebibytes":24}' },
      {
        onChunk: (bytes, go) => {
          held += bytes.length;
          resume = go;
          return !isHeld;
        },
      },
    );
    const quick = Promise.all(
      runsOf(3).map(async () => {
        let taken = 0;
        const onChunk = (bytes: Buffer) => {
          taken += bytes.length;
          return true;
        };
        await functions.invoke(flood, { body: '{"mebibytes":8}' }, { onChunk });
        return taken;
      }),
    );
    for (const taken of await quick) expect(taken).toBeGreaterThan(8 * 1024 * 1024);
    expect(held).toBeLessThan(8 * 1024 * 1024);
    isHeld = false;
    resume();
    expect((await slow).outcome).toBe('streamed');
    expect(held).toBeGreaterThan(24 * 1024 * 1024);
  });

  it('lets all of them finish when it is stopped', async () => {
    const { functions } = runAct(onInstances());
    const pid = pidOf(await functions.invoke(ACT, {}));
    const runs = runsOf(5).map((run) => functions.invoke(ACT, { sleepMs: 100 * run }));
    await sleep(50);
    await functions.stop(5_000);
    for (const result of await Promise.all(runs)) expect(pidOf(result)).toBe(pid);
    expect(isRunning(pid)).toBe(false);
  });
});
