// The archive function: which day it writes, what it says, and for how long objects are locked.
import { describe, expect, it } from 'vitest';
import { parseLock, renderLock } from '../../../core/contract/archive-lock.ts';
import { archive, chooseDay } from '../../../lambdas/archive/archive.ts';

const NOW_MS = Date.parse('2026-11-28T01:00:00Z');
const DAY_MS = 86_400_000;

describe('the day', () => {
  it.each([
    [{}, '2026-11-27'],
    [{ source: 'aws.events', time: '2026-11-28T01:00:00Z' }, '2026-11-27'],
    [{ day: '2026-02-28' }, '2026-02-28'],
    [null, '2026-11-27'],
  ])('of the event %j is %s', (event, day) => {
    expect(chooseDay(event, NOW_MS)).toBe(day);
  });

  it.each(['2026-11-28', '2027-01-01', '2026-02-30', 'yesterday', '../x', 7, null])('is never %j', (day) => {
    expect(() => chooseDay({ day }, NOW_MS)).toThrow('must be a day that has ended');
  });
});

describe('the lock', () => {
  const organizations = { acme: 3_650 * DAY_MS, beta: 90 * DAY_MS };
  const choose = parseLock(renderLock({ mode: 'compliance', retention: 400 * DAY_MS, organizations }));

  it.each([
    [['acme'], 3_650],
    [['beta'], 90],
    [['gamma'], 400],
    [['beta', 'gamma'], 400],
    [['beta', 'acme'], 3_650],
    [[], 400],
  ])('of entries of %j is for %i days', (slugs, days) => {
    expect(choose?.(new Set(slugs), NOW_MS)).toEqual({ mode: 'COMPLIANCE', untilMs: NOW_MS + days * DAY_MS });
  });

  it('is for whole days, never for less than was set', () => {
    expect(renderLock({ mode: 'governance', retention: 25 * 3_600_000 })).toBe('GOVERNANCE 2');
  });

  it.each([
    '',
    'NONE 1',
    'GOVERNANCE',
    'GOVERNANCE 0',
    'GOVERNANCE 1 acme',
    'GOVERNANCE 1 acme=0',
    'GOVERNANCE 1 acme=1,',
    'governance 1',
  ])('is not guessed from %j', (text) => {
    expect(parseLock(text)).toBeUndefined();
  });
});

it('says how much was archived, once the manifest is there', async () => {
  const done: string[] = [];
  const ports = {
    async *chains() {},
    async *seals() {},
    find: async () => [],
    put: async (name: string) => void done.push(name),
    nowMs: () => NOW_MS,
    lines: { write: (line: string) => void done.push(line) },
  };
  await archive('2026-11-27', ports);
  expect(done).toEqual([
    'days/2026-11-27.json',
    '{"neuronArchived":"2026-11-27","chains":0,"seals":0,"entries":0,"gone":0}',
  ]);
});

it('says nothing where an object could not be put, and throws, so that Lambda tries again', async () => {
  const lines: string[] = [];
  const ports = {
    async *chains() {},
    async *seals() {},
    find: async () => [],
    put: async () => {
      throw new Error('the bucket audit answered 403');
    },
    nowMs: () => NOW_MS,
    lines: { write: (line: string) => void lines.push(line) },
  };
  await expect(archive('2026-11-27', ports)).rejects.toThrow('answered 403');
  expect(lines).toEqual([]);
});
