// Thoughts over three rounds of Responses, whose items a client without a store sends back as they came.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Block, openFunction, typesOf } from './function.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

/** The items of a response; those of a stream are in its last event, and each of them was sent before. */
function readItems(text: string, stream: boolean): readonly Block[] {
  if (!stream) return JSON.parse(text).output;
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  const done = events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  const { output } = events.at(-1).response;
  expect(done).toEqual(output);
  return output;
}

describe.each([
  ['whole', false],
  ['streamed', true],
] as const)('a session of Responses, %s', (_how, stream) => {
  const FUNCTION = { type: 'function', name: 'look', parameters: { type: 'object' } };
  const SEALED = { include: ['reasoning.encrypted_content'], reasoning: { effort: 'high', summary: 'auto' } };

  /** What an agent does without a store: it sends all items back. */
  function openResponses({ call, kept }: ReturnType<typeof openFunction>) {
    const input: object[] = [{ role: 'user', content: 'Look around.' }];
    return async (slug: string, members: object = SEALED) => {
      const { status, text } = await call('responses', slug, {
        input,
        tools: [FUNCTION],
        stream,
        ...members,
      });
      expect([status, status === 200 ? '' : text + kept()]).toEqual([200, '']);
      const items = readItems(text, stream);
      input.push(...items);
      for (const { type, call_id } of items) {
        if (type === 'function_call') input.push({ type: 'function_call_output', call_id, output: 'a wall' });
      }
      return items;
    };
  }

  it.each(['claude', 'aws', 'gpt'])('keeps the thoughts of %s over three rounds', async (slug) => {
    const own = openFunction();
    const round = openResponses(own);
    const first = await round(slug);
    expect(typesOf(first)).toEqual(['reasoning', 'reasoning', 'message', 'function_call']);
    expect(first[0]).toMatchObject({
      summary: [{ type: 'summary_text', text: ' Round 0: a\u0308 \ud83d\ude00\n' }],
      encrypted_content: expect.stringMatching(/^nr1\./),
    });
    expect(first[1]).toMatchObject({ summary: [], encrypted_content: expect.stringMatching(/^nr1\./) });
    await round(slug);
    expect(typesOf(await round(slug))).toEqual(['reasoning', 'reasoning', 'message']);
    expect(own.received.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(own.received.at(-1)?.body).toContain(' Round 1: a\u0308 \ud83d\ude00\\n');
  });

  it('says nothing of thoughts that it was not asked for, and goes on with another provider', async () => {
    const own = openFunction();
    const round = openResponses(own);
    expect(typesOf(await round('claude', { reasoning: { effort: 'high' } }))).toEqual([
      'message',
      'function_call',
    ]);
    await round('claude');
    await round('aws');
    expect(own.received.every(({ status }) => status === 200)).toBe(true);
  });
});
