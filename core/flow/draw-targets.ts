// The order in which a model call asks its models: targets drawn by weight, then the fallbacks as they are written.
import type { Random } from '../ports/platform.ts';
import { type CallTargets, type ModelReference, primaryTargets } from '../settings/call-targets.ts';
import { sum } from '../text/numbers.ts';

/**
 * Each target once. The chance to be the next one is its share of the weights that are left. One random number is drawn for each target but
 * the last, always as many, so that recorded numbers give the same order again.
 */
export function drawTargets(call: CallTargets, random: Pick<Random, 'fraction'>): readonly ModelReference[] {
  const left = [...primaryTargets(call)];
  const drawn: ModelReference[] = [];
  while (left.length > 0) {
    const index = left.length === 1 ? 0 : pick(left, random.fraction());
    drawn.push(...left.splice(index, 1).map(({ provider, model }) => ({ provider, model })));
  }
  return drawn;
}

/** The index whose part of the weights holds a fraction of all of them. */
function pick(targets: readonly { readonly weight: number }[], fraction: number): number {
  let point = fraction * sum(targets.map(({ weight }) => weight));
  const index = targets.findIndex(({ weight }) => {
    point -= weight;
    return point < 0;
  });
  // Rounding may leave the point at the very end.
  return index === -1 ? targets.length - 1 : index;
}
