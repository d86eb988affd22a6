// What a run still has to tell a counter: the difference between what it wants there and what it recorded.
import { describe, expect, it } from 'vitest';
import {
  changesTo,
  needsWrite,
  openAccounts,
  settlementOf,
  updateSnapshot,
} from '../../../core/limits/account.ts';
import { type Amounts, type Balance, change, EMPTY } from '../../../core/limits/balance.ts';
import { planCounters } from '../../../core/limits/plan-counters.ts';
import { limited } from './limited.ts';

const NO: Amounts = { requests: 0, tokens: 0, cost: 0 };
const rules = [
  { metric: 'requests', scope: 'user', limit: 5, period: '1m' },
  { metric: 'tokens', scope: 'user', limit: 100, period: '1m' },
] as const;

function open(recorded: Balance = EMPTY) {
  const [account] = openAccounts(planCounters(limited({ rateLimits: rules })));
  const item = account?.counter.items[0];
  if (account === undefined || item === undefined) throw new Error('no counter');
  account.recorded = recorded;
  return { account, item };
}

const one = change(EMPTY, { ...NO, requests: 1 }, { ...NO, tokens: 40, cost: 7 });

describe('an account', () => {
  it('begins with nothing recorded and nothing to settle', () => {
    const { account } = open();
    expect(account.recorded).toEqual({
      requests: { used: 0, held: 0 },
      tokens: { used: 0, held: 0 },
      cost: { used: 0, held: 0 },
    });
    expect(settlementOf(account, EMPTY)).toBeUndefined();
  });

  it('knows whether a counter comes after its own', () => {
    const total = { metric: 'requests', scope: 'total', limit: 5, period: '1m' } as const;
    const accounts = openAccounts(planCounters(limited({ rateLimits: [...rules, total] })));
    expect(accounts.map(({ isLast }) => isLast)).toEqual([false, true]);
  });

  it('wants what was not recorded, of the metrics that its counter limits', () => {
    const { account, item } = open();
    expect(changesTo(account, item, one)).toEqual([
      { metric: 'requests', taken: 1, held: 0, limit: 5, need: 1 },
      { metric: 'tokens', taken: 40, held: 40, limit: 100, need: 40 },
    ]);
  });

  it('wants only the difference once something was recorded', () => {
    const { account, item } = open(one);
    const more = change(one, { ...NO, tokens: 30 }, { ...NO, tokens: 15 });
    expect(changesTo(account, item, one)).toEqual([]);
    expect(changesTo(account, item, more)).toEqual([
      { metric: 'tokens', taken: 45, held: 15, limit: 100, need: 85 },
    ]);
  });

  it('must ask for more, and not for as much or less', () => {
    const { account, item } = open(one);
    const shifted = (used: number, held: number) =>
      needsWrite(changesTo(account, item, change(one, { ...NO, tokens: used }, { ...NO, tokens: held })));
    expect(shifted(1, 0)).toBe(true);
    expect(shifted(0, 1)).toBe(true);
    expect(shifted(10, -10)).toBe(false);
    expect(shifted(0, -40)).toBe(false);
    expect(needsWrite([])).toBe(false);
  });

  it('settles the difference to the item that was taken of', () => {
    const { account, item } = open(one);
    const used = change(one, { ...NO, tokens: 12 }, { ...NO, tokens: -40 });
    const changes = [{ metric: 'tokens', taken: -28, held: -40 }];
    expect(settlementOf(account, used)).toEqual({ key: item.key, changes });
    account.item = { ...item, key: 'a shard' };
    expect(settlementOf(account, used)).toEqual({ key: 'a shard', changes });
  });

  it('settles a hold that was used whole, though as much stays taken', () => {
    const { account } = open(one);
    const used = change(one, { ...NO, tokens: 40 }, { ...NO, tokens: -40 });
    expect(settlementOf(account, used)?.changes).toEqual([{ metric: 'tokens', taken: 0, held: -40 }]);
  });

  it('sees what others took beside it', () => {
    const { account } = open(one);
    updateSnapshot(account, {
      counts: { requests: { taken: 4, held: 0 }, tokens: { taken: 90, held: 60 } },
      atMs: 0,
    });
    expect(account.others).toEqual({ requests: 3, tokens: 50 });
    const { account: fresh } = open();
    updateSnapshot(fresh, { counts: {}, atMs: 0 });
    expect(fresh.others).toEqual({ requests: 0, tokens: 0 });
  });
});
