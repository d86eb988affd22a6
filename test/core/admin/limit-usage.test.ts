// What operators see of limits: each rule with its use, per user or address only for the one in the query. Nothing is written.
import { describe, expect, it } from 'vitest';
import {
  type LimitUsageQuery,
  type LimitUsageSubject,
  readLimitUsage,
} from '../../../core/admin/limit-usage.ts';
import { conditionId } from '../../../core/settings/access-schema.ts';
import { budgetOf, limited, NOW, spyOnCounters } from '../limits/limited.ts';

const perUser = { metric: 'requests', scope: 'user', limit: 5, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 6, period: '1h' } as const;
const total = { metric: 'requests', scope: 'total', limit: 7, period: '1h' } as const;
const tokens = { metric: 'tokens', scope: 'total', limit: 900, period: '1h' } as const;
const monthly = { metric: 'cost', limit: 80, period: 'month' } as const;
const rateLimits = [perUser, perIp, total, tokens];
const ofKey = { authentication: 'apiKey', username: undefined, keyId: 'key1', sourceIp: '::1' } as const;

/** Ann calls twice from 203.0.113.7 and a key once from ::1; one run is over, two hold 100 tokens and 3 microdollars each. */
async function setUp() {
  const counters = spyOnCounters();
  for (const { caller, isOver } of [
    { caller: limited().caller, isOver: true },
    { caller: limited().caller, isOver: false },
    { caller: ofKey, isOver: false },
  ]) {
    const request = limited({ rateLimits, usageLimits: [monthly], caller, shards: 3 });
    const budget = budgetOf(request, counters, { random: { fraction: () => (isOver ? 0 : 0.9) } });
    await budget.admit({ tokens: 100, costMicrodollars: 3 });
    if (!isOver) continue;
    (await budget.reserveAttempt({ tokens: 100, costMicrodollars: 3 })).settle({
      tokens: 40,
      costMicrodollars: 2,
    });
    for (const settlement of budget.close()) await counters.settle(settlement);
  }
  counters.calls.length = 0;
  return counters;
}

const queryFor = (subject: LimitUsageSubject): LimitUsageQuery => ({
  neuronId: 'neu1',
  organizationId: 'org1',
  timeMs: NOW,
  shards: 3,
  rateLimits,
  usageLimits: [monthly],
  defaultConcurrency: undefined,
  keyLimits: [],
  subject,
});

async function usedBy(subject: LimitUsageSubject) {
  const rows = await readLimitUsage(queryFor(subject), await setUp());
  return rows.map(({ metric, scope, used, held }) => `${scope} ${metric} ${used} ${held}`);
}

const EVERYONES = ['total requests 3 0', 'total tokens 40 200', 'organization cost 2 6'];

describe('rules for some callers', () => {
  it('have their own use, and their condition', async () => {
    const when = { claim: 'tier', is: ['free'] };
    const conditional = { ...total, when };
    const counters = spyOnCounters();
    const caller = { ...limited().caller, conditions: [conditionId(when)] };
    await budgetOf(limited({ rateLimits: [conditional], caller, shards: 3 }), counters).admit(undefined);
    const query = { ...queryFor({}), rateLimits: [total, conditional], usageLimits: [] };
    const rows = await readLimitUsage(query, counters);
    expect(rows.map(({ used, when: of }) => [used, of?.claim])).toEqual([
      [0, undefined],
      [1, 'tier'],
    ]);
    expect(rows[0]).not.toHaveProperty('when');
  });

  it('are found for an end user by its name alone', async () => {
    const counters = spyOnCounters();
    const username = 'nrn_0123456789ab/ada';
    const caller = { ...ofKey, keyId: '0123456789ab', username };
    await budgetOf(limited({ rateLimits: [perUser], caller }), counters).admit(undefined);
    const usedFor = async (subject: LimitUsageSubject) =>
      (await readLimitUsage({ ...queryFor(subject), rateLimits: [perUser] }, counters))[0]?.used;
    expect(await usedFor({ username })).toBe(1);
    expect(await usedFor({ keyId: '0123456789ab' })).toBe(0);
    expect(await usedFor({ username: 'nrn_0123456789ac/ada' })).toBe(0);
  });
});

describe('the use of limits', () => {
  it('has each rule with its limit and the end of its window, in the order of reservation', async () => {
    const counters = await setUp();
    const rows = await readLimitUsage(queryFor({ username: 'ann', sourceIp: '::1' }), counters);
    const HOUR_END = Date.parse('2026-11-21T13:00:00Z');
    expect(rows).toEqual([
      { ...perUser, used: 2, held: 0, resetsAtMs: Date.parse('2026-11-21T12:35:00Z') },
      { ...perIp, used: 1, held: 0, resetsAtMs: HOUR_END },
      { ...total, used: 3, held: 0, resetsAtMs: HOUR_END },
      { ...tokens, used: 40, held: 200, resetsAtMs: HOUR_END },
      { ...monthly, scope: 'organization', used: 2, held: 6, resetsAtMs: Date.parse('2026-12-01T00:00:00Z') },
    ]);
  });

  it('takes one read and no write', async () => {
    const counters = await setUp();
    await readLimitUsage(queryFor({}), counters);
    expect(counters.calls).toEqual(['read total/0 total/1 total/2 total organization']);
  });

  it.each<[string, LimitUsageSubject, string, string]>([
    ['no user and no address', {}, 'user requests undefined undefined', 'ip requests undefined undefined'],
    ['a user', { username: 'ann' }, 'user requests 2 0', 'ip requests undefined undefined'],
    ['an API key', { keyId: 'key1' }, 'user requests 1 0', 'ip requests undefined undefined'],
    ['an address', { sourceIp: '203.0.113.7' }, 'user requests undefined undefined', 'ip requests 2 0'],
    [
      'a key beside an address',
      { keyId: 'key1', sourceIp: '203.0.113.7' },
      'user requests 1 0',
      'ip requests 2 0',
    ],
    ['a user who never called', { username: 'bob', sourceIp: '::2' }, 'user requests 0 0', 'ip requests 0 0'],
  ])('is that of %s, and of everyone', async (_who, subject, ofUser, ofIp) => {
    expect(await usedBy(subject)).toEqual([ofUser, ofIp, ...EVERYONES]);
  });

  it('counts runs at once as they are now, without those that died', async () => {
    const counters = spyOnCounters();
    const rule = { metric: 'concurrent', scope: 'total', limit: 5 } as const;
    for (const runEndsAtMs of [NOW + 1_000, NOW + 60_000, NOW + 60_000]) {
      await budgetOf(limited({ rateLimits: [rule], runEndsAtMs }), counters).admit(undefined);
    }
    const query = { ...queryFor({}), rateLimits: [rule], usageLimits: [] };
    const row = { ...rule, period: undefined, held: 0, resetsAtMs: undefined };
    expect(await readLimitUsage(query, counters)).toEqual([{ ...row, used: 3 }]);
    expect(await readLimitUsage({ ...query, timeMs: NOW + 15_000 }, counters)).toEqual([{ ...row, used: 2 }]);
    expect(await readLimitUsage(query, spyOnCounters())).toEqual([{ ...row, used: 0 }]);
  });

  it('has the stage’s default for an organization without one of its own', async () => {
    const query = { ...queryFor({}), rateLimits: [], usageLimits: [], defaultConcurrency: 7 };
    expect(await readLimitUsage(query, spyOnCounters())).toEqual([
      {
        ...{ metric: 'concurrent', scope: 'organization', limit: 7, used: 0, held: 0 },
        ...{ period: undefined, resetsAtMs: undefined },
      },
    ]);
  });

  it('has the limits of a key', async () => {
    const counters = spyOnCounters();
    const keyLimits = [{ metric: 'requests', limit: 9, period: 'day' }] as const;
    await budgetOf(limited({ caller: ofKey, keyLimits }), counters).admit(undefined);
    const query = { ...queryFor({ keyId: 'key1' }), rateLimits: [], usageLimits: [], keyLimits };
    expect(await readLimitUsage(query, counters)).toEqual([
      { ...keyLimits[0], scope: 'key', used: 1, held: 0, resetsAtMs: Date.parse('2026-11-22T00:00:00Z') },
    ]);
  });
});
