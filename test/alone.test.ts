// Tests that ask for the loopback hook run alone: adapters read it once, when the first file of a process loads them.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ALONE, LONG, WHOLE_RUNS } from '../vitest.config.ts';

const ROOT = join(import.meta.dirname, '..');
const SETS_HOOK = /Object\.assign\(globalThis, \{ \[Symbol\.for\('neuron\.loopback'\)\]/;
const ELSEWHERE = [...LONG, ...WHOLE_RUNS, 'test/e2e/**', 'test/faults/**', 'test/concurrency/**'];

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');

/** True for a file that sets the hook, or a module of tests that it imports, however deep. */
function asksForHook(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = textOf(file);
  if (SETS_HOOK.test(text)) return true;
  const imported = [...text.matchAll(/^(?:import|export|\}).* from '(\.{1,2}\/[^']+\.ts)'/gm)].map(
    ([, path = '']) => relative(ROOT, join(ROOT, dirname(file), path)),
  );
  return imported.some(
    (one) => one.startsWith('test/') && existsSync(join(ROOT, one)) && asksForHook(one, seen),
  );
}

it('each of them', () => {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).filter(
    (file) => !ELSEWHERE.some((glob) => matchesGlob(file, glob)),
  );
  const asking = files.filter((file) => asksForHook(file));
  expect(asking.length).toBeGreaterThan(10);
  expect(asking.filter((file) => !ALONE.some((glob) => matchesGlob(file, glob)))).toEqual([]);
});
