// Many values, some at a time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapAtOnce } from '../../../core/async/at-once.ts';

describe('running something for many values', () => {
  it('gives every result in its place, with never more under way than allowed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5)), fc.integer({ min: 1, max: 9 }), async (turns, atOnce) => {
        let running = 0;
        let most = 0;
        const results = await mapAtOnce([...turns.entries()], atOnce, async ([index, wait]) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < wait; turn += 1) await Promise.resolve();
          running -= 1;
          return index;
        });
        expect(results).toEqual(turns.map((_, index) => index));
        expect(most).toBe(Math.min(Math.max(most, 0), atOnce, turns.length));
      }),
    );
  });

  it('uses all that it may', async () => {
    let most = 0;
    let running = 0;
    await mapAtOnce(Array.from({ length: 100 }), 8, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    });
    expect(most).toBe(8);
  });

  it('fails with the first failure, and begins nothing after it', async () => {
    const begun: number[] = [];
    const running = mapAtOnce([0, 1, 2, 3, 4, 5], 2, async (value) => {
      begun.push(value);
      await new Promise(setImmediate);
      if (value === 1) throw new Error('the second failed');
    });
    await expect(running).rejects.toThrow('the second failed');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
  });
});
