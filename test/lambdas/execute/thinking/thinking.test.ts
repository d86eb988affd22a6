// Thoughts with calls of tools over three rounds: they come back to the model that signed them, byte for byte, and reach nobody else.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Block, openFunction, typesOf } from './function.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const TOOL = { name: 'look', input_schema: { type: 'object' } };

/** What a client makes of the events of a message (MessageStream of @anthropic-ai/sdk): a signature replaces, a text adds up. */
function readEvents(text: string): readonly Block[] {
  const content: Record<string, unknown>[] = [];
  for (const data of text.matchAll(/^data: (.*)$/gm)) {
    const { type, index, content_block: block, delta } = JSON.parse(data[1] ?? '');
    if (type === 'content_block_start') {
      expect(index).toBe(content.length);
      content.push({ ...block });
    }
    if (type !== 'content_block_delta') continue;
    const open = content.at(-1) ?? {};
    if (delta.type === 'text_delta') open['text'] = `${String(open['text'])}${delta.text}`;
    if (delta.type === 'thinking_delta') open['thinking'] = `${String(open['thinking'])}${delta.thinking}`;
    if (delta.type === 'signature_delta') open['signature'] = delta.signature;
    if (delta.type === 'input_json_delta') open['input'] = JSON.parse(delta.partial_json);
  }
  return content as unknown as readonly Block[];
}

/** One session of an agent: it sends back all that it was answered, with a result for each call. */
function openSession({ call, kept }: ReturnType<typeof openFunction>, stream: boolean) {
  const messages: object[] = [{ role: 'user', content: 'Look around.' }];
  return async (slug: string, members: object = { thinking: { type: 'adaptive' } }) => {
    const request = { max_tokens: 4_000, tools: [TOOL], messages, stream, ...members };
    const { status, text, leftOut } = await call('anthropic', slug, request);
    expect([status, status === 200 ? '' : text + kept()]).toEqual([200, '']);
    const content = stream ? readEvents(text) : (JSON.parse(text).content as readonly Block[]);
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'a wall' }));
    if (results.length > 0) messages.push({ role: 'user', content: results });
    return { content, leftOut };
  };
}

const ROUND = ['thinking', 'redacted_thinking', 'text', 'tool_use'];
const LAST = ['thinking', 'redacted_thinking', 'text'];
const ADAPTIVE = { thinking: { type: 'adaptive' } };
const BUDGET = { thinking: { type: 'enabled', budget_tokens: 2_000 } };

describe.each([
  ['whole', false],
  ['streamed', true],
] as const)('a session of Messages, %s', (_how, stream) => {
  it.each([
    ['claude', ADAPTIVE],
    ['claude', BUDGET],
    ['aws', ADAPTIVE],
    ['aws', BUDGET],
    ['gpt', ADAPTIVE],
    ['gpt', BUDGET],
    ['passed', ADAPTIVE],
    ['passed', BUDGET],
    ['passed-aws', ADAPTIVE],
    ['passed-aws', BUDGET],
  ] as const)('keeps the thoughts of %s over three rounds, asked with %j', async (slug, members) => {
    const own = openFunction();
    const round = openSession(own, stream);
    expect(typesOf((await round(slug, members)).content)).toEqual(ROUND);
    expect(typesOf((await round(slug, members)).content)).toEqual(ROUND);
    const { content, leftOut } = await round(slug, members);
    expect(typesOf(content)).toEqual(LAST);
    expect(content.at(-1)).toMatchObject({ text: 'Done after 2.' });
    expect(leftOut).toBe('');
    expect(own.received.map(({ status }) => status)).toEqual([200, 200, 200]);
    // The vendor's own blocks, in the order in which it sent them.
    const last = own.received.at(-1)?.body ?? '';
    expect(last).toContain(' Round 0: a\u0308 \ud83d\ude00\\n');
    expect(last).toContain(' Round 1: a\u0308 \ud83d\ude00\\n');
    expect(last).not.toContain('nr1.');
  });

  it.each([
    ['claude', 'another provider', 'aws'],
    ['claude', 'another model', 'newer'],
    ['claude', 'another neuron', 'twin'],
    ['claude', 'another provider of the same kind', 'other'],
    ['claude', 'one that passes requests on', 'passed'],
    ['passed', 'one that translates them', 'claude'],
    ['passed', 'another provider that gets them as they are', 'passed-aws'],
    ['passed-aws', 'another provider', 'passed'],
    ['gpt', 'another vendor', 'claude'],
    ['gpt', 'another vendor that gets them as they are', 'passed'],
    ['passed', 'another vendor', 'gpt'],
    ['gpt', 'another model', 'other-gpt'],
  ])('goes from %s on with %s in the middle of its calls', async (from, _who, slug) => {
    const own = openFunction();
    for (const members of [ADAPTIVE, BUDGET]) {
      const round = openSession(own, stream);
      await round(from, members);
      const { leftOut } = await round(slug, members);
      if (!stream) expect(leftOut).toContain('messages[].reasoning');
      await round(from, members);
    }
    expect(own.received.every(({ status }) => status === 200)).toBe(true);
  });

  it('gives no thoughts where the step takes none, and names what it leaves out', async () => {
    const own = openFunction();
    const round = openSession(own, stream);
    await round('claude');
    const { content, leftOut } = await round('quiet');
    expect(typesOf(content)).toEqual(['text', 'tool_use']);
    expect(leftOut).toContain('thinking');
    expect(leftOut).toContain('messages[].reasoning');
  });
});

describe('a thought', () => {
  it('is in no entry, line or cache, and reaches no other provider, neuron or form', async () => {
    const own = openFunction();
    const round = openSession(own, true);
    const { content } = await round('claude');
    const sealed = content.flatMap(({ signature, data }) =>
      [signature, data].filter((one) => one !== undefined),
    );
    // What the vendor made, as it made it, and what this service made of it.
    const made = ['Round 0', 'aGlkZGVuIDA=', ...sealed.map(String)];
    expect(sealed).toHaveLength(2);
    await round('aws');
    await round('other');
    const { text } = await own.call('openai', 'claude', { messages: [{ role: 'user', content: 'Think.' }] });
    // An answer with thoughts and without calls: others like it are stored.
    await own.call('anthropic', 'claude', {
      ...{ max_tokens: 4_000, ...ADAPTIVE, messages: [{ role: 'user', content: 'Look.' }] },
      tools: [],
    });
    const elsewhere = own.received.filter(({ body }, index) => index > 0 && !body.includes('Look.'));
    expect(elsewhere.length).toBeGreaterThan(1);
    for (const one of made) {
      expect(own.kept()).not.toContain(one);
      expect(text).not.toContain(one);
      for (const { body } of elsewhere) expect(body).not.toContain(one);
    }
    expect(own.entries.length).toBeGreaterThan(3);
  });

  it('is not stored with an answer, which would be told without it', async () => {
    const own = openFunction();
    const question = [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }];
    const answered = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'x' }] },
    ];
    const request = { max_tokens: 4_000, tools: [TOOL], messages: [...question, ...answered] };
    await own.call('anthropic', 'claude', { ...request, ...ADAPTIVE });
    expect(own.stored).toHaveLength(0);
    await own.call('anthropic', 'claude', request);
    expect(own.stored).toHaveLength(1);
  });
});
