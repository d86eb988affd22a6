// The page of attacks: of the proofs that are there, with tests that are there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../source-tree.ts';
import { HELD, PAGE, renderPage } from './write-attacks.ts';

describe('the page of attacks', () => {
  it('is of the proofs and tests that are there; `npm run build:attacks` writes it', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(renderPage());
  });

  it.each(HELD.map(({ file, title }) => [file, title]))('names %s, which has the test %s', (file, title) => {
    expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`'${title}'`);
  });

  it('names commands of the package, and test files, that are there', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const commands = [...renderPage().matchAll(/npm run ([a-z:0-9]+)/g)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});
