// Guards by services that only flag: what they find after the line of their request is written is counted by a line of its own.
import { describe, expect, it } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { Chaos } from '../../../adapters/providers/fixture-server.ts';
import { BLOCK, FORMS, inTime, open, PASS } from './one-service.ts';

/** A request whose guard is asked when its answer is there, with the metrics of each of its lines. */
async function flagged(answer: FakeAnswer | Chaos, form: (typeof FORMS)[number] | undefined = FORMS[0]) {
  const model = open({ action: 'flag' }, answer);
  const json = form?.surface === 'native' ? { input: 'Hello' } : undefined;
  expect((await inTime(model.call(json ?? {}, form), model.clock)).status).toBe(200);
  const lines = model.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const own = lines.filter((line) => 'neuronEntry' in line);
  const late = lines.filter((line) => 'neuronGuardFlagged' in line || 'neuronGuardUnavailable' in line);
  return { own, late, entry: model.entries[0], text: JSON.stringify(lines) };
}

const TOXIC: FakeAnswer = {
  status: 200,
  body: { verdict: 'block', finds: [{ type: 'TOXIC', text: 0, start: 0, end: 5 }] },
};

describe('a service that flags', () => {
  it.each(FORMS.filter(({ surface }) => surface === 'native'))(
    'is counted once when it finds something, streamed: $stream',
    async (form) => {
      const { own, late, entry, text } = await flagged(TOXIC, form);
      expect(own).toHaveLength(1);
      expect([...own, ...late].filter((line) => line['GuardFlagged'] === 1)).toHaveLength(1);
      expect(own[0]).not.toHaveProperty('GuardUnavailable');
      expect(entry?.guards).toMatchObject([{ finds: [{ type: 'TOXIC', count: 1 }] }]);
      expect(text).not.toContain('Hello');
      for (const line of late)
        expect(line).toMatchObject({ organization: 'acme', neuron: 'support', executionId: 'call-1' });
    },
  );

  it('has failed nobody while it is asked, and counts nothing where it finds nothing', async () => {
    const { own, late } = await flagged(PASS);
    expect(own[0]).not.toHaveProperty('GuardUnavailable');
    expect(late).toEqual([]);
  });

  it.each<[string, FakeAnswer | Chaos]>([
    ['nothing in its time', 'stall'],
    ['503', { status: 503, body: BLOCK.body }],
    ['401', { status: 401, body: BLOCK.body }],
  ])('is counted as unavailable, once, where it answers %s', async (_name, answer) => {
    const { own, late, entry } = await flagged(answer);
    const counting = [...own, ...late].filter((line) => line['GuardUnavailable'] === 1);
    expect(counting).toHaveLength(1);
    expect(counting[0]).toHaveProperty('_aws.CloudWatchMetrics.0.Metrics.0.Name', expect.any(String));
    expect(entry?.guards?.[0]?.notJudged).toMatch(/timeout|server_error|rejected/);
  });
});
