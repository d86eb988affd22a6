// The step `randomizedSplit`: branches by chance, anew for each request.
import type { RandomizedSplit } from '../settings/flow-schema.ts';
import type { RunStep } from './step.ts';

/** A percentage has at most two decimals, so ten thousand equal parts decide it without rounding. */
const PARTS = 10_000;

export const runRandomizedSplit: RunStep<RandomizedSplit> = ({ percentageA, a, b }, { ports }) => {
  const part = Math.floor(ports.random.fraction() * PARTS);
  const takesA = part < Math.round((percentageA * PARTS) / 100);
  return { trace: { decision: takesA ? 'a' : 'b' }, next: takesA ? a : b };
};
