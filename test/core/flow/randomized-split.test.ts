// Splits by chance: where the line is for injected values, and how often each branch is taken.

import { describe, expect, it, test } from 'vitest';
import { conversationOf } from '../../../core/conversation/conversation.ts';
import { runFlow } from '../../../core/flow/run.ts';
import type { Random } from '../../../core/ports/platform.ts';
import { flowSchema } from '../../../core/settings/flow-schema.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryRandom } from '../../support/memory/random.ts';
import { flowPorts } from './flow-ports.ts';

async function split(percentageA: number, random: Pick<Random, 'fraction'>, more: object = {}) {
  const clock = createMemoryClock(0);
  const deadline = startDeadline(clock, 60_000);
  const flow = flowSchema.parse([
    {
      randomizedSplit: {
        percentageA,
        a: [{ serveOutput: { text: 'a' } }],
        b: [{ serveOutput: { text: 'b' } }],
        ...more,
      },
    },
  ]);
  const context = { conversation: conversationOf(''), username: undefined, executionId: 'e', deadline };
  const result = await runFlow(flow, context, flowPorts({ clock, random }));
  deadline.end();
  return result;
}

describe('a split', () => {
  test.each([
    [0, 0, 'b'],
    [100, 0.999_999_999, 'a'],
    [50, 0.499_99, 'a'],
    [50, 0.5, 'b'],
    [0.01, 0.000_099, 'a'],
    [0.01, 0.000_1, 'b'],
    [99.99, 0.999_899, 'a'],
    [99.99, 0.999_9, 'b'],
    // 0.29 · 100 is 28.999… in binary: rounding down would lose a part.
    [0.29, 0.002_899, 'a'],
    [0.29, 0.002_901, 'b'],
  ])(
    'of %f percent takes for %f the branch %s and says so in the trace',
    async (percentageA, value, branch) => {
      const result = await split(percentageA, { fraction: () => value });
      expect(result).toMatchObject({ output: branch });
      expect(result.trace[0]).toEqual({ type: 'randomizedSplit', atMs: 0, decision: branch });
    },
  );

  it('continues with the list when the drawn branch is absent', async () => {
    expect(await split(0, { fraction: () => 0 }, { b: undefined })).toMatchObject({ output: '' });
  });

  it.each([10, 50, 97.5])('of %f percent is that often A, over many requests', async (percentageA) => {
    const random = createMemoryRandom(7);
    const runs = 20_000;
    let taken = 0;
    for (let index = 0; index < runs; index += 1) {
      if ((await split(percentageA, random)).trace[0]?.decision === 'a') taken += 1;
    }
    // Four standard deviations of the binomial distribution at its widest: 4 · √(0.25 / 20000) is 1.4 %.
    expect(Math.abs((taken / runs) * 100 - percentageA)).toBeLessThan(1.5);
  });

  test.each([-1, 100.01, 12.345, Number.NaN, '50'])('refuses %s as a percentage', (percentageA) => {
    expect(flowSchema.safeParse([{ randomizedSplit: { percentageA } }]).success).toBe(false);
  });
});
