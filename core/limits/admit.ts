// Takes what a run wants of every counter that limits it, or of none.
//
// Never more: a counter changes only by one conditional write that adds an amount where all that is taken stays within the limit,
// and by settlements that take away what this run itself added before. What was sent without a known outcome is never taken away.
import { CounterFailure, type CounterState, type CounterStore } from '../ports/counters.ts';
import type { Random } from '../ports/platform.ts';
import { type Account, changesTo, mustAsk, see, settlementOf, type WantedChange } from './account.ts';
import type { Balance } from './balance.ts';
import type { KnownUse } from './known-use.ts';
import type { CounterItem } from './plan-counters.ts';
import { toFailure, toRefusal } from './refusals.ts';
import { isUsedUp, judge, usedOf, type Verdict } from './verdict.ts';

/** What asking counters takes, for one request. */
export interface AdmitContext {
  readonly counters: CounterStore;
  readonly known: KnownUse;
  readonly random: Pick<Random, 'fraction'>;
  /** What is remembered is of these settings; other ones may ask counters in another order. */
  readonly settingsVersion: string;
  /** When API Gateway received the request, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** How long a counter is kept after its window: the longest run, and some more. */
  readonly keepMs: number;
  /** True where a request goes on without a counter that fails. */
  readonly admitsUncounted: boolean;
  /** Called for each write that failed, whether the request then goes on or not. */
  readonly onFailure: () => void;
}

interface Taken {
  readonly account: Account;
  readonly before: Balance;
}

/** Longest time from a request's arrival at API Gateway to the last write of its admission, a give-back included: cold starts count. */
const ADMISSION_MS = 60_000;

/**
 * Asks the counters in turn, one conditional write each; a counter that already covers what is wanted is not asked. At the first
 * that refuses or fails, those before it get back what they gave. Throws `Refusal`: `rate_limited` or `usage_limit_exceeded`
 * (429), `overloaded` or `dependency_unavailable` (503).
 */
export async function takeInTurn(
  accounts: readonly Account[],
  wanted: Balance,
  context: AdmitContext,
): Promise<void> {
  await refuseKnown(accounts, wanted, context);
  const taken: Taken[] = [];
  for (const account of accounts) {
    try {
      const before = account.told;
      if (await takeOf(account, wanted, context)) taken.push({ account, before });
    } catch (refusal) {
      await Promise.all(taken.map((one) => giveBack(one, context)));
      throw refusal;
    }
  }
}

/** True when the counter was told; a full shard is followed by the others. */
async function takeOf(account: Account, wanted: Balance, context: AdmitContext): Promise<boolean> {
  if (account.isLost) return false;
  const verdicts: Verdict[] = [];
  for (const item of inTurn(account, context)) {
    const changes = changesTo(account, item, wanted);
    if (!mustAsk(changes)) return false;
    const told = await askOnce(account, { item, changes, wanted }, context);
    if (typeof told === 'boolean') return told;
    verdicts.push(told);
  }
  throw toRefusal(account.counter, lightest(verdicts), context.timeMs);
}

/** True: taken. False: gone on without. Otherwise why not. */
async function askOnce(
  account: Account,
  { item, changes, wanted }: { item: CounterItem; changes: readonly WantedChange[]; wanted: Balance },
  context: AdmitContext,
): Promise<boolean | Verdict> {
  if (isUsedUp(changes, context.known.get(context.settingsVersion, item.key))) return 'used';
  const { counters, timeMs, keepMs } = context;
  const expiresAt = Math.ceil((account.counter.window.endMs + keepMs) / 1000);
  const limited = changes.map(({ metric, taken, held, limit }) => ({ metric, taken, held, limit }));
  try {
    const outcome = await counters.take({ key: item.key, changes: limited, atMs: timeMs, expiresAt });
    if (!outcome.taken) return await explain(account, item, changes, outcome.state, context);
    account.item = item;
    account.told = wanted;
    see(account, outcome.state);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof CounterFailure)) throw thrown;
    // The write may have been made: it counts as made, and nothing is taken off what nobody knows.
    if (thrown.kind === 'unknown') account.isLost = true;
    context.onFailure();
    if (!context.admitsUncounted) throw toFailure(thrown);
    return false;
  }
}

/** Why a counter refused, by the item that the refusal came with or else by one read; what cannot be read counts as used. */
async function explain(
  account: Account,
  { key }: CounterItem,
  changes: readonly WantedChange[],
  refusedBy: CounterState | undefined,
  context: AdmitContext,
): Promise<Verdict> {
  const state = refusedBy ?? (await lookAt([key], context)).get(key);
  if (state === undefined) return 'used';
  see(account, state);
  const verdict = judge(changes, state.counts);
  if (verdict === 'used') remember(account, key, state, context);
  // Room again by the time it was looked at: something was held.
  return verdict === 'room' ? 'held' : verdict;
}

/**
 * Requests that another admission took a moment ago may still be given back, where another counter comes after this one: until
 * they cannot, they are not certain to be used. Tokens and cost are held until they are.
 */
function remember(account: Account, key: string, state: CounterState, context: AdmitContext): void {
  const { requests, ...others } = usedOf(state.counts);
  const isCertain = account.isLast || context.timeMs - state.atMs > ADMISSION_MS;
  const used = isCertain && requests !== undefined ? { ...others, requests } : others;
  context.known.remember(context.settingsVersion, key, used);
}

/** A caller whose refusal is certain costs no write; counters before the one that refuses are only read, since the first is reported. */
async function refuseKnown(
  accounts: readonly Account[],
  wanted: Balance,
  context: AdmitContext,
): Promise<void> {
  const index = accounts.findIndex((account) => isKnownUsedUp(account, wanted, context));
  const known = accounts[index];
  if (known === undefined) return;
  const before = accounts.slice(0, index).filter(({ isLost }) => !isLost);
  const keys = before.flatMap(({ counter }) => counter.items.map(({ key }) => key));
  const states = await lookAt(keys, context);
  for (const account of before) {
    const verdicts = account.counter.items.map((item) => {
      const state = states.get(item.key);
      if (state !== undefined) see(account, state);
      return judge(changesTo(account, item, wanted), state?.counts ?? {});
    });
    if (!verdicts.includes('room')) throw toRefusal(account.counter, lightest(verdicts), context.timeMs);
  }
  throw toRefusal(known.counter, 'used', context.timeMs);
}

function isKnownUsedUp(account: Account, wanted: Balance, context: AdmitContext): boolean {
  if (account.isLost) return false;
  return account.counter.items.every((item) => {
    const changes = changesTo(account, item, wanted);
    return mustAsk(changes) && isUsedUp(changes, context.known.get(context.settingsVersion, item.key));
  });
}

/** Nothing is known of counters that cannot be read. */
async function lookAt(
  keys: readonly string[],
  { counters }: AdmitContext,
): Promise<ReadonlyMap<string, CounterState>> {
  if (keys.length === 0) return new Map();
  return counters.read(keys).catch(() => new Map());
}

/** One held shard is enough: room may come before the window ends. */
function lightest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.includes('held') ? 'held' : 'used';
}

/** The shards from a random one on, or the one that was taken of before. */
function inTurn({ item, counter: { items } }: Account, { random }: AdmitContext): readonly CounterItem[] {
  if (item !== undefined) return [item];
  if (items.length < 2) return items;
  const first = Math.floor(random.fraction() * items.length);
  return [...items.slice(first), ...items.slice(0, first)];
}

/** Sent once: when it is lost, the counter is stricter until its window ends. */
async function giveBack({ account, before }: Taken, { counters }: AdmitContext): Promise<void> {
  const settlement = settlementOf(account, before);
  account.told = before;
  if (settlement !== undefined) await counters.settle(settlement).catch(() => undefined);
}
