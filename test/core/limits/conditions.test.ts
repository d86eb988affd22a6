// Limits for some callers alone: by a claim of their token, or by the end user that a key's back end names.
import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { counterKey, subjectHash } from '../../../core/limits/counter-key.ts';
import { limitError } from '../../../core/limits/denial.ts';
import { type LimitedRequest, planCounters } from '../../../core/limits/plan-counters.ts';
import { conditionId, renderCondition } from '../../../core/settings/access-schema.ts';
import { caller, limited, NOW } from './limited.ts';

const FREE = { claim: 'tier', is: ['free', 'trial'] };
const free = conditionId(FREE);
const perUser = { metric: 'requests', scope: 'user', limit: 5, period: '1m' } as const;
const total = { metric: 'requests', scope: 'total', limit: 7, period: '1m' } as const;

const plan = (parts: Partial<LimitedRequest>) => planCounters(limited(parts));
const withConditions = (...conditions: string[]) => ({ ...caller('ann'), conditions });

describe('the id of a condition', () => {
  it('is equal for equal conditions alone', () => {
    expect(free).toMatch(/^[0-9a-f]{16}$/);
    expect(conditionId({ claim: 'tier', is: ['trial', 'free', 'free'] })).toBe(free);
    const others = [
      { claim: 'tier', is: ['free'] },
      { claim: 'Tier', is: FREE.is },
      { claim: 'tier', is: ['free', 'trial', 'x'] },
      { claim: 'tie', is: ['r', 'free', 'trial'] },
    ];
    expect(new Set([free, ...others.map(conditionId)]).size).toBe(5);
  });

  it('is shown as words', () => {
    expect(renderCondition(FREE)).toBe('tier is free or trial');
  });
});

describe('a rule with a condition', () => {
  const conditional = { ...perUser, limit: 2, when: FREE };

  it('limits callers alone who fulfil it', () => {
    const rateLimits = [conditional];
    expect(plan({ rateLimits })).toEqual([]);
    expect(plan({ rateLimits, caller: withConditions() })).toEqual([]);
    expect(plan({ rateLimits, caller: withConditions('0123456789abcdef') })).toEqual([]);
    expect(plan({ rateLimits, caller: withConditions('x', free) })).toMatchObject([
      { when: FREE, scope: 'user' },
    ]);
  });

  it('has a counter of its own, beside that of all callers and of other conditions', () => {
    const other = { claim: 'plan', is: ['x'] };
    const rateLimits = [total, { ...total, limit: 3, when: FREE }, { ...total, limit: 4, when: other }];
    const counters = plan({ rateLimits, caller: withConditions(free, conditionId(other)) });
    expect(counters.map(({ limits, when }) => [limits[0]?.limit, when?.claim])).toEqual([
      [7, undefined],
      [3, 'tier'],
      [4, 'plan'],
    ]);
    const keys = counters.map(({ items }) => items[0]?.key);
    expect(new Set(keys).size).toBe(3);
    expect(keys[1]).toBe(
      counterKey(
        { ownerId: 'neu1', scope: 'total', period: '1m', subject: { kind: 'everyone' }, condition: free },
        NOW,
      ),
    );
    expect(subjectHash({ kind: 'everyone' }, free)).not.toBe(subjectHash({ kind: 'everyone' }));
    const parts = ['everyone', 'when', free].map((part) => `${part.length}:${part}`).join('');
    expect(subjectHash({ kind: 'everyone' }, free)).toBe(hash('sha256', parts, 'base64url'));
  });

  it('is sharded as any other', () => {
    const rateLimits = [{ ...total, limit: 9, when: FREE }];
    const [counter] = plan({ rateLimits, caller: withConditions(free), shards: 3 });
    expect(counter?.items.map(({ limits }) => limits[0]?.limit)).toEqual([3, 3, 3]);
  });

  it('names its condition to the operator', () => {
    const [counter] = plan({ rateLimits: [conditional], caller: withConditions(free) });
    const error = limitError(counter!, [], NOW);
    expect(error.reason).toBe('the user limit where tier is free or trial per 1m has no room');
  });
});

describe('the end users of a key', () => {
  const ofKey = (username: string | undefined, keyId = '0123456789ab') =>
    ({ authentication: 'apiKey', username, keyId, sourceIp: '::1' }) as const;
  const keyOf = (one: LimitedRequest['caller']) =>
    plan({ rateLimits: [perUser], caller: one })[0]?.items[0]?.key;

  it('are users of their own, whose names no other key and no token has', () => {
    const [ada, ben, none] = [
      ofKey('nrn_0123456789ab/ada'),
      ofKey('nrn_0123456789ab/ben'),
      ofKey(undefined),
    ].map(keyOf);
    expect(new Set([ada, ben, none]).size).toBe(3);
    const subject = { kind: 'username', name: 'nrn_0123456789ab/ada' } as const;
    expect(ada).toBe(counterKey({ ownerId: 'neu1', scope: 'user', period: '1m', subject }, NOW));
    // A name that is not of this key counts for nothing.
    for (const username of ['ada', 'nrn_0123456789ac/ada', 'nrn_0123456789ab', ''])
      expect(keyOf(ofKey(username))).toBe(none);
    expect(keyOf({ ...caller('ada') })).not.toBe(ada);
  });
});

describe('a limit of a key per minute', () => {
  const shop = { authentication: 'apiKey', username: undefined, keyId: 'key1', sourceIp: '::1' } as const;
  const minute = { metric: 'requests', limit: 2, period: 'minute' } as const;

  it('has the window of its minute, and is a rate', () => {
    const [counter] = plan({ caller: shop, takesKeys: true, keyLimits: [minute] });
    expect(counter).toMatchObject({
      scope: 'key',
      window: { startMs: Date.parse('2026-11-21T12:34:00Z'), endMs: Date.parse('2026-11-21T12:35:00Z') },
    });
    expect(limitError(counter!, [], NOW)).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 3_211,
      reason: 'the API key limit per minute has no room',
    });
    const [daily] = plan({ caller: shop, takesKeys: true, keyLimits: [{ ...minute, period: 'day' }] });
    expect(limitError(daily!, [], NOW).code).toBe('usage_limit_exceeded');
  });
});
