// Which counters limit a request, in which order, which callers share one, and the key by which each is stored.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CounterIdentity,
  counterKey,
  type LimitSubject,
  shardKey,
  subjectHash,
} from '../../../core/limits/counter-key.ts';
import { type LimitedRequest, planCounters, shareOf } from '../../../core/limits/plan-counters.ts';
import { anyText } from '../../support/any-text.ts';
import { caller, limited, NOW } from './limited.ts';

/** `SCOPE PERIOD METRIC LIMIT…` of each counter. */
function planOf(parts: Partial<LimitedRequest>): string[] {
  return planCounters(limited(parts)).map(({ scope, period, limits }) =>
    [scope, period, ...limits.flatMap(({ metric, limit }) => [metric, limit])].join(' '),
  );
}

function keysOf(parts: Partial<LimitedRequest>): string[] {
  return planCounters(limited(parts)).flatMap(({ items }) => items.map(({ key }) => key));
}

const perUser = { metric: 'requests', scope: 'user', limit: 5, period: '1m' } as const;
const perIp = { metric: 'requests', scope: 'ip', limit: 6, period: '1m' } as const;
const total = { metric: 'requests', scope: 'total', limit: 7, period: '1m' } as const;
const monthly = { metric: 'cost', limit: 8, period: 'month' } as const;

describe('the counters of a request', () => {
  it('are none without rules', () => {
    expect(planOf({})).toEqual([]);
  });

  it('have the narrowest scope first, whatever the order of the rules', () => {
    expect(planOf({ rateLimits: [total, perIp, perUser], usageLimits: [monthly] })).toEqual([
      'user 1m requests 5',
      'ip 1m requests 6',
      'total 1m requests 7',
      'organization month cost 8',
    ]);
  });

  it('keep the order of the rules within a scope', () => {
    const hourly = { ...perUser, period: '1h', limit: 50 } as const;
    expect(planOf({ rateLimits: [hourly, perUser] })).toEqual(['user 1h requests 50', 'user 1m requests 5']);
    expect(planOf({ rateLimits: [perUser, hourly] })).toEqual(['user 1m requests 5', 'user 1h requests 50']);
  });

  it('are shared by all rules with the same scope and period', () => {
    const tokens = { metric: 'tokens', scope: 'user', limit: 900, period: '1m' } as const;
    const cost = { metric: 'cost', scope: 'user', limit: 70, period: '1m' } as const;
    expect(planOf({ rateLimits: [tokens, perUser, cost] })).toEqual([
      'user 1m tokens 900 requests 5 cost 70',
    ]);
  });

  it('have the smaller of two limits for one metric', () => {
    const larger = { ...perUser, limit: 50 };
    expect(planOf({ rateLimits: [larger, perUser] })).toEqual(['user 1m requests 5']);
    expect(planOf({ rateLimits: [perUser, larger] })).toEqual(['user 1m requests 5']);
  });

  it('keep their key when a limit changes', () => {
    const changed = { rateLimits: [{ ...perUser, limit: 500 }], usageLimits: [{ ...monthly, limit: 9 }] };
    expect(keysOf(changed)).toEqual(keysOf({ rateLimits: [perUser], usageLimits: [monthly] }));
  });

  it('belong to the organization for usage limits and to the neuron for rate limits', () => {
    const [user, organization] = keysOf({ rateLimits: [perUser], usageLimits: [monthly] });
    expect(user).toMatch(/^neu1#user#1m#.{43}#2026-11-21T12:34:00Z$/);
    expect(organization).toMatch(/^org1#organization#month#.{43}#2026-11-01T00:00:00Z$/);
  });

  it('have the window that contains the request’s time', () => {
    const [counter] = planCounters(limited({ rateLimits: [perUser] }));
    expect(counter?.window).toEqual({ startMs: NOW - 56_789, endMs: NOW + 3_211 });
  });
});

describe('who shares a counter', () => {
  const subjectOf = (who: LimitedRequest['caller'], rule: LimitedRequest['rateLimits'][number] = perUser) =>
    keysOf({ rateLimits: [rule], caller: who })[0]?.split('#')[3];

  it('counts users by username, whatever their address', () => {
    expect(subjectOf(caller('ann'))).toBe(subjectHash({ kind: 'username', name: 'ann' }));
    expect(subjectOf({ ...caller('ann'), sourceIp: '198.51.100.9' })).toBe(subjectOf(caller('ann')));
    expect(subjectOf(caller('Ann'))).not.toBe(subjectOf(caller('ann')));
  });

  it('counts API keys by key id', () => {
    const key = { ...caller(undefined), authentication: 'apiKey', keyId: 'key1' } as const;
    expect(subjectOf(key)).toBe(subjectHash({ kind: 'keyId', name: 'key1' }));
    expect(subjectOf(key)).not.toBe(subjectOf(caller('key1')));
  });

  it('counts all other callers together, so that no caller evades a user limit', () => {
    const unnamed = subjectHash({ kind: 'unnamed' });
    expect(subjectOf(caller(undefined))).toBe(unnamed);
    for (const authentication of ['public', 'referer', 'ip', 'apiKey'] as const) {
      expect(subjectOf({ ...caller('ann'), authentication })).toBe(unnamed);
    }
  });

  it('ignores a key id when the caller did not authenticate by key', () => {
    expect(subjectOf({ ...caller('ann'), keyId: 'key1' })).toBe(subjectOf(caller('ann')));
  });

  it('counts addresses whoever the caller is', () => {
    const address = subjectHash({ kind: 'address', name: '203.0.113.7' });
    expect(subjectOf(caller('ann'), perIp)).toBe(address);
    expect(subjectOf(caller('bob'), perIp)).toBe(address);
    expect(subjectOf({ ...caller('ann'), sourceIp: '203.0.113.8' }, perIp)).not.toBe(address);
  });

  it('counts everyone together for total', () => {
    expect(subjectOf(caller('ann'), total)).toBe(subjectHash({ kind: 'everyone' }));
    expect(subjectOf({ ...caller('bob'), sourceIp: '::1' }, total)).toBe(subjectHash({ kind: 'everyone' }));
  });
});

describe('shards', () => {
  const tokens = { metric: 'tokens', scope: 'total', limit: 900, period: '1m' } as const;

  it('split counters of total requests, and no others', () => {
    const rateLimits = [total, tokens, perUser, perIp];
    const counters = planCounters(limited({ rateLimits, usageLimits: [monthly], shards: 3 }));
    expect(counters.map(({ scope, items }) => [scope, items.map(({ limits }) => limits)])).toEqual([
      ['user', [[{ metric: 'requests', limit: 5 }]]],
      ['ip', [[{ metric: 'requests', limit: 6 }]]],
      [
        'total',
        [
          [{ metric: 'requests', limit: 3 }],
          [{ metric: 'requests', limit: 2 }],
          [{ metric: 'requests', limit: 2 }],
        ],
      ],
      ['total', [[{ metric: 'tokens', limit: 900 }]]],
      ['organization', [[{ metric: 'cost', limit: 8 }]]],
    ]);
  });

  it('have one key each', () => {
    const [base] = keysOf({ rateLimits: [tokens] });
    expect(keysOf({ rateLimits: [total], shards: 3 })).toEqual([`${base}#0`, `${base}#1`, `${base}#2`]);
    expect(keysOf({ rateLimits: [total], shards: 1 })).toEqual([base]);
  });

  it.each([
    [7, 3, [3, 2, 2]],
    [9, 3, [3, 3, 3]],
    [2, 4, [1, 1, 0, 0]],
    [1, 1, [1]],
  ])('split a limit of %i among %i', (limit, shards, shares) => {
    expect(shares.map((_, shard) => shareOf(limit, shard, shards))).toEqual(shares);
  });
});

const TIME = Date.parse('2026-11-21T12:34:56.789Z');
const everyone: CounterIdentity = {
  ownerId: 'neu1',
  scope: 'total',
  period: '1m',
  subject: { kind: 'everyone' },
};

const named = (name: string): LimitSubject => ({ kind: 'username', name });

describe('the key of a counter', () => {
  it('consists of owner, scope, period, subject hash and window start', () => {
    // printf '8:everyone' | openssl dgst -sha256 -binary | basenc --base64url
    expect(counterKey(everyone, TIME)).toBe(
      'neu1#total#1m#kzaxX6bSjEt84zx7YJp40Ralpdk9PZbUqp9a4YY8T4E#2026-11-21T12:34:00Z',
    );
  });

  it('has the digest of kind and name as stored counters have it', () => {
    // printf '7:address11:203.0.113.7' | openssl dgst -sha256 -binary | basenc --base64url
    expect(subjectHash({ kind: 'address', name: '203.0.113.7' })).toBe(
      'jPA3FR0SU9kqZNe9ZYQa6R6_W5wDcO152UmFHOiY2s8',
    );
  });

  it('ends with the shard', () => {
    expect(shardKey(counterKey(everyone, TIME), 3)).toBe(`${counterKey(everyone, TIME)}#3`);
    expect(shardKey(counterKey(everyone, TIME), 0)).toBe(`${counterKey(everyone, TIME)}#0`);
  });

  it.each([
    ['another owner', { ownerId: 'neu2' }],
    ['another scope', { scope: 'organization' }],
    ['another period', { period: '5m' }],
    ['another subject', { subject: named('ann') }],
  ] as const)('differs for %s', (_what, part) => {
    expect(counterKey({ ...everyone, ...part }, TIME)).not.toBe(counterKey(everyone, TIME));
  });

  it('is the same within a window and differs in the next', () => {
    const at = (time: string) => counterKey(everyone, Date.parse(time));
    expect(at('2026-11-21T12:34:00.000Z')).toBe(at('2026-11-21T12:34:59.999Z'));
    expect(at('2026-11-21T12:35:00.000Z')).not.toBe(at('2026-11-21T12:34:59.999Z'));
  });

  it('differs for the day of rate limits and that of usage limits', () => {
    const day = (period: '1d' | 'day') => counterKey({ ...everyone, period }, TIME);
    expect(day('1d')).not.toBe(day('day'));
  });
});

describe('the subject hash', () => {
  it.each([
    ['case', 'Ann', 'ann'],
    ['Unicode form', 'Zo\u00eb', 'Zoe\u0308'],
    ['width', 'ａnn', 'ann'],
    ['length', 'ann', 'ann '],
    ['a byte order mark', '\ufeffann', 'ann'],
    ['a dotless i', '\u0131', 'i'],
    ['a name that looks length-delimited', '3:ann', 'ann'],
    ['an empty name', '', ' '],
  ])('differs by %s', (_what, one, other) => {
    expect(subjectHash(named(one))).not.toBe(subjectHash(named(other)));
  });

  it('differs by kind for the same text as username, key id and address', () => {
    const kinds = (['username', 'keyId', 'address'] as const).map((kind) =>
      subjectHash({ kind, name: 'ann' }),
    );
    const all = [...kinds, subjectHash({ kind: 'unnamed' }), subjectHash({ kind: 'everyone' })];
    expect(new Set(all).size).toBe(5);
  });

  it('of a name never equals that of unnamed callers', () => {
    fc.assert(
      fc.property(anyText(300), (name) => {
        for (const kind of ['username', 'keyId', 'address'] as const) {
          expect(subjectHash({ kind, name })).not.toBe(subjectHash({ kind: 'unnamed' }));
        }
      }),
    );
  });

  it('is equal for equal names only', () => {
    const names = anyText(300);
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(subjectHash(named(one)) === subjectHash(named(other))).toBe(one === other);
      }),
    );
  });

  it('has the same length for the longest name', () => {
    expect(subjectHash(named('\u{1f600}'.repeat(256)))).toHaveLength(43);
  });
});
