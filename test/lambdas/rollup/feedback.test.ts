// Events of feedback: one for each value, sent again with its batch, and given up before they keep usage from being counted.
import { describe, expect, it } from 'vitest';
import type { FeedbackDetail } from '../../../core/contract/feedback-event.ts';
import { sendFeedback } from '../../../lambdas/rollup/feedback.ts';
import { NOON_MS } from '../../core/logs/entries.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { createMemoryLines } from '../../support/memory/lines.ts';

type Streamed = Parameters<typeof sendFeedback>[0][number];

const streamed = (id: string, isFeedback = true): Streamed =>
  ({
    sequenceNumber: `at-${id}`,
    putAtMs: NOON_MS,
    record: {},
    entry: {
      ...{ executionId: isFeedback ? `${id}#stars` : id, timeMs: NOON_MS - 60_000 },
      ...{ organization: 'acme', organizationId: 'org-1', neuron: 'hello', neuronId: 'neu-1' },
      ...{ version: 'v2', username: 'ada', rollout: { id: 'r1', arm: 'candidate' } },
      ...(isFeedback ? { feedback: { of: id, metric: 'stars', value: 4, comment: 'a secret' } } : {}),
    },
  }) as unknown as Streamed;

function ports(send: (detail: FeedbackDetail) => Promise<void>) {
  const [clock, lines] = [createMemoryClock(NOON_MS), createMemoryLines()];
  return { clock, lines, stage: 'test', feedbackEvents: { send } };
}

describe('events of feedback', () => {
  it('name answer, metric and value, and neither user nor comment', async () => {
    const sent: FeedbackDetail[] = [];
    const entries = [streamed('a', false), streamed('b'), { ...streamed('c'), entry: undefined }];
    expect(
      await sendFeedback(
        entries,
        ports(async (detail) => void sent.push(detail)),
      ),
    ).toBeUndefined();
    expect(sent).toEqual([
      {
        ...{ version: 1, id: 'b#stars', stage: 'test', organization: 'acme', organizationId: 'org-1' },
        ...{ neuron: 'hello', neuronId: 'neu-1', executionId: 'b', neuronVersion: 'v2' },
        ...{ answeredAt: new Date(NOON_MS - 60_000).toISOString(), at: new Date(NOON_MS).toISOString() },
        ...{ rollout: { id: 'r1', arm: 'candidate' }, metric: 'stars', value: 4 },
      },
    ]);
  });

  it('come again from the first that was not sent, and not those before its ten', async () => {
    const entries = Array.from({ length: 25 }, (_, at) => streamed(`e${at}`));
    const sent: string[] = [];
    const input = ports(async ({ id }) => {
      if (id === 'e12#stars') throw new Error('down');
      sent.push(id);
    });
    expect(await sendFeedback(entries, input)).toBe('at-e12');
    expect(sent).toHaveLength(19);
    expect(input.lines.lines).toEqual([]);
  });

  it('are given up after five minutes, with a line, so that counting goes on', async () => {
    const input = ports(() => Promise.reject(new Error('down')));
    await input.clock.advance(5 * 60_000 - 1);
    expect(await sendFeedback([streamed('a'), streamed('b')], input)).toBe('at-a');
    await input.clock.advance(1);
    expect(await sendFeedback([streamed('a'), streamed('b')], input)).toBeUndefined();
    expect(input.lines.lines).toEqual(['{"neuronFeedbackEventsLost":2}']);
  });
});
