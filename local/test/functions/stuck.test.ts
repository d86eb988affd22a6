// Processes that are stopped or stuck, and a disk that is full: the runner goes on.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ACT, pidOf, runAct } from '../fixtures/run-in-test.ts';
import { isRunning } from '../support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('a process that is stopped', () => {
  it.each(['while it runs', 'before its run'])(
    '%s until its timeout is replaced by another',
    async (when) => {
      const { functions } = runAct({ Timeout: 1 }, { concurrency: 1 });
      const pid = pidOf(await functions.invoke(ACT, {}));
      if (when === 'before its run') process.kill(pid, 'SIGSTOP');
      const run = functions.invoke(ACT, { sleepMs: 200 });
      process.kill(pid, 'SIGSTOP');
      expect(await run).toMatchObject({ outcome: 'failed' });
      expect(pidOf(await functions.invoke(ACT, {}))).not.toBe(pid);
      expect(isRunning(pid)).toBe(false);
    },
  );
});

describe('a process that is stuck', () => {
  it('is replaced for those who wait, long before its timeout', async () => {
    const { functions } = runAct({ Timeout: 30 }, { concurrency: 1, reliefAfterMs: 300 });
    const pid = pidOf(await functions.invoke(ACT, {}));
    process.kill(pid, 'SIGSTOP');
    void functions.invoke(ACT, {});
    const other = pidOf(await functions.invoke(ACT, {}));
    expect(other).not.toBe(pid);
    expect(pidOf(await functions.invoke(ACT, {}))).toBe(other);
    process.kill(pid, 'SIGKILL');
  });

  it('has at most one replacement for each place', async () => {
    const { functions } = runAct({ Timeout: 30 }, { concurrency: 1, queueWaitMs: 1_500, reliefAfterMs: 300 });
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => Promise.race([functions.invoke(ACT, { spin: true }), sleep(2_200)])),
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
    const { functions, lines } = runAct({ Timeout: 1 }, { logFolder });
    expect(await functions.invoke(ACT, { spin: true })).toMatchObject({ outcome: 'failed' });
    expect(lines).toEqual([
      expect.stringMatching(/^act: .* Task timed out after 1.00 seconds$/),
      expect.stringMatching(/^act: its log cannot be written: ENOSPC/),
    ]);
    pidOf(await functions.invoke(ACT, {}));
  });
});
