// A function that is killed once a model was asked, at whatever step and by whatever: its entry can be restored, once.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withEntries, writeLog } from '../../../cli/logs/restore/restore-log.ts';
import { runWith } from '../../../cli/memory-ports.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

/** Everything between the model's call and the end, in order. */
const STEPS = ['model', 'line', 'complete', 'followers', 'settle', 'entry', 'cache', 'last use'] as const;
const CASES: readonly (readonly [
  step: string,
  how: 'signal' | 'heap',
  form: 'whole' | 'stream' | 'schema',
])[] = [
  ...STEPS.map((step) => [step, 'signal', 'whole'] as const),
  ['validate', 'signal', 'schema'],
  ['model', 'signal', 'stream'],
  ['line', 'signal', 'stream'],
  ['settle', 'signal', 'stream'],
  ['model', 'heap', 'whole'],
  ['validate', 'heap', 'schema'],
  ['line', 'heap', 'stream'],
];

/** What the function wrote before it was killed. */
async function outputOfKilled(...words: readonly string[]): Promise<string> {
  const child = join(import.meta.dirname, 'killed-child.ts');
  const { promise, resolve } = Promise.withResolvers<{ signal: unknown; stdout: string }>();
  const args = ['--max-old-space-size=64', '--no-warnings', child, ...words];
  execFile(process.execPath, args, { maxBuffer: 1e8 }, (error, stdout) =>
    resolve({ signal: error?.signal, stdout }),
  );
  const { signal, stdout } = await promise;
  expect(signal).toMatch(/^SIG(KILL|ABRT|TRAP)$/);
  return stdout;
}

/** The function has ended by then, whatever its deadline. */
const LATER_MS = Date.UTC(2026, 10, 24);

async function restore(stdout: string) {
  const ports = { ...(await withEntries()), clock: createMemoryClock(LATER_MS) };
  const words = ['logs', 'restore', writeLog(...stdout.trim().split('\n')), '--json'];
  const report = JSON.parse((await runWith(ports, words)).stdout);
  return { report, entry: await ports.logReader.find('call-1') };
}

describe.concurrent('killed after its model was asked', { timeout: 60_000 }, () => {
  it.each(CASES)('before its step "%s", by %s, %s: the call is in the log, once', async (step, how, form) => {
    const stdout = await outputOfKilled(step, how, form);
    const { report, entry } = await restore(stdout);
    expect(report).toMatchObject({ entries: 1, restored: 1, failed: 0 });
    const isPaid = entry?.modelCalls.length === 1 && entry.tokensInput + entry.tokensOutput > 0;
    expect(isPaid).toBe(true);
    expect(entry).toMatchObject({ restored: true, neuronId: 'hello', version: 'v1', keyId: 'key-1' });
    // Until its end is there, it failed, and took the most that its attempt can have used.
    const hasEnded = stdout.includes('"neuronEntry":1');
    expect(hasEnded).toBe(!['model', 'validate', 'line'].includes(step));
    expect(entry).toMatchObject(
      hasEnded
        ? { outcome: 'success' }
        : { outcome: 'failed', reason: expect.stringMatching(/^interrupted/), tokensOutput: 30 },
    );
  });
});

describe('a call from the cache, and one that was rejected', () => {
  it('have the line of their end alone', async () => {
    const { finish, openFunction } = await import('../served.ts');
    const { begin, duties, lines, tell } = openFunction();
    tell();
    await finish(await begin().served);
    duties.splice(0);
    await finish(await begin().served);
    await finish(await begin({ input: 5 as unknown as string }).served);
    expect(duties.filter((duty) => duty.endsWith('line'))).toEqual(['line', 'line']);
    expect(lines.at(-2)).toMatchObject({ cache: 'exact' });
  });
});
