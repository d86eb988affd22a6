// Keeps a flood of refusals from writing without bound: so many entries a minute for each neuron, and one for each kind that counts the rest.

import { createBoundedMap } from '../async/bounded-map.ts';

/** One entry that stands for `count` refusals of one kind; `last` is the latest of them. */
interface CountedRejections<T> {
  readonly neuronId: string;
  /** The minute in which they came: milliseconds since the Unix epoch of its beginning. */
  readonly minuteMs: number;
  readonly count: number;
  readonly last: T;
}

/** The budget of one execution environment. `T` is what an entry is made of. */
export interface RejectionBudget<T> {
  /** `entry`: put an entry for this refusal. `counted`: put none, a summary will stand for it. */
  admit(neuronId: string, timeMs: number, rejection: T, kind?: string): 'entry' | 'counted';
  /** The summaries that are due: of minutes before that of `nowMs`. Each is returned once; put an entry for each. */
  drain(nowMs: number): CountedRejections<T>[];
}

/** Bounds of a budget. */
interface RejectionBudgetLimits {
  /** Entries per neuron and minute before counting begins. */
  readonly entriesPerMinute: number;
  /** Neurons that are watched at once; beyond it the one watched longest is summarized early. */
  readonly neurons: number;
}

const DEFAULT_LIMITS: RejectionBudgetLimits = { entriesPerMinute: 60, neurons: 10_000 };
const MINUTE_MS = 60_000;

interface Watch<T> {
  readonly minuteMs: number;
  seen: number;
  /** What was counted, by kind. */
  readonly counted: Map<string, { count: number; last: T }>;
}

/** Call `drain` with every request: a flood's last summary is due with the first request after its minute. */
export function createRejectionBudget<T>(limits: RejectionBudgetLimits = DEFAULT_LIMITS): RejectionBudget<T> {
  // In the order of their minutes, since a new watch is made when its minute has passed.
  const watches = createBoundedMap<Watch<T>>(limits.neurons);
  const due: CountedRejections<T>[] = [];

  function close(neuronId: string, { minuteMs, counted }: Watch<T>): void {
    watches.delete(neuronId);
    for (const { count, last } of counted.values()) due.push({ neuronId, minuteMs, count, last });
  }

  return {
    admit(neuronId, timeMs, rejection, kind = '') {
      const minuteMs = minuteOf(timeMs);
      let watch = watches.get(neuronId);
      // A request that arrives late, from the minute before, counts against the current minute.
      if (watch !== undefined && watch.minuteMs < minuteMs) {
        close(neuronId, watch);
        watch = undefined;
      }
      if (watch === undefined) {
        watch = { minuteMs, seen: 0, counted: new Map() };
        const dropped = watches.put(neuronId, watch);
        if (dropped !== undefined) close(...dropped);
      }
      watch.seen += 1;
      if (watch.seen <= limits.entriesPerMinute) return 'entry';
      const count = (watch.counted.get(kind)?.count ?? 0) + 1;
      watch.counted.set(kind, { count, last: rejection });
      return 'counted';
    },
    drain(nowMs) {
      for (const [neuronId, watch] of watches.entries()) {
        if (watch.minuteMs >= minuteOf(nowMs)) break;
        close(neuronId, watch);
      }
      return due.splice(0);
    },
  };
}

function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
}
