// No value that guards took out is in the memory of a warm function when another request has been served.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const CHILD = join(import.meta.dirname, 'heap-child.ts');
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--expose-gc', CHILD, ...args]).then(({ stdout }) =>
    JSON.parse(stdout),
  );

// A snapshot of the heap takes seconds on a machine that does other things.
const SLOW_MS = 90_000;

it('holds no value of earlier requests', { timeout: SLOW_MS }, async () => {
  expect(await run()).toEqual({ counts: [0, 0, 0], answered: 6, held: 0 });
});

it('is looked into in a way that finds one', { timeout: SLOW_MS }, async () => {
  const { counts } = await run('--held');
  expect(counts[0]).toBeGreaterThan(0);
});
