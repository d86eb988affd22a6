// The difference between what a counter has recorded for a run and what it should record.
import { describe, expect, it } from 'vitest';
import {
  increasesTo,
  openAccounts,
  recordIncreases,
  toLeaseRemoval,
  toSettlement,
  updateSnapshot,
} from '../../../core/limits/account.ts';
import { type Amounts, addToBalance, type Balance, EMPTY_BALANCE } from '../../../core/limits/balance.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import { limited } from './limited.ts';

const NO: Amounts = { requests: 0, tokens: 0, cost: 0, concurrent: 0 };
const rules = [
  { metric: 'requests', scope: 'user', limit: 5, period: '1m' },
  { metric: 'tokens', scope: 'user', limit: 100, period: '1m' },
] as const;

function open(recorded: Balance = EMPTY_BALANCE) {
  const [account] = openAccounts(planCounters(limited({ rateLimits: rules })));
  const item = account?.counter.items[0];
  if (account === undefined || item === undefined) throw new Error('no counter');
  account.recorded = recorded;
  return { account, item };
}

const one = addToBalance(EMPTY_BALANCE, { ...NO, requests: 1 }, { ...NO, tokens: 40, cost: 7 });

describe('an account', () => {
  it('opens with nothing recorded and nothing to settle', () => {
    const { account } = open();
    expect(account.recorded).toEqual({
      requests: { used: 0, held: 0 },
      tokens: { used: 0, held: 0 },
      cost: { used: 0, held: 0 },
      concurrent: { used: 0, held: 0 },
    });
    expect(account.ended).toEqual([]);
    expect(toSettlement(account, EMPTY_BALANCE)).toBeUndefined();
  });

  it('knows whether its counter is the last of the request', () => {
    const total = { metric: 'requests', scope: 'total', limit: 5, period: '1m' } as const;
    const accounts = openAccounts(planCounters(limited({ rateLimits: [...rules, total] })));
    expect(accounts.map(({ counter }) => counter.isLast)).toEqual([false, true]);
  });

  it('requests what is not recorded yet, for the metrics that its counter limits', () => {
    const { account, item } = open();
    expect(increasesTo(account, item, one)).toEqual([
      { metric: 'requests', taken: 1, held: 0, limit: 5, needed: 1 },
      { metric: 'tokens', taken: 40, held: 40, limit: 100, needed: 40 },
    ]);
  });

  it('requests only the difference to what is recorded', () => {
    const { account, item } = open(one);
    const more = addToBalance(one, { ...NO, tokens: 30 }, { ...NO, tokens: 15 });
    expect(increasesTo(account, item, one)).toEqual([]);
    expect(increasesTo(account, item, more)).toEqual([
      { metric: 'tokens', taken: 45, held: 15, limit: 100, needed: 85 },
    ]);
  });

  it('requests a larger total, and neither an equal nor a smaller one', () => {
    const { account, item } = open(one);
    const requested = (used: number, held: number) =>
      increasesTo(account, item, addToBalance(one, { ...NO, tokens: used }, { ...NO, tokens: held })).length;
    expect(requested(1, 0)).toBe(1);
    expect(requested(0, 1)).toBe(1);
    expect(requested(10, -10)).toBe(0);
    expect(requested(0, -40)).toBe(0);
  });

  it('records what was raised, and keeps what a target lowers', () => {
    const { account, item } = open(one);
    const target = addToBalance(one, { ...NO, requests: 1 }, { ...NO, tokens: -30 });
    const increases = increasesTo(account, item, target);
    expect(increases).toEqual([{ metric: 'requests', taken: 1, held: 0, limit: 5, needed: 1 }]);
    recordIncreases(account, increases, target);
    expect(account.recorded).toEqual({ ...one, requests: { used: 2, held: 0 } });
  });

  it('settles the difference in the item that holds the reservation', () => {
    const { account, item } = open(one);
    const used = addToBalance(one, { ...NO, tokens: 12 }, { ...NO, tokens: -40 });
    const changes = [{ metric: 'tokens', taken: -28, held: -40 }];
    expect(toSettlement(account, used)).toEqual({ key: item.key, changes });
    account.item = { ...item, key: 'a shard' };
    expect(toSettlement(account, used)).toEqual({ key: 'a shard', changes });
  });

  it('settles a hold that was fully used, although the total stays the same', () => {
    const { account } = open(one);
    const used = addToBalance(one, { ...NO, tokens: 40 }, { ...NO, tokens: -40 });
    expect(toSettlement(account, used)?.changes).toEqual([{ metric: 'tokens', taken: 0, held: -40 }]);
  });

  it('removes ended leases once there are 16, and changes no count', () => {
    const { account, item } = open();
    const leases = Array.from({ length: 16 }, (_, index) => ({ endsAt: index * 5, runs: 0 }));
    account.ended = leases;
    expect(toLeaseRemoval(account)).toBeUndefined();
    account.item = item;
    expect(toLeaseRemoval(account)).toEqual({ key: item.key, changes: [], ended: leases });
    account.ended = leases.slice(1);
    expect(toLeaseRemoval(account)).toBeUndefined();
  });

  it('derives what other runs have taken from a snapshot', () => {
    const { account } = open(one);
    updateSnapshot(account, {
      counts: { requests: { taken: 4, held: 0 }, tokens: { taken: 90, held: 60 } },
      atMs: 0,
      leases: [],
    });
    expect(account.takenByOthers).toEqual({ requests: 3, tokens: 50 });
    const { account: fresh } = open();
    updateSnapshot(fresh, { counts: {}, atMs: 0, leases: [] });
    expect(fresh.takenByOthers).toEqual({ requests: 0, tokens: 0 });
  });
});
