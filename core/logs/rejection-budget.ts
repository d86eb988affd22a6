// Bounds the entries of a flood of rejections: so many a minute for each neuron, and one for each kind that counts the rest.

import { createBoundedMap } from '../async/bounded-map.ts';

/** One entry for `count` rejections of one kind; `last` is the latest of them. */
interface CountedRejections<T> {
  readonly neuronId: string;
  /** The beginning of their minute, in milliseconds since the Unix epoch. */
  readonly minuteMs: number;
  readonly count: number;
  readonly last: T;
}

/** The budget of one execution environment. `T` are the facts of an entry. */
export interface RejectionBudget<T> {
  /** `entry`: put an entry for this rejection. `counted`: put none; a summary will count it. */
  admit(neuronId: string, timeMs: number, rejection: T, kind?: string): 'entry' | 'counted';
  /** The summaries of minutes before that of `nowMs`, each once; put an entry for each. */
  drain(nowMs: number): CountedRejections<T>[];
}

interface RejectionBudgetLimits {
  /** Entries per neuron and minute before the others are counted. */
  readonly entriesPerMinute: number;
  /** Neurons that are watched at once; beyond it the oldest is summarized early. */
  readonly neurons: number;
}

const DEFAULT_LIMITS: RejectionBudgetLimits = { entriesPerMinute: 60, neurons: 10_000 };
const MINUTE_MS = 60_000;

interface Watch<T> {
  readonly minuteMs: number;
  seen: number;
  /** By kind. */
  readonly counted: Map<string, { count: number; last: T }>;
}

/** Call `drain` with every request: the last summary of a flood is due with the first request after its minute. */
export function createRejectionBudget<T>(limits: RejectionBudgetLimits = DEFAULT_LIMITS): RejectionBudget<T> {
  // In order of minutes, since a watch is replaced when its minute has passed.
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
