// How many items share a limit of all requests: so many that each takes at most 500 writes a second.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../lib/config/config.ts';
import { toCounterShards } from '../../../lib/constructs/compute/function-environment.ts';
import { dev } from '../../../lib/stages/dev.ts';

describe('shards of a counter', () => {
  it.each([
    [100, 1],
    [500, 1],
    [501, 2],
    [1_000, 2],
    [10_000, 20],
  ])('for %i requests per second number %i', (counterPeakPerSecond, shards) => {
    expect(toCounterShards(parseStage({ ...dev, counterPeakPerSecond }))).toBe(shards);
  });

  it('default to one', () => {
    expect(toCounterShards(parseStage(dev))).toBe(1);
  });
});
