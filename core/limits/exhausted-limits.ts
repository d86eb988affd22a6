// Rejects requests with an exhausted limit without writing to any counter, and learns of exhausted limits from denied writes.
import type { CounterState, CounterStore } from '../ports/counters.ts';
import { type Account, increasesTo, type RequestedChange, updateSnapshot } from './account.ts';
import type { Balance } from './balance.ts';
import {
  type Denial,
  findDenial,
  findExhausted,
  limitError,
  UNREAD,
  type UsedAmounts,
  usedOf,
} from './denial.ts';
import type { ExhaustionCache } from './exhaustion-cache.ts';
import { countsAt } from './leases.ts';
import type { CounterItem } from './plan-counters.ts';
import { isShown } from './rate-limit-view.ts';

export interface ExhaustionContext {
  readonly counters: CounterStore;
  readonly exhaustionCache: ExhaustionCache;
  /** Part of the cache key: other settings may try the counters in another order. */
  readonly settingsVersion: string;
  /** When API Gateway received the request, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
}

/** Maximum time between a request's arrival at API Gateway and the last write of its admission, releases and cold starts included. */
const MAX_ADMISSION_MS = 60_000;

/**
 * So long after a counter's `atMs` all that it has counted is decided: its last write came within `MAX_ADMISSION_MS` after `atMs`, which is
 * not before the arrival of the request, and every request is decided as long after its write. For one that is counted late, since the
 * counter had failed open, no clock may be slower than that.
 */
const ALL_ADMITTED_MS = 2 * MAX_ADMISSION_MS;

/** A write that a counter denied, with the counter's state where the store returned it. */
interface DeniedWrite {
  readonly item: CounterItem;
  readonly changes: readonly RequestedChange[];
  readonly state: CounterState | undefined;
}

/** The denial of changes for which the cached used amounts leave no room. */
export function findKnownDenial(
  { key }: CounterItem,
  changes: readonly RequestedChange[],
  context: ExhaustionContext,
): Denial | undefined {
  return findExhausted(changes, cachedUse(key, context));
}

function cachedUse(key: string, { exhaustionCache, settingsVersion }: ExhaustionContext): UsedAmounts {
  return exhaustionCache.get(settingsVersion, key);
}

/** The denial, from the state that came with it or else from one read; exhausted when that read fails. */
export async function classifyDenial(
  account: Account,
  { item: { key }, changes, state: returned }: DeniedWrite,
  context: ExhaustionContext,
): Promise<Denial> {
  const state = returned ?? (await readStates([key], context))(key);
  if (state === undefined) return UNREAD;
  updateSnapshot(account, state);
  const denial = findDenial(changes, state.counts);
  if (denial?.kind === 'exhausted') cacheUse(account, key, state, context);
  // Without a denial, a reservation was released between the write and the read.
  return denial ?? { kind: 'held', shortage: undefined };
}

/**
 * Caches only amounts that cannot shrink. Used tokens and cost never do. A request counts as used when it is admitted, but is released
 * when a later counter denies it: it is cached when there is no later counter, or no admission can still be in progress.
 */
function cacheUse(account: Account, key: string, state: CounterState, context: ExhaustionContext): void {
  const { requests, ...others } = usedOf(state.counts);
  const isFinal = account.counter.isLast || context.timeMs - state.atMs > ALL_ADMITTED_MS;
  const used = isFinal && requests !== undefined ? { ...others, requests } : others;
  context.exhaustionCache.put(context.settingsVersion, key, used);
}

/**
 * Throws the 429 of the first counter that denies, if one of the counters is known to be exhausted. Writes nothing, and reads the
 * counters before the exhausted one, since the error must be that of the first.
 */
export async function rejectExhausted(
  accounts: readonly Account[],
  target: Balance,
  context: ExhaustionContext,
): Promise<void> {
  const denials = accounts.map((account) => knownDenialsOf(account, target, context));
  const index = denials.findIndex((one) => one !== undefined);
  const [exhausted, known] = [accounts[index], denials[index]];
  if (exhausted === undefined || known === undefined) return;
  const before = accounts.slice(0, index);
  // A reservation above the whole limit is rejected without a cached entry; the caller still sees the rest of its own limit.
  const isNotCached = (key: string) => Object.keys(cachedUse(key, context)).length === 0;
  const notCached = isShown(exhausted.counter) ? keysOf(exhausted).filter(isNotCached) : [];
  const stateOf = await readStates([...before.flatMap(keysOf), ...notCached], context);
  for (const account of before) rejectWithoutRoom(account, target, stateOf, context);
  for (const key of keysOf(exhausted)) {
    const state = notCached.includes(key) ? stateOf(key) : undefined;
    if (state !== undefined) updateSnapshot(exhausted, state);
    exhausted.takenByOthers = { ...cachedUse(key, context), ...exhausted.takenByOthers };
  }
  throw limitError(exhausted.counter, known, context.timeMs);
}

type StateOf = (key: string) => CounterState | undefined;

/** A counter that could not be read counts as one with room. */
function rejectWithoutRoom(
  account: Account,
  target: Balance,
  stateOf: StateOf,
  { timeMs }: ExhaustionContext,
): void {
  const { items } = account.counter;
  const denials = items.flatMap((item) => {
    const state = stateOf(item.key);
    if (state !== undefined) updateSnapshot(account, state);
    return findDenial(increasesTo(account, item, target), countsAt(state ?? EMPTY_STATE, timeMs)) ?? [];
  });
  if (denials.length === items.length) throw limitError(account.counter, denials, timeMs);
}

function keysOf({ counter }: Account): readonly string[] {
  return counter.items.map(({ key }) => key);
}

/** The denials of all items; undefined unless every one is known to be exhausted. */
function knownDenialsOf(
  account: Account,
  target: Balance,
  context: ExhaustionContext,
): readonly Denial[] | undefined {
  const { items } = account.counter;
  const denials = items.flatMap((item) => {
    return findKnownDenial(item, increasesTo(account, item, target), context) ?? [];
  });
  return denials.length === items.length ? denials : undefined;
}

const EMPTY_STATE: CounterState = { counts: {}, atMs: 0, leases: [] };

/** Reads counters; one that does not exist is empty. When the read fails, every state is undefined. */
export async function readStates(
  keys: readonly string[],
  { counters }: Pick<ExhaustionContext, 'counters'>,
): Promise<StateOf> {
  if (keys.length === 0) return () => undefined;
  const states = await counters.read(keys).catch(() => undefined);
  return (key) => states && (states.get(key) ?? EMPTY_STATE);
}
