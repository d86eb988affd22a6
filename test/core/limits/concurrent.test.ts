// Runs at once: who is admitted, when a place is free again, and what a caller who finds none is told.
import { describe, expect, it } from 'vitest';
import { createExhaustionCache } from '../../../core/limits/exhaustion-cache.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import { end, start } from './concurrent.ts';
import {
  budgetOf,
  caller,
  countOf,
  errorOf,
  limited,
  NOW,
  type SpiedCounters,
  spyOnCounters,
} from './limited.ts';

const total = { metric: 'concurrent', scope: 'total', limit: 2 } as const;
const perUser = { metric: 'concurrent', scope: 'user', limit: 1 } as const;
const perIp = { metric: 'concurrent', scope: 'ip', limit: 1 } as const;
const ofOrganization = { metric: 'concurrent', limit: 1 } as const;

/** The lease of a run that arrives at 12:34:56.789 and may take a minute: 12:35:56.789, 5 s more, and up to the next 5 s. */
const LEASE_ENDS_AT = Date.parse('2026-11-21T12:36:05Z') / 1_000;

describe('a limit of runs at once', () => {
  it('takes a place by one write, which names when its lease ends, and frees it by another', async () => {
    const counters = spyOnCounters();
    const budget = await start(counters, { rateLimits: [total] }, NOW, { retentionMs: 3_600_000 });
    expect(counters.reserveRequests).toEqual([
      {
        key: expect.stringMatching(/^neu1#total#concurrent#.{43}$/),
        changes: [{ metric: 'concurrent', taken: 1, held: 1, limit: 2 }],
        atMs: NOW,
        expiresAt: LEASE_ENDS_AT + 3_600,
        lease: { endsAt: LEASE_ENDS_AT, ended: [] },
      },
    ]);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([1, 1]);
    expect(budget.close()).toEqual([
      {
        key: counters.reserveRequests[0]?.key,
        changes: [{ metric: 'concurrent', taken: -1, held: -1 }],
        lease: LEASE_ENDS_AT,
      },
    ]);
    await end(counters, budget);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([0, 0]);
    expect(counters.calls).toEqual(['reserve total', 'settle total']);
  });

  it('refuses one more than the limit, for a second, and admits it when one has ended', async () => {
    const counters = spyOnCounters();
    const first = await start(counters, { rateLimits: [total] });
    await start(counters, { rateLimits: [total] });
    expect(await errorOf(start(counters, { rateLimits: [total] }))).toEqual(['too_many_at_once', 1_000]);
    await end(counters, first);
    expect(await errorOf(start(counters, { rateLimits: [total] }))).toBe('none');
    expect(await errorOf(start(counters, { rateLimits: [total] }))).toEqual(['too_many_at_once', 1_000]);
  });

  it('keeps a place through every attempt of a run, and writes nothing for them', async () => {
    const counters = spyOnCounters();
    const budget = await start(counters, { rateLimits: [total] });
    (await budget.reserveAttempt({ tokens: 5, costMicrodollars: 1 })).settle({
      tokens: 5,
      costMicrodollars: 1,
    });
    await budget.reserveAttempt({ tokens: 5, costMicrodollars: 1 });
    expect(counters.calls).toEqual(['reserve total']);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([1, 1]);
  });

  it('counts users, addresses, neurons and organizations by themselves', async () => {
    const counters = spyOnCounters();
    const rateLimits = [perUser];
    await start(counters, { rateLimits });
    expect(await errorOf(start(counters, { rateLimits }))).toEqual(['too_many_at_once', 1_000]);
    expect(await errorOf(start(counters, { rateLimits, caller: caller('bob') }))).toBe('none');
    await start(counters, { rateLimits: [perIp] });
    expect(await errorOf(start(counters, { rateLimits: [perIp] }))).toEqual(['too_many_at_once', 1_000]);
    const elsewhere = { ...caller('ann'), sourceIp: '203.0.113.8' };
    expect(await errorOf(start(counters, { rateLimits: [perIp], caller: elsewhere }))).toBe('none');
    await start(counters, { usageLimits: [ofOrganization] });
    const other = { usageLimits: [ofOrganization], neuronId: 'neu2' };
    expect(await errorOf(start(counters, other))).toEqual(['too_many_at_once', 1_000]);
    expect(await errorOf(start(counters, { ...other, organizationId: 'org2' }))).toBe('none');
  });

  it('is asked in its place among the others, and frees what was taken before it', async () => {
    const counters = spyOnCounters();
    const requests = { metric: 'requests', scope: 'user', limit: 9, period: '1m' } as const;
    const monthly = { metric: 'requests', limit: 9, period: 'month' } as const;
    const request = { rateLimits: [total, requests, perUser], usageLimits: [monthly, ofOrganization] };
    await start(counters, request);
    const order = ['user', 'user', 'total', 'organization', 'organization'].map((one) => `reserve ${one}`);
    expect(counters.calls).toEqual(order);
    counters.calls.length = 0;
    expect(await errorOf(start(counters, { ...request, caller: caller('bob') }))).toEqual([
      'too_many_at_once',
      1_000,
    ]);
    expect(counters.calls).toEqual([
      ...order,
      ...order.slice(0, 4).map((one) => one.replace('reserve', 'settle')),
    ]);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([1, 1]);
  });

  it('tells the operator which limit, and the caller nothing', async () => {
    const counters = spyOnCounters();
    await start(counters, { usageLimits: [ofOrganization] });
    await expect(start(counters, { usageLimits: [ofOrganization] })).rejects.toMatchObject({
      code: 'too_many_at_once',
      reason: 'the organization limit of 1 runs at once is reached',
    });
  });

  it('shows no caller how many run', async () => {
    const counters = spyOnCounters();
    const budget = await start(counters, { rateLimits: [perUser, perIp] });
    expect(budget.rateLimit()).toBeUndefined();
  });

  it('is not remembered as exhausted', async () => {
    const counters = spyOnCounters();
    const context = { exhaustionCache: createExhaustionCache() };
    const first = await start(counters, { rateLimits: [perUser] }, NOW, context);
    await errorOf(start(counters, { rateLimits: [perUser] }, NOW, context));
    await end(counters, first);
    expect(await errorOf(start(counters, { rateLimits: [perUser] }, NOW, context))).toBe('none');
  });
});

describe('the default of a stage', () => {
  it('limits an organization that sets none of its own', async () => {
    const counters = spyOnCounters();
    const daily = { metric: 'requests', limit: 9, period: 'day' } as const;
    const request = { usageLimits: [daily], defaultConcurrency: 1 };
    await start(counters, request);
    expect(counters.calls).toEqual(['reserve organization', 'reserve organization']);
    expect(await errorOf(start(counters, request))).toEqual(['too_many_at_once', 1_000]);
  });

  it('gives way to a limit of the organization, whether larger or smaller', async () => {
    for (const limit of [1, 3]) {
      const counters = spyOnCounters();
      const request = { usageLimits: [{ ...ofOrganization, limit }], defaultConcurrency: 2 };
      for (let run = 0; run < limit; run += 1) await start(counters, request);
      expect(await errorOf(start(counters, request))).toEqual(['too_many_at_once', 1_000]);
      expect(counters.reserveRequests).toHaveLength(limit + 1);
    }
  });
});

describe('the place of a run that died', () => {
  const END = LEASE_ENDS_AT * 1_000;

  it('is free when its lease has ended, and not before', async () => {
    const counters = spyOnCounters();
    const rateLimits = [{ ...total, limit: 1 }];
    await start(counters, { rateLimits });
    expect(await errorOf(start(counters, { rateLimits }, END - 1))).toEqual(['too_many_at_once', 1_000]);
    expect(await errorOf(start(counters, { rateLimits }, END))).toBe('none');
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([1, 1]);
    expect(await errorOf(start(counters, { rateLimits }, END))).toEqual(['too_many_at_once', 1_000]);
  });

  it('costs a second write, and a read where the denied one returns no state', async () => {
    const counters = spyOnCounters();
    await start(counters, { rateLimits: [{ ...total, limit: 1 }] });
    await start(counters, { rateLimits: [{ ...total, limit: 1 }] }, END);
    expect(counters.calls).toEqual(['reserve total', 'reserve total', 'reserve total']);
    counters.calls.length = 0;
    counters.returnsStates = false;
    await start(counters, { rateLimits: [{ ...total, limit: 1 }] }, 2 * END - NOW);
    expect(counters.calls).toEqual(['reserve total', 'read total', 'reserve total']);
  });

  it('is given once: a run that ends after its lease frees nothing', async () => {
    const counters = spyOnCounters();
    const rateLimits = [{ ...total, limit: 1 }];
    const late = await start(counters, { rateLimits });
    await start(counters, { rateLimits }, END);
    await end(counters, late);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([1, 1]);
  });

  it('goes to one of those who see it at the same time, and the others look again', async () => {
    const counters = spyOnCounters();
    const rateLimits = [total];
    await start(counters, { rateLimits });
    await start(counters, { rateLimits });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => errorOf(start(counters, { rateLimits }, END))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(2);
    expect(countOf(counters.memory, 'total', 'concurrent')).toEqual([2, 2]);
  });

  it('is looked for three times at most', async () => {
    const counters = spyOnCounters();
    await start(counters, { rateLimits: [perUser] });
    const denied = await start(counters, { rateLimits: [{ ...perUser, limit: 2 }] });
    await end(counters, denied);
    // The state says that there is room, and the write is denied all the same.
    const stubborn: SpiedCounters = {
      ...counters,
      async reserve(request) {
        counters.calls.push('denied');
        const [key] = [...counters.memory.states.keys()];
        return { reserved: false, state: key === request.key ? EMPTY : undefined };
      },
    };
    counters.calls.length = 0;
    expect(await errorOf(start(stubborn, { rateLimits: [perUser] }))).toEqual(['too_many_at_once', 1_000]);
    expect(counters.calls).toEqual(['denied', 'denied', 'denied']);
  });

  it('is not known where the counter cannot be read', async () => {
    const counters = spyOnCounters();
    await start(counters, { rateLimits: [perUser] });
    counters.returnsStates = false;
    counters.failWith = (call) => (call.startsWith('read') ? new CounterFailure('unknown') : undefined);
    expect(await errorOf(start(counters, { rateLimits: [perUser] }, END))).toEqual([
      'too_many_at_once',
      1_000,
    ]);
  });
});

const EMPTY = { counts: {}, atMs: 0, leases: [] };

describe('a write of a place that fails', () => {
  it('counts as taken until its deadline when its outcome is unknown', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('unknown');
    const budget = budgetOf(limited({ rateLimits: [perUser] }), counters);
    expect(await errorOf(budget.admit(undefined))).toEqual(['dependency_unavailable', undefined]);
    expect(budget.close()).toEqual([]);
    expect(counters.calls).toEqual(['reserve user']);
  });

  it('is tried once more after a throttle', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => (counters.calls.length === 1 ? new CounterFailure('throttled') : undefined);
    expect(await errorOf(start(counters, { rateLimits: [perUser] }))).toBe('none');
    expect(counters.calls).toEqual(['reserve user', 'reserve user']);
  });

  it('lets the run go on without a place where counters may fail', async () => {
    const counters = spyOnCounters();
    counters.failWith = () => new CounterFailure('unknown');
    const budget = await start(counters, { rateLimits: [perUser] }, NOW, { failOpen: true });
    expect(budget.close()).toEqual([]);
  });
});
