// What a trace says beside its texts stays within what an entry can hold.
import { describe, expect, it } from 'vitest';
import { createKeepDecision } from '../../../core/logs/build-entry.ts';

describe('decisions and patterns of an entry', () => {
  it('are kept as they are where there is room', () => {
    const keep = createKeepDecision();
    expect(keep({ decision: 'then', matched: ['refund'] })).toEqual({
      decision: 'then',
      matched: ['refund'],
    });
    expect(keep({})).toEqual({});
  });

  it('of a thousand steps take no more than one entry can hold, and each step still says which way it went', () => {
    const keep = createKeepDecision();
    const matched = Array.from({ length: 10 }, () => 'p'.repeat(100));
    const steps = Array.from({ length: 1_000 }, () => keep({ decision: 'then', matched }));
    expect(steps.every(({ decision }) => decision === 'then')).toBe(true);
    expect(steps.filter((step) => step.matched !== undefined)).toHaveLength(39);
    expect(JSON.stringify(steps).length).toBeLessThan(100_000);
  });

  it('are cut where one alone is long', () => {
    expect(createKeepDecision()({ decision: 'x'.repeat(5_000) }).decision).toHaveLength(1_000);
  });

  it('are text that DynamoDB takes, also where a character was cut in two', () => {
    const decision = `${'x'.repeat(999)}😀`;
    const kept = createKeepDecision()({ decision, matched: ['p\ud83d'] });
    expect(kept).toEqual({ decision: `${'x'.repeat(999)}\ufffd`, matched: ['p\ufffd'] });
  });
});
