// The goals of docs/performance.md are those of bench/goals.ts, with the figures of bench/results.json.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { goalsTable, type Results } from '../../bench/goals.ts';

const results: Results = JSON.parse(readFileSync('bench/results.json', 'utf8'));
const rowOf = (figures: Results, what: string) =>
  goalsTable(figures)
    .split('\n')
    .find((line) => line.startsWith(`| ${what} |`));

describe('the goals of performance', () => {
  it('stand on the page with the figures of the last run', () => {
    expect(readFileSync('docs/performance.md', 'utf8')).toContain(goalsTable(results));
  });

  it('are missed on either side of a bound, and met on it', () => {
    const [ours] = results.gateways;
    const withRate = (perSecond: number): Results => ({
      ...results,
      gateways: [{ name: 'ours', rounds: [{ ...ours!.rounds[0]!, perSecond }] }],
    });
    expect(rowOf(withRate(399), 'calls a second, 32 callers')).toMatch(/ 399 \| at least 400 \| missed \|$/);
    expect(rowOf(withRate(400), 'calls a second, 32 callers')).toMatch(/ met \|$/);
    const own = (p99: number): Results => ({ ...results, own: [{ ...results.own[0]!, p99 }] });
    expect(rowOf(own(1.5), 'own CPU of a call, p99, ms')).toMatch(/ met \|$/);
    expect(rowOf(own(1.51), 'own CPU of a call, p99, ms')).toMatch(/ missed \|$/);
  });

  it('come with the missed ones first, and say which were not measured', () => {
    const verdicts = goalsTable({ ...results, tokens: [] })
      .split('\n')
      .slice(2)
      .map((line) => line.split('|').at(-2)?.trim());
    const firsts = ['missed', 'not measured', 'met'].map((verdict) => verdicts.indexOf(verdict));
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
    expect(firsts[1]).toBeGreaterThan(0);
  });
});
