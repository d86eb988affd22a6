// Processes that are stopped or stuck, and a disk that is full: the runner goes on.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { InvokeResult } from '../../functions/index.ts';
import {
  functionArn,
  lambdaFunction,
  type RunningFunctions,
  runFunctions,
} from '../fixtures/http-template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let running: RunningFunctions | undefined;
const ARN = functionArn('act');

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

const start = (properties = {}, settings = {}): RunningFunctions => {
  running = runFunctions([lambdaFunction('act', 'index.act', properties)], settings);
  return running;
};

function pidOf(result: InvokeResult): number {
  if (result.outcome !== 'succeeded') throw new Error(JSON.stringify(result));
  return (JSON.parse(result.payload.toString()) as { pid: number }).pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a process that is stopped', () => {
  it.each(['while it runs', 'before its run'])(
    '%s until its timeout is replaced by another',
    async (when) => {
      const { functions } = start({ Timeout: 1 }, { concurrency: 1 });
      const pid = pidOf(await functions.invoke(ARN, {}));
      if (when === 'before its run') process.kill(pid, 'SIGSTOP');
      const run = functions.invoke(ARN, { sleepMs: 200 });
      process.kill(pid, 'SIGSTOP');
      expect(await run).toMatchObject({ outcome: 'failed' });
      expect(pidOf(await functions.invoke(ARN, {}))).not.toBe(pid);
      expect(isAlive(pid)).toBe(false);
    },
  );
});

describe('a process that is stuck', () => {
  it('is replaced for those who wait, long before its timeout', async () => {
    const { functions } = start({ Timeout: 30 }, { concurrency: 1, reliefAfterMs: 300 });
    const pid = pidOf(await functions.invoke(ARN, {}));
    process.kill(pid, 'SIGSTOP');
    void functions.invoke(ARN, {});
    const other = pidOf(await functions.invoke(ARN, {}));
    expect(other).not.toBe(pid);
    expect(pidOf(await functions.invoke(ARN, {}))).toBe(other);
    process.kill(pid, 'SIGKILL');
  });

  it('has at most one replacement for each place', async () => {
    const { functions } = start({ Timeout: 30 }, { concurrency: 1, queueWaitMs: 3_000, reliefAfterMs: 300 });
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => Promise.race([functions.invoke(ARN, { spin: true }), sleep(4_000)])),
    );
    expect(outcomes.filter((outcome) => outcome !== undefined)).toMatchObject([
      { outcome: 'rejected', errorType: 'TooManyRequestsException' },
    ]);
  });
});

describe('a disk that is full', () => {
  it('does not end the runner when it has something to log about a function', async () => {
    const logFolder = temporaryFolder();
    symlinkSync('/dev/full', join(logFolder, 'act.log'));
    const { functions, lines } = start({ Timeout: 1 }, { logFolder });
    expect(await functions.invoke(ARN, { spin: true })).toMatchObject({ outcome: 'failed' });
    expect(lines).toEqual([
      expect.stringMatching(/^act: .* Task timed out after 1.00 seconds$/),
      expect.stringMatching(/^act: its log cannot be written: ENOSPC/),
    ]);
    pidOf(await functions.invoke(ARN, {}));
  });
});
