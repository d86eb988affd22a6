// The sample of a corpus: evenly spread, every row and every column, and all of it where the variable says so.
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The module reads the variable as it loads: another query is another module. */
async function load(variable: string | undefined): Promise<typeof import('./every-case.ts')> {
  vi.stubEnv('EVERY_CASE', variable);
  return import(new URL(`./every-case.ts?${variable}`, import.meta.url).href);
}

const TABLE = ['a', 'b', 'c', 'd', 'e'].flatMap((row) => [1, 2, 3, 4].map((column) => `${row}${column}`));

it('tries one of every few cases, of every row and column', async () => {
  const { someOf, strideOf } = await load(undefined);
  expect(someOf(TABLE, 3)).toEqual(['a1', 'a4', 'b3', 'c2', 'd1', 'd4', 'e3']);
  expect(strideOf(3)).toBe(3);
});

it('tries every case with EVERY_CASE', async () => {
  const { someOf, strideOf } = await load('1');
  expect(someOf(TABLE, 3)).toEqual(TABLE);
  expect(strideOf(3)).toBe(1);
});
