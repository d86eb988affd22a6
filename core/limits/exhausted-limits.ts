// Refusals that are certain before a counter is asked: what a refused write teaches, and what it spares the next callers.
import type { CounterState } from '../ports/counters.ts';
import { type Account, changesTo, needsWrite, updateSnapshot, type WantedChange } from './account.ts';
import type { AdmitContext } from './admit-context.ts';
import type { Balance } from './balance.ts';
import { limitError } from './errors.ts';
import type { CounterItem } from './plan-counters.ts';
import { isShown } from './rate-limit-view.ts';
import { isUsedUp, judge, type Used, usedOf, type Verdict } from './verdict.ts';

/** Longest time from a request's arrival at API Gateway to the last write of its admission, a give-back included: cold starts count. */
const ADMISSION_MS = 60_000;

/** A write that was refused, and what stood in its way where the store said so. */
export interface RefusedWrite {
  readonly item: CounterItem;
  readonly changes: readonly WantedChange[];
  readonly refusedBy: CounterState | undefined;
}

/** True where what is known to be used leaves no room. */
export function isExhausted(
  { key }: CounterItem,
  changes: readonly WantedChange[],
  context: AdmitContext,
): boolean {
  return isUsedUp(changes, exhaustionCache(key, context));
}

function exhaustionCache(key: string, { known, settingsVersion }: AdmitContext): Used {
  return known.get(settingsVersion, key);
}

/** Why a counter refused, by the item that the refusal came with or else by one read; what cannot be read counts as used. */
export async function explain(
  account: Account,
  { item: { key }, changes, refusedBy }: RefusedWrite,
  context: AdmitContext,
): Promise<Verdict> {
  const state = refusedBy ?? (await lookAt([key], context))(key);
  if (state === undefined) return 'used';
  updateSnapshot(account, state);
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
  const staysTaken = account.isLast || context.timeMs - state.atMs > ADMISSION_MS;
  const used = staysTaken && requests !== undefined ? { ...others, requests } : others;
  context.known.remember(context.settingsVersion, key, used);
}

/** A caller whose refusal is certain costs no write; counters before the one that refuses are only read, since the first is reported. */
export async function rejectExhausted(
  accounts: readonly Account[],
  wanted: Balance,
  context: AdmitContext,
): Promise<void> {
  const index = accounts.findIndex((account) => isKnownUsedUp(account, wanted, context));
  const known = accounts[index];
  if (known === undefined) return;
  const before = accounts.slice(0, index);
  // More than the whole limit is refused without a memory, and yet the caller is recorded what is left of a limit of its own.
  const isUnknown = (key: string) => Object.keys(exhaustionCache(key, context)).length === 0;
  const unknown = isShown(known.counter) ? keysOf(known).filter(isUnknown) : [];
  const stateOf = await lookAt([...before.flatMap(keysOf), ...unknown], context);
  for (const account of before) {
    const verdicts = account.counter.items.map((item) => {
      const state = stateOf(item.key);
      if (state !== undefined) updateSnapshot(account, state);
      return judge(changesTo(account, item, wanted), state?.counts ?? {});
    });
    if (!verdicts.includes('room')) throw limitError(account.counter, verdicts, context.timeMs);
  }
  for (const key of keysOf(known)) {
    const state = unknown.includes(key) ? stateOf(key) : undefined;
    if (state !== undefined) updateSnapshot(known, state);
    known.others = { ...exhaustionCache(key, context), ...known.others };
  }
  throw limitError(known.counter, ['used'], context.timeMs);
}

function keysOf({ counter }: Account): readonly string[] {
  return counter.items.map(({ key }) => key);
}

function isKnownUsedUp(account: Account, wanted: Balance, context: AdmitContext): boolean {
  return account.counter.items.every((item) => {
    const changes = changesTo(account, item, wanted);
    return needsWrite(changes) && isExhausted(item, changes, context);
  });
}

const NOBODY_TOOK: CounterState = { counts: {}, atMs: 0 };

/** Gives the state of each key; undefined for all of them where they cannot be read. */
async function lookAt(
  keys: readonly string[],
  { counters }: AdmitContext,
): Promise<(key: string) => CounterState | undefined> {
  if (keys.length === 0) return () => undefined;
  const states = await counters.read(keys).catch(() => undefined);
  return (key) => states && (states.get(key) ?? NOBODY_TOOK);
}
