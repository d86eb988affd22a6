// Chance within its bounds.
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../adapters/platform/random.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';

describe.each([
  ['of the system', systemRandom],
  ['in memory', createMemoryRandom(7)],
])('chance %s', (_name, random) => {
  it('lies between 0 and 1, without 1, and on both sides of the middle', () => {
    const fractions = Array.from({ length: 1_000 }, () => random.fraction());
    expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true);
    const low = fractions.filter((fraction) => fraction < 0.5).length;
    // Beyond these bounds once in more than 10^30 runs.
    expect(low).toBeGreaterThan(300);
    expect(low).toBeLessThan(700);
  });

  it('gives as many bytes as are asked for, and others the next time', () => {
    expect(random.bytes(16)).toHaveLength(16);
    expect(random.bytes(16)).not.toEqual(random.bytes(16));
  });
});

describe('chance in memory', () => {
  it('repeats with its seed', () => {
    expect(createMemoryRandom(3).bytes(8)).toEqual(createMemoryRandom(3).bytes(8));
  });
});
