// Guards of type `schema`: the text of an answer, and the arguments of a tool, whole, streamed and from the cache.
import { describe, expect, it } from 'vitest';
import { openGuarded, textOf } from './function.ts';

const TICKET = {
  type: 'object',
  properties: { level: { enum: ['low', 'high'] } },
  required: ['level'],
  additionalProperties: false,
};
const library = {
  ticket: { type: 'schema', schema: TICKET },
  refund: {
    type: 'schema',
    tool: 'refund',
    schema: {
      type: 'object',
      properties: { cents: { type: 'integer', maximum: 5_000 } },
      required: ['cents'],
    },
  },
};
const blockTicket = [{ use: 'ticket', on: ['output'], action: 'block', text: 'No ticket.' }];
const blockRefund = [{ use: 'refund', on: ['toolCalls'], action: 'block' }];
const FOUND = [{ type: 'mismatch', count: 1 }];
const TOOLS = ['find', 'refund'].map((name) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
}));
const ASK = { messages: [{ role: 'user', content: 'Hello' }], tools: TOOLS };
const both = [{ stream: false }, { stream: true }];

describe('a schema of answers', () => {
  it.each(both)('lets one through that fits ($stream)', async ({ stream }) => {
    const model = openGuarded({ library, guards: blockTicket }, () => ({ text: ' {"level":"high"}\n' }));
    const { status, text, headers } = await model.call({ input: 'Hello' }, { stream });
    expect([status, textOf(text)]).toEqual([200, ' {"level":"high"}\n']);
    expect(headers['X-Stream']).toBe(stream ? 'whole' : undefined);
    expect(model.entries[0]?.guards).toBeUndefined();
  });

  const WRONG = [
    '',
    'high',
    '{"level":"middle"}',
    '{"level":"low","more":1}',
    '{"level":"low"',
    '["low"]',
    'null',
  ];

  it.each(WRONG.flatMap((wrong) => both.map((one) => ({ wrong, ...one }))))(
    'blocks $wrong (streamed: $stream), which is nowhere',
    async ({ wrong, stream }) => {
      const model = openGuarded({ library, guards: blockTicket }, () => ({ text: wrong, size: 3 }));
      const { status, text } = await model.call({ input: 'Hello' }, { stream });
      expect([status, textOf(text)]).toEqual([200, 'No ticket.']);
      expect(model.entries[0]?.guards).toEqual([
        { guard: 'ticket', type: 'schema', stage: 'output', action: 'block', finds: FOUND },
      ]);
      expect(model.entries[0]?.outcome).toBe('stopped');
    },
  );

  it('only counts with action: flag, and streams live', async () => {
    const guards = [{ use: 'ticket', on: ['output'], action: 'flag' }];
    const model = openGuarded({ library, guards }, () => ({ text: 'high', size: 1 }));
    const { text, headers } = await model.call({ input: 'Hello' }, { stream: true });
    expect([textOf(text), headers['X-Stream']]).toEqual(['high', 'live']);
    expect(model.entries[0]?.guards?.[0]?.finds).toEqual(FOUND);
  });

  it('is of no text beside calls of tools', async () => {
    const model = openGuarded({ library, guards: blockTicket }, () => ({
      toolCalls: [{ name: 'find', arguments: '{}' }],
    }));
    const { text } = await model.call(ASK);
    expect(JSON.parse(text).toolCalls).toHaveLength(1);
  });

  it('serves a kept answer that fits', async () => {
    const told = { text: '{"level":"high"}' };
    const settings = { caching: { exact: true } };
    const model = openGuarded({ library, guards: blockTicket, settings }, () => told);
    await model.call({ input: 'Hello' });
    const second = await model.call({ input: 'Hello' });
    expect(JSON.parse(second.text)).toMatchObject({ fromCache: true });
    expect(model.asked).toHaveLength(1);
  });
});

describe('a schema of the arguments of a tool', () => {
  const call = (name: string, args: string) => ({ toolCalls: [{ name, arguments: args }] });

  it.each(both)('lets a call through that fits ($stream)', async ({ stream }) => {
    const model = openGuarded({ library, guards: blockRefund }, () => call('refund', '{"cents":5000}'));
    const { text } = await model.call(ASK, { stream });
    expect(text.replaceAll('\\', '')).toContain('"cents":5000');
  });

  const CALLS = [call('refund', '{"cents":5001}'), call('refund', '{"euros":1}'), call('refund', '{}')];

  it.each(CALLS.flatMap((told) => both.map((one) => ({ told, ...one }))))(
    'blocks $told (streamed: $stream) before it leaves',
    async ({ told, stream }) => {
      const model = openGuarded({ library, guards: blockRefund }, () => ({ ...told, text: 'I refund.' }));
      const { text } = await model.call(ASK, { stream });
      expect(text).not.toMatch(/cents|euros|toolCall"/);
      expect(model.entries[0]?.guards).toEqual([
        { guard: 'refund', type: 'schema', stage: 'toolCalls', action: 'block', finds: FOUND },
      ]);
    },
  );

  it('is of no other tool', async () => {
    const model = openGuarded({ library, guards: blockRefund }, () => call('find', '{"cents":9999}'));
    expect((await model.call(ASK)).text.replaceAll('\\', '')).toContain('9999');
    expect(model.entries[0]?.guards).toBeUndefined();
  });

  it('counts each call', async () => {
    const wrong = { name: 'refund', arguments: '{"cents":9999}' };
    const model = openGuarded({ library, guards: blockRefund }, () => ({ toolCalls: [wrong, wrong] }));
    await model.call(ASK);
    expect(model.entries[0]?.guards?.[0]?.finds).toEqual([{ type: 'mismatch', count: 2 }]);
  });
});
