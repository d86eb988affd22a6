// The table of what guards must hold names tests that exist, and every requirement once.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/guards-requirements.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => /^\| \d+ \|/.test(line));
const named = rows.flatMap((row) => [...row.matchAll(/`(test\/\S+) › ([^`]+)`/g)]);

describe('the requirements of guards', () => {
  it('are 53, in order', () => {
    const numbers = rows.map((row) => Number(/^\| (\d+)/.exec(row)?.[1]));
    expect(numbers).toEqual(Array.from({ length: 53 }, (_, index) => index + 1));
  });

  it('each name a test, or another requirement', () => {
    const held = /`test\/|as \d+/;
    expect(rows.filter((row) => !held.test(row))).toEqual([]);
  });

  it.each(named.map(([, file = '', title = '']) => [file, title]))('%s has the test %s', (file, title) => {
    const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
    expect(source).toContain(`'${title}'`);
  });
});
