// What a report adds up of finds: requests once, blocked and would-be blocked ones, and days; and where it stops reading.
import { describe, expect, it } from 'vitest';
import { reportGuards } from '../../../../core/admin/guards/report.ts';
import type { LoggedGuard } from '../../../../core/contract/log-entry.ts';
import type { GuardedEntries, GuardedEntry, GuardedPart } from '../../../../core/ports/guarded-entries.ts';

const DAY_MS = 86_400_000;
const FROM_MS = Date.UTC(2026, 10, 20);
const QUERY = { organizationId: 'org-1', fromMs: FROM_MS, toMs: FROM_MS + 2 * DAY_MS };

const found = (changes: Partial<LoggedGuard> = {}): LoggedGuard => ({
  guard: 'pii',
  type: 'pii',
  stage: 'input',
  message: 0,
  action: 'redact',
  finds: [{ type: 'email', count: 1 }],
  ...changes,
});

const entry = (guards: readonly LoggedGuard[], changes: Partial<GuardedEntry> = {}): GuardedEntry => ({
  timeMs: FROM_MS,
  neuron: 'support',
  outcome: 'success',
  count: 1,
  guards,
  ...changes,
});

const partsOf = (...parts: readonly GuardedPart[]): GuardedEntries => ({
  async *parts() {
    yield* parts;
  },
});

const reportOf = (entries: readonly GuardedEntry[], guard?: string) =>
  reportGuards(partsOf({ fromMs: FROM_MS, scanned: 10, entries }), QUERY, { guard, maxRead: 100 });

describe('a report of guards', () => {
  it('is empty where nothing was found', async () => {
    expect(await reportOf([])).toEqual({
      fromMs: FROM_MS,
      complete: true,
      read: 10,
      requests: 0,
      guards: [],
      days: [],
    });
  });

  it('counts a request once, with the finds of all its turns, the more frequent kinds first', async () => {
    const { requests, guards } = await reportOf([
      entry([
        found(),
        found({
          message: 2,
          finds: [
            { type: 'card', count: 3 },
            { type: 'email', count: 1 },
          ],
        }),
      ]),
      entry([found()]),
    ]);
    expect(requests).toBe(2);
    expect(guards).toEqual([
      {
        neuron: 'support',
        guard: 'pii',
        type: 'pii',
        stage: 'input',
        action: 'redact',
        requests: 2,
        blocked: 0,
        wouldBlock: 0,
        finds: [
          { type: 'email', count: 3 },
          { type: 'card', count: 3 },
        ],
      },
    ]);
  });

  it('tells requests that a guard ended from those that one which flags would have ended', async () => {
    const { guards, days } = await reportOf([
      entry([found({ action: 'block' })], { outcome: 'refused' }),
      entry([found({ action: 'block' })], { outcome: 'stopped' }),
      // A hit of the cache that the guard stopped: the run went on.
      entry([found({ action: 'block' })]),
      // Another, whose run then failed for another reason.
      entry([found({ action: 'block' })], { outcome: 'failed' }),
      entry([found({ action: 'flag' })]),
      entry([found({ action: 'flag' }), found({ guard: 'words', action: 'block' })], { outcome: 'refused' }),
    ]);
    const sums = guards.map(({ guard, action, requests, blocked, wouldBlock }) => ({
      [`${guard} ${action}`]: { requests, blocked, wouldBlock },
    }));
    expect(sums).toEqual([
      { 'pii block': { requests: 4, blocked: 2, wouldBlock: 0 } },
      { 'pii flag': { requests: 2, blocked: 0, wouldBlock: 1 } },
      { 'words block': { requests: 1, blocked: 1, wouldBlock: 0 } },
    ]);
    expect(days).toEqual([{ day: '2026-11-20', requests: 6, blocked: 3, flagged: 2 }]);
  });

  it('keeps neurons, stages and days apart, and counts an entry that stands for many requests as many', async () => {
    const { requests, guards, days } = await reportOf([
      entry([found()], { timeMs: FROM_MS + DAY_MS, count: 40 }),
      entry([found()], { neuron: 'other' }),
      entry([found({ stage: 'output' })]),
    ]);
    expect(requests).toBe(42);
    expect(guards.map((one) => `${one.neuron} ${one.stage} ${one.requests}`)).toEqual([
      'support input 40',
      'other input 1',
      'support output 1',
    ]);
    expect(days.map(({ day, requests: sum }) => `${day} ${sum}`)).toEqual(['2026-11-20 2', '2026-11-21 40']);
  });

  it('counts nothing where somebody put an entry without numbers', async () => {
    const forged = found({ finds: [{ type: '__proto__', count: Number.NaN }] });
    const { requests, guards } = await reportOf([entry([forged], { count: Number.NaN })]);
    expect([requests, guards[0]?.requests, guards[0]?.finds]).toEqual([
      0,
      0,
      [{ type: '__proto__', count: 0 }],
    ]);
  });

  it('can be of one guard', async () => {
    const { requests, guards } = await reportOf(
      [entry([found()]), entry([found({ guard: 'words' })])],
      'words',
    );
    expect(requests).toBe(1);
    expect(guards.map(({ guard }) => guard)).toEqual(['words']);
  });

  it('stops where it has read enough, and says from where on it is whole', async () => {
    const parts = partsOf(
      { fromMs: FROM_MS + DAY_MS, scanned: 60, entries: [entry([found()])] },
      { fromMs: FROM_MS + DAY_MS / 2, scanned: 60, entries: [entry([found()])] },
      { fromMs: FROM_MS, scanned: 60, entries: [entry([found()])] },
    );
    const { fromMs, complete, read, requests } = await reportGuards(parts, QUERY, { maxRead: 100 });
    expect({ fromMs, complete, read, requests }).toEqual({
      fromMs: FROM_MS + DAY_MS / 2,
      complete: false,
      read: 120,
      requests: 2,
    });
    const all = await reportGuards(parts, QUERY, { maxRead: 180 });
    expect([all.complete, all.fromMs, all.requests]).toEqual([true, FROM_MS, 3]);
  });
});
