// Nothing of what services were shown is in the memory of a warm function when another request has been served: no text, no placeholder, no secret.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const CHILD = join(import.meta.dirname, 'heap-services-child.ts');
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['--expose-gc', CHILD, ...args]).then(({ stdout }) =>
    JSON.parse(stdout),
  );

// A snapshot of the heap takes seconds on a machine that does other things.
const SLOW_MS = 90_000;

it('holds nothing of earlier requests', { timeout: SLOW_MS }, async () => {
  const { masked, ...counts } = await run();
  expect(masked).toBeGreaterThan(3);
  expect(counts).toEqual({ names: 0, secrets: 0, found: 0, answered: 3, held: 0 });
});

it('is looked into in a way that finds each of them', { timeout: SLOW_MS }, async () => {
  const { names, secrets, found, masked } = await run('--held');
  expect([names > 0, secrets > 0, found]).toEqual([true, true, masked]);
});
