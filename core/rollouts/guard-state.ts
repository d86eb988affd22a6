// Decides, slot after slot, whether a candidate is worse than its control: runs that fail, are slow or dear, and what callers judge.
import { type Counts, evidenceOf, type Sides } from '../statistics/e-process.ts';
import type { Histogram } from '../statistics/histogram.ts';

/** `failed`, `slow`, `dear`, or the name of a metric of the neuron's feedback. */
export type RolloutGuard = string;

/** The runs of one side in a slot, or of all slots together. */
export interface ArmCounts {
  readonly runs: number;
  readonly failed: number;
  readonly latency: Histogram;
  readonly cost: Histogram;
  /** By metric: numbers of values by their integer part, or by -Infinity for `false` and Infinity for `true`. */
  readonly ratings: ReadonlyMap<string, Histogram>;
}

/** The runs that were counted in one slot of time; slots come in order, each once. */
export interface RolloutSlot extends Sides<ArmCounts> {
  /** ISO 8601 in UTC: when the slot begins. */
  readonly slot: string;
}

export interface TrippedGuard {
  readonly guard: RolloutGuard;
  /** The slot with which the evidence sufficed. */
  readonly slot: string;
  /** How much more probable the counts are if the candidate is worse. */
  readonly evidence: number;
  /** Sums of all slots up to that one. */
  readonly counts: Sides<Counts>;
}

/** All that is needed of earlier slots. */
export interface GuardState {
  readonly earlier: Sides<ArmCounts>;
  /** Logarithms of the evidence, by guard. */
  readonly evidence: ReadonlyMap<RolloutGuard, number>;
  readonly tripped: TrippedGuard | undefined;
}

/** The chance that a candidate which is no worse is ever stopped, by any of its guards. */
export const ALPHA = 0.05;

/** Runs of the control before it is known what slow or dear is, and values before it is known what bad is. */
const MIN_RUNS = 20;
const MIN_RATINGS = 10;
/** The shares of the control's runs that are called slow and dear, and of its values that are called bad: at most. */
const SLOW = 0.05;
const DEAR = 0.1;
const BAD = 0.5;

export const NO_RUNS: ArmCounts = {
  runs: 0,
  failed: 0,
  latency: new Map(),
  cost: new Map(),
  ratings: new Map(),
};

export const NO_EVIDENCE: GuardState = {
  earlier: { control: NO_RUNS, candidate: NO_RUNS },
  evidence: new Map(),
  tripped: undefined,
};

/** The state after one more slot. Once a guard has tripped the state stays as it is. */
export function advance(
  state: GuardState,
  guards: readonly RolloutGuard[],
  { slot, control, candidate }: RolloutSlot,
): GuardState {
  if (state.tripped !== undefined) return state;
  const { earlier } = state;
  const now = {
    control: addArms(earlier.control, control),
    candidate: addArms(earlier.candidate, candidate),
  };
  const steps = guards.map((guard) => {
    const countBad = createCount(guard, earlier.control);
    const before = state.evidence.get(guard) ?? 0;
    if (countBad === undefined) return { guard, log: before, counts: undefined };
    const both = (sides: Sides<ArmCounts>) => ({
      control: countBad(sides.control),
      candidate: countBad(sides.candidate),
    });
    return {
      guard,
      log: before + evidenceOf(both(earlier), both({ control, candidate })),
      counts: both(now),
    };
  });
  // All guards together have the chance, so that each alone has its part of it.
  const enough = Math.log(guards.length / ALPHA);
  const over = steps.find(({ log, counts }) => counts !== undefined && log >= enough);
  return {
    earlier: now,
    evidence: new Map(steps.map(({ guard, log }) => [guard, log])),
    tripped:
      over?.counts === undefined
        ? undefined
        : { guard: over.guard, slot, evidence: Math.exp(over.log), counts: over.counts },
  };
}

/** The evidence of a guard so far, against the number with which it stops the rollout. */
export interface GuardEvidence {
  readonly guard: RolloutGuard;
  /** How much more probable the counts are if the candidate is worse; 1 at first. */
  readonly evidence: number;
  readonly needed: number;
  /** Null while the control has too few runs or values to say what is bad. */
  readonly counts: Sides<Counts> | null;
}

/** One for each guard. Bad is what the control's runs so far make of it. */
export function explainEvidence(
  { earlier, evidence }: GuardState,
  guards: readonly RolloutGuard[],
): readonly GuardEvidence[] {
  return guards.map((guard) => {
    const countBad = createCount(guard, earlier.control);
    return {
      guard,
      evidence: Math.exp(evidence.get(guard) ?? 0),
      needed: guards.length / ALPHA,
      counts: countBad
        ? { control: countBad(earlier.control), candidate: countBad(earlier.candidate) }
        : null,
    };
  });
}

type CountBad = (counts: ArmCounts) => Counts;

/** Made of the control's earlier runs alone: what is bad is settled before the slot is looked at. Undefined while too few are known. */
function createCount(guard: RolloutGuard, control: ArmCounts): CountBad | undefined {
  if (guard === 'failed') return ({ runs, failed }) => ({ count: runs, bad: failed });
  if (guard === 'slow') return countAbove(control.latency, SLOW, ({ latency }) => latency);
  if (guard === 'dear') return countAbove(control.cost, DEAR, ({ cost }) => cost);
  return countRatings(guard, control.ratings.get(guard) ?? new Map());
}

function countAbove(
  known: Histogram,
  share: number,
  histogramOf: (counts: ArmCounts) => Histogram,
): CountBad | undefined {
  const all = countWhere(known, () => true);
  if (all < MIN_RUNS) return undefined;
  const bucket = [...known.keys()]
    .sort((a, b) => a - b)
    .find((one) => countWhere(known, (other) => other > one) <= all * share);
  if (bucket === undefined) return undefined;
  return (counts) => {
    const histogram = histogramOf(counts);
    return { count: countWhere(histogram, () => true), bad: countWhere(histogram, (one) => one > bucket) };
  };
}

/** A `false` is bad; of numbers those below the best value of which at most half of the control's are. */
function countRatings(metric: string, known: Histogram): CountBad | undefined {
  const all = countWhere(known, () => true);
  if (all < MIN_RATINGS) return undefined;
  const value = [...known.keys()]
    .sort((a, b) => b - a)
    .find(
      (one) => one === Number.POSITIVE_INFINITY || countWhere(known, (other) => other < one) <= all * BAD,
    );
  const below = value ?? Number.POSITIVE_INFINITY;
  return ({ ratings }) => {
    const histogram = ratings.get(metric) ?? new Map();
    return { count: countWhere(histogram, () => true), bad: countWhere(histogram, (one) => one < below) };
  };
}

function countWhere(histogram: Histogram, is: (bucket: number) => boolean): number {
  let total = 0;
  for (const [bucket, count] of histogram) if (is(bucket)) total += count;
  return total;
}

export function addArms(a: ArmCounts, b: ArmCounts): ArmCounts {
  const metrics = [...new Set([...a.ratings.keys(), ...b.ratings.keys()])];
  return {
    runs: a.runs + b.runs,
    failed: a.failed + b.failed,
    latency: addHistograms(a.latency, b.latency),
    cost: addHistograms(a.cost, b.cost),
    ratings: new Map(
      metrics.map((metric) => [metric, addHistograms(a.ratings.get(metric), b.ratings.get(metric))]),
    ),
  };
}

function addHistograms(a: Histogram = new Map(), b: Histogram = new Map()): Histogram {
  if (b.size === 0) return a;
  const sums = new Map(a);
  for (const [bucket, count] of b) sums.set(bucket, (sums.get(bucket) ?? 0) + count);
  return sums;
}
