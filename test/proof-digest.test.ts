// Holds that the digest of a proof is about code: a better comment keeps a proof, and changed code makes it stale.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/temporary-folder.ts';

const { digestOfSources } = (await import(new URL('../.ci/sources.mjs', import.meta.url).href)) as {
  readonly digestOfSources: (path: string) => string;
};

const SOURCE = `// Adds a tenth.
import type { Amount } from './amount.ts';
import { round } from './round.ts';

export interface Options {
  readonly up: boolean;
}

/** With a tenth more. */
export function more(amount: Amount, options: Options = { up: true }): number {
  if (amount.value > 10_000) return 0;
  return round(amount.value * 1.1, options.up ? 'up' : 'down');
}
`;

const folder = temporaryFolder();

/** The digest of the source in which `from` reads `to`. */
function digestWith(from: string, to: string): string {
  expect(SOURCE).toContain(from);
  writeFileSync(join(folder, 'more.ts'), SOURCE.replace(from, to));
  return digestOfSources(folder);
}

const unchanged = digestWith('amount', 'amount');

describe('the digest of sources', () => {
  it.each([
    ['a reworded comment', '// Adds a tenth.', '// Adds ten percent to an amount.'],
    ['a docstring that goes', '/** With a tenth more. */\n', ''],
    ['a licence comment', '// Adds a tenth.', '/*! @license A tenth. */'],
    ['a type', 'readonly up: boolean', 'readonly up: true | false'],
    [
      'an import of types',
      "import type { Amount } from './amount.ts'",
      "import type { A as Amount } from './a.ts'",
    ],
    ['line breaks', "'down');\n}", "'down'\n  );\n\n}"],
    ['quotes', "'down'", '"down"'],
    ['needless parentheses', 'amount.value * 1.1', '(amount.value * 1.1)'],
    ['a trailing comma', "'down');", "'down',);"],
  ])('stays with %s', (_name, from, to) => {
    expect(digestWith(from, to)).toBe(unchanged);
  });

  it.each([
    ['operator', 'amount.value * 1.1', 'amount.value + 1.1'],
    ['comparison', '> 10_000', '>= 10_000'],
    ['number', '1.1', '1.2'],
    ['string', "'down'", "'Down'"],
    ['blank within a string', "'down'", "'down '"],
    ['default', 'up: true', 'up: false'],
    ['name', 'function more', 'function plus'],
    ['name of an argument', 'amount: Amount', 'sum: Amount'],
    ['import', './round.ts', './rounding.ts'],
    ['import that nothing uses', 'import { round }', 'import { floor, round }'],
    ['statement', '  if (amount.value > 10_000) return 0;\n', ''],
  ])('is another one with another %s', (_name, from, to) => {
    expect(digestWith(from, to)).not.toBe(unchanged);
  });

  it('is another one with another file of code below it, and the same with a file of types alone', () => {
    digestWith('amount', 'amount');
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'below/types.ts'), 'export type Amount = { readonly value: number };\n');
    expect(digestOfSources(folder)).toBe(unchanged);
    writeFileSync(join(folder, 'below/code.ts'), 'export const ONE = 1;\n');
    expect(digestOfSources(folder)).not.toBe(unchanged);
    rmSync(join(folder, 'below'), { recursive: true });
  });

  it('reads JSON by its members, and JSX', () => {
    writeFileSync(join(folder, 'data.json'), '{"a": [1, 2]}\n');
    const data = digestOfSources(join(folder, 'data.json'));
    writeFileSync(join(folder, 'data.json'), '{ "a": [\n  1,\n  2\n] }\n');
    expect(digestOfSources(join(folder, 'data.json'))).toBe(data);
    writeFileSync(join(folder, 'data.json'), '{"a": [2, 1]}\n');
    expect(digestOfSources(join(folder, 'data.json'))).not.toBe(data);

    writeFileSync(join(folder, 'part.tsx'), '// A line.\nexport const part = <p>one</p>;\n');
    const part = digestOfSources(join(folder, 'part.tsx'));
    writeFileSync(join(folder, 'part.tsx'), 'export const part = (\n  <p>one</p>\n);\n');
    expect(digestOfSources(join(folder, 'part.tsx'))).toBe(part);
    writeFileSync(join(folder, 'part.tsx'), 'export const part = <p>two</p>;\n');
    expect(digestOfSources(join(folder, 'part.tsx'))).not.toBe(part);
  });

  it('refuses a path without sources', () => {
    expect(() => digestOfSources(join(folder, 'none'))).toThrow('has no sources');
  });
});
