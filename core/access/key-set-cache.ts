// Keeps the key sets behind URLs for bounded times: a key that was removed stops working, an endpoint that fails is left alone
// for a while, and no flood of tokens becomes a flood of fetches.
import type { FetchKeySet, VerificationKey } from '../ports/jwt.ts';
import type { Clock } from '../time/clock.ts';

/** Waiting times in milliseconds, and how many URLs are remembered. */
export interface KeySetLimits {
  /** How long a set is used without fetching it again. */
  readonly ttlMs: number;
  /** How old a set may be while its endpoint fails. */
  readonly maxStaleMs: number;
  /** How old a set must be to be fetched again for a key that it lacks. */
  readonly refetchAfterMs: number;
  /** How long an endpoint that failed is not asked. */
  readonly errorBackoffMs: number;
  readonly maximum: number;
}

/** How long one URL may take, in milliseconds. */
const FETCH_MS = 2_000;
/** How long all URLs of a list may take together. */
const LIST_MS = 5_000;

/** `failed`: the endpoint gave no set and none is kept that is young enough. */
export type KeySetReading = readonly VerificationKey[] | 'failed';

/** The time that one request has for all its URLs. */
export interface KeySetBudget {
  readonly endsAtMs: number;
}

/** Key sets by URL. No method throws. */
export interface KeySets {
  openBudget(): KeySetBudget;
  /** From memory where fresh, else fetched. */
  read(url: string, budget: KeySetBudget): Promise<KeySetReading>;
  /** Fetched anew for a key that the set in memory lacks; `recent` where that was done a moment ago. */
  readAgain(url: string, budget: KeySetBudget): Promise<KeySetReading | 'recent'>;
}

interface Kept {
  readonly keys: readonly VerificationKey[] | undefined;
  /** The age counts from before the fetch: what changed while it ran may be missing from it. */
  readonly fetchedAtMs: number;
  readonly failedAtMs: number | undefined;
}

interface State {
  readonly fetchKeySet: FetchKeySet;
  readonly clock: Clock;
  readonly limits: KeySetLimits;
  /** In the order of last use, the oldest first. */
  readonly kept: Map<string, Kept>;
  readonly fetching: Map<string, Promise<Kept>>;
}

/** A cache over `fetchKeySet`. One fetch at a time per URL: requests that come meanwhile wait for the same one. */
export function cacheKeySets(fetchKeySet: FetchKeySet, clock: Clock, limits: KeySetLimits): KeySets {
  const state: State = { fetchKeySet, clock, limits, kept: new Map(), fetching: new Map() };
  return {
    openBudget: () => ({ endsAtMs: clock.now() + LIST_MS }),
    async read(url, budget) {
      const known = state.kept.get(url);
      if (known !== undefined) keep(state, url, known);
      if (known?.keys !== undefined && ageOf(state, known) < limits.ttlMs) return known.keys;
      return usableKeys(state, await fetchUnlessFailed(state, url, known, budget));
    },
    async readAgain(url, budget) {
      const known = state.kept.get(url);
      if (known?.keys !== undefined && ageOf(state, known) < limits.refetchAfterMs) return 'recent';
      const now = await fetchUnlessFailed(state, url, known, budget);
      // An older set is no answer here: it is known to lack the key.
      return now?.failedAtMs === undefined && now?.keys !== undefined ? now.keys : 'failed';
    },
  };
}

function ageOf({ clock }: State, { fetchedAtMs }: Kept): number {
  return clock.now() - fetchedAtMs;
}

function usableKeys(state: State, known: Kept | undefined): KeySetReading {
  if (known?.keys === undefined) return 'failed';
  if (known.failedAtMs === undefined) return known.keys;
  return ageOf(state, known) < state.limits.maxStaleMs ? known.keys : 'failed';
}

async function fetchUnlessFailed(
  state: State,
  url: string,
  known: Kept | undefined,
  { endsAtMs }: KeySetBudget,
): Promise<Kept | undefined> {
  const nowMs = state.clock.now();
  if (known?.failedAtMs !== undefined && nowMs - known.failedAtMs < state.limits.errorBackoffMs) return known;
  const timeMs = Math.min(FETCH_MS, endsAtMs - nowMs);
  // Not asked by this request, so nothing is remembered of it.
  const notAsked = known === undefined ? undefined : { ...known, failedAtMs: nowMs };
  if (timeMs <= 0) return notAsked;
  const running = state.fetching.get(url);
  if (running !== undefined) return (await waitFor(state, running, timeMs)) ?? notAsked;
  const started = fetchAndKeep(state, url, timeMs).finally(() => state.fetching.delete(url));
  state.fetching.set(url, started);
  return started;
}

/** Another request's fetch, as long as this one has time. */
async function waitFor({ clock }: State, running: Promise<Kept>, timeMs: number): Promise<Kept | undefined> {
  const done = new AbortController();
  const late = clock.sleep(timeMs, done.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([running, late]);
  } finally {
    done.abort();
  }
}

async function fetchAndKeep(state: State, url: string, timeMs: number): Promise<Kept> {
  const fetchedAtMs = state.clock.now();
  try {
    const keys = await fetchInTime(state, url, timeMs);
    return keep(state, url, { keys, fetchedAtMs, failedAtMs: undefined });
  } catch {
    const before = state.kept.get(url) ?? { keys: undefined, fetchedAtMs };
    return keep(state, url, { ...before, failedAtMs: state.clock.now() });
  }
}

async function fetchInTime(
  { fetchKeySet, clock }: State,
  url: string,
  timeMs: number,
): Promise<readonly VerificationKey[]> {
  const tooLate = new AbortController();
  const done = new AbortController();
  clock.sleep(timeMs, done.signal).then(
    () => tooLate.abort(),
    () => undefined,
  );
  try {
    return await fetchKeySet(url, tooLate.signal);
  } finally {
    done.abort();
  }
}

function keep({ kept, limits }: State, url: string, entry: Kept): Kept {
  kept.delete(url);
  kept.set(url, entry);
  const [oldest] = kept.keys();
  if (kept.size > limits.maximum && oldest !== undefined) kept.delete(oldest);
  return entry;
}
