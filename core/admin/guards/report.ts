// Adds up what guards found in a period: by neuron and guard, and day by day. Kinds and numbers alone: the log has nothing else.
import type { LoggedGuard } from '../../contract/log-entry.ts';
import type { GuardedEntries, GuardedEntry, GuardedQuery } from '../../ports/guarded-entries.ts';
import { toIso } from '../../time/iso.ts';

/** Requests in which one guard found something, with one action, at one stage. */
export interface GuardFinds {
  readonly neuron: string;
  readonly guard: string;
  readonly type: string;
  readonly stage: string;
  readonly action: string;
  readonly requests: number;
  /** Requests among them that the guard ended. */
  readonly blocked: number;
  /** Requests that went through a guard with `flag`, and that it would have ended with `block`. */
  readonly wouldBlock: number;
  readonly finds: readonly { readonly type: string; readonly count: number }[];
}

export interface GuardDay {
  /** `2026-11-21`, UTC. */
  readonly day: string;
  /** Requests with a find. */
  readonly requests: number;
  readonly blocked: number;
  /** Requests with a find of a guard that flags. */
  readonly flagged: number;
}

export interface GuardReport {
  readonly fromMs: number;
  /** True where the whole period was read. */
  readonly complete: boolean;
  /** Entries that were read. */
  readonly read: number;
  readonly requests: number;
  readonly guards: readonly GuardFinds[];
  readonly days: readonly GuardDay[];
}

/** Reads newest entries first, and stops after `maxRead` of them at the next full hours. */
export async function reportGuards(
  entries: GuardedEntries,
  query: GuardedQuery,
  { guard, maxRead }: { readonly guard?: string | undefined; readonly maxRead: number },
): Promise<GuardReport> {
  const sums = createSums();
  let read = 0;
  let fromMs = query.toMs;
  for await (const part of entries.parts(query)) {
    for (const entry of part.entries) sums.add(entry, guard);
    read += part.scanned;
    fromMs = part.fromMs;
    if (read >= maxRead) break;
  }
  const complete = fromMs <= query.fromMs || query.toMs <= query.fromMs;
  return { fromMs: complete ? query.fromMs : fromMs, complete, read, ...sums.list() };
}

type Sum = { -readonly [Name in keyof Omit<GuardFinds, 'finds'>]: GuardFinds[Name] } & {
  readonly counts: Map<string, number>;
};

function createSums() {
  const guards = new Map<string, Sum>();
  const days = new Map<string, { requests: number; blocked: number; flagged: number }>();
  let requests = 0;
  return {
    add(entry: GuardedEntry, only: string | undefined): void {
      // A service leaves a line without a find, too.
      const found = entry.guards.filter(
        ({ guard, finds }) => finds.length > 0 && (only === undefined || guard === only),
      );
      if (found.length === 0) return;
      const { timeMs } = entry;
      const count = finite(entry.count);
      requests += count;
      const day = toIso(timeMs).slice(0, 10);
      const before = days.get(day) ?? { requests: 0, blocked: 0, flagged: 0 };
      days.set(day, {
        requests: before.requests + count,
        blocked: before.blocked + (found.some((one) => isBlocking(one, entry)) ? count : 0),
        flagged: before.flagged + (found.some(({ action }) => action === 'flag') ? count : 0),
      });
      addFinds(guards, entry, found);
    },
    list: () => ({
      requests,
      guards: [...guards.values()]
        .map(({ counts, ...sum }) => ({ ...sum, finds: listCounts(counts) }))
        .sort(byRequests),
      days: [...days].map(([day, sum]) => ({ day, ...sum })).sort((a, b) => (a.day < b.day ? -1 : 1)),
    }),
  };
}

/** A guard may find something in several turns of one request, which counts once. */
function addFinds(guards: Map<string, Sum>, entry: GuardedEntry, found: readonly LoggedGuard[]): void {
  const { neuron, outcome } = entry;
  const count = finite(entry.count);
  const counted = new Set<string>();
  for (const one of found) {
    const { guard, type, stage, action } = one;
    const key = JSON.stringify([neuron, guard, type, stage, action]);
    const sum = guards.get(key) ?? {
      neuron,
      guard,
      type,
      stage,
      action,
      requests: 0,
      blocked: 0,
      wouldBlock: 0,
      counts: new Map(),
    };
    guards.set(key, sum);
    if (!counted.has(key)) {
      sum.requests += count;
      if (isBlocking(one, entry)) sum.blocked += count;
      if (action === 'flag' && outcome === 'success') sum.wouldBlock += count;
    }
    counted.add(key);
    for (const find of one.finds)
      sum.counts.set(find.type, (sum.counts.get(find.type) ?? 0) + finite(find.count));
  }
}

/** An item that somebody put by hand may have no number there. */
function finite(count: number): number {
  return Number.isFinite(count) ? count : 0;
}

/** An answer of the cache that a guard stops is no answer, and the run goes on: what it fails of then is no block. */
function isBlocking({ action }: LoggedGuard, { outcome }: GuardedEntry): boolean {
  return action === 'block' && (outcome === 'refused' || outcome === 'stopped');
}

function listCounts(counts: ReadonlyMap<string, number>): GuardFinds['finds'] {
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count);
}

/** Those with most requests first. */
function byRequests(a: GuardFinds, b: GuardFinds): number {
  if (a.requests !== b.requests) return b.requests - a.requests;
  const nameOf = ({ neuron, guard, stage, action }: GuardFinds) =>
    JSON.stringify([neuron, guard, stage, action]);
  return nameOf(a) < nameOf(b) ? -1 : 1;
}
