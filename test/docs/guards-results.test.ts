// The figures of docs/guards-results.md and docs/performance.md hold what guards promise.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const results = readFileSync('docs/guards-results.md', 'utf8');
const performance = readFileSync('docs/performance.md', 'utf8');

/** The cells of the first row that begins so. */
function cellsOf(page: string, ...first: readonly string[]): readonly string[] {
  const line = page.split('\n').find((one) => one.startsWith(`| ${first.join(' | ')} |`));
  return (line ?? '').split('|').map((cell) => cell.trim());
}

describe('guards in the process', () => {
  it.each(['email', 'card', 'iban', 'usSsn', 'ip'])('find %s, and nothing else', (name) => {
    const [, , , , recall, , precision] = cellsOf(results, `\`${name}\``, 'presidio-research');
    expect(Number(recall)).toBeGreaterThanOrEqual(0.99);
    expect(Number(precision)).toBeGreaterThanOrEqual(0.98);
  });

  it('find the secrets of both sets', () => {
    const [, , , ofGitleaks] = cellsOf(results, 'gitleaks: samples of its own rules');
    const [, , , ofSecretlint, , harmless] = cellsOf(results, 'secretlint: its recommended rules');
    expect(Number(ofGitleaks)).toBeGreaterThanOrEqual(0.98);
    expect(Number(ofSecretlint)).toBe(1);
    expect(harmless).toBe('0');
  });

  it('find hardly any phrase in prompts without an attack', () => {
    const [, found, of] = /^(\d+) of (\d+) prompts without an attack/m.exec(results) ?? [];
    expect(Number(found) / Number(of)).toBeLessThanOrEqual(0.005);
  });

  it.each(['email', 'card', 'iban', 'usSsn', 'ip', 'phone', 'nationalId', 'secrets', 'phrases'])(
    'raise hardly any false alarm on a set that nothing was tuned on: %s',
    (name) => {
      const section = results.slice(results.indexOf('## False alarms'));
      const [, , , wrong, unread, share] = cellsOf(section, `\`${name}\``);
      expect([Number(wrong) >= 0, unread]).toEqual([true, '0']);
      expect(Number(share)).toBeLessThanOrEqual(0.005);
    },
  );

  it.each([
    'CPU for 10 KB, p99, ms',
    'CPU for 100 KB, p99, ms',
    'pieces that wait before the first leaves, mean',
    'heap grown over 19,000 texts of 10 KB, KiB',
  ])('take no more than their goal: %s', (what) => {
    const [, , measured = '', goal] = cellsOf(performance, what);
    expect(Number(goal)).toBeGreaterThan(0);
    expect(Number.parseFloat(measured)).toBeLessThanOrEqual(Number(goal));
  });
});
