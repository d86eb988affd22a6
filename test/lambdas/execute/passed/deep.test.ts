// A message that is passed on is written as it is: one that is nested deeper than can be written is a malformed answer.
import { expect, it } from 'vitest';
import { named } from '../../../adapters/providers/streams/protocols.ts';
import { REQUEST } from './claude-request.ts';
import { EVENTS, EVENTS_TYPE, JSON_TYPE, MESSAGE, openNeuron } from './neuron.ts';

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const insert = (text: string, levels: number) => text.replace('"DEEP"', () => nested(levels));
const whole = (levels: number) => ({
  headers: JSON_TYPE,
  pieces: [insert(JSON.stringify({ ...MESSAGE, novelty: 'DEEP' }), levels)],
});
/** Beside what the message is put together of. */
const event = (levels: number) => ({
  headers: EVENTS_TYPE,
  pieces: EVENTS.map((one) =>
    one.type === 'content_block_start'
      ? insert(named(Object.assign({ novelty: 'DEEP' }, one)), levels)
      : named(one),
  ),
});
/** Each event is flat, and what they come to is not: the input of a tool of the vendor. */
const pieces = (levels: number) => ({
  headers: EVENTS_TYPE,
  pieces: EVENTS.flatMap((one) => {
    const isOfFirst = one['index'] === 0;
    if (!isOfFirst || one.type !== 'content_block_start')
      return isOfFirst && one.type === 'content_block_delta' ? [] : [named(one)];
    const delta = { type: 'input_json_delta', partial_json: nested(levels) };
    return [named(one), named({ type: 'content_block_delta', index: 0, delta } as typeof one)];
  }),
});

it.each([
  ['whole', false, whole],
  ['in an event', true, event],
])('%s', async (_name, stream, answerOf) => {
  for (const levels of [250, 50_000]) {
    const { ask, entries } = openNeuron({ answer: answerOf(levels) });
    const { body } = await ask({ ...REQUEST, stream });
    expect(entries).toMatchObject([{ code: 'upstream_unavailable' }]);
    expect(body).not.toContain('"a":{"a":{"a"');
  }
  const { ask, entries } = openNeuron({ answer: answerOf(100) });
  expect((await ask({ ...REQUEST, stream })).body).toContain(nested(100));
  expect(entries[0]?.code).toBeUndefined();
});

it('in the pieces of an input', async () => {
  for (const levels of [250, 50_000]) {
    const { ask, entries } = openNeuron({ answer: pieces(levels) });
    await ask({ ...REQUEST, stream: true });
    expect(entries).toMatchObject([{ code: 'upstream_unavailable' }]);
  }
  const { ask, entries } = openNeuron({ answer: pieces(100) });
  await ask({ ...REQUEST, stream: true });
  expect(entries[0]?.code).toBeUndefined();
});
