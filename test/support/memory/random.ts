// Seeded random numbers: the same seed gives the same sequence.
import type { Random } from '../../../core/ports/platform.ts';

/** A linear congruential generator modulo 2^32 (Numerical Recipes, 2nd edition, section 7.1): even enough for tests, never for secrets. */
export function createMemoryRandom(seed = 1): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
  return {
    fraction: () => next() / 2 ** 32,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() >>> 24),
  };
}
