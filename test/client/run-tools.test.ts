// The loop of an agent: it runs what the model wants, sends everything back, and ends.
import { describe, expect, it } from 'vitest';
import {
  NeuronClient,
  type NeuronMessage,
  type RunnableTool,
  runTools,
  ToolLoopError,
} from '../../client/src/index.ts';

interface Body {
  readonly messages: readonly NeuronMessage[];
  readonly tools: readonly unknown[];
}

/** Answers the n-th call with the n-th answer, and with the last one ever after. */
function serviceOf(...answers: readonly object[]) {
  const bodies: Body[] = [];
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const answer = answers[Math.min(bodies.length, answers.length - 1)];
    bodies.push(JSON.parse(String(init?.body)) as Body);
    return Response.json({ fromCache: false, executionStopped: false, ...answer });
  };
  return { bodies, client: new NeuronClient({ fetch, baseURL: 'https://n.example.com' }) };
}

const wants = (...names: string[]) => ({
  output: '',
  toolCalls: names.map((name, index) => ({ id: `c${index}`, name, arguments: { at: index } })),
});
const tool = (name: string, run: RunnableTool['run']): RunnableTool => ({ name, run });

describe('runTools', () => {
  it('runs every call of an answer and sends the results in their order, whichever ends first', async () => {
    const { client, bodies } = serviceOf(wants('slow', 'quick'), { output: 'Done.' });
    const ended: string[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const result = await runTools(client, 'acme', 'agent', {
      input: 'Go.',
      parameters: { maxTokens: 9 },
      tools: [
        {
          name: 'slow',
          description: 'Slow.',
          run: async () => {
            await held;
            ended.push('slow');
            return 'late';
          },
        },
        tool('quick', ({ at }) => {
          ended.push('quick');
          release();
          return { at };
        }),
      ],
    });
    expect(ended).toEqual(['quick', 'slow']);
    expect(result).toMatchObject({ output: 'Done.', calls: 2 });
    const conversation = [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c0', type: 'function', function: { name: 'slow', arguments: '{"at":0}' } },
          { id: 'c1', type: 'function', function: { name: 'quick', arguments: '{"at":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c0', content: 'late' },
      { role: 'tool', tool_call_id: 'c1', content: '{"at":1}' },
    ];
    expect(result.messages).toEqual(conversation);
    expect(bodies).toEqual([
      {
        messages: [conversation[0]],
        parameters: { maxTokens: 9 },
        tools: [
          { type: 'function', function: { name: 'slow', description: 'Slow.' } },
          { type: 'function', function: { name: 'quick' } },
        ],
      },
      expect.objectContaining({ messages: conversation }),
    ]);
  });

  it('keeps the text beside calls, and goes on from a conversation', async () => {
    const { client, bodies } = serviceOf({ ...wants('f'), output: 'Let me see.' }, { output: 'Yes.' });
    const messages: NeuronMessage[] = [{ role: 'user', content: 'One' }];
    await runTools(client, 'acme', 'agent', { messages, tools: [tool('f', () => undefined)] });
    expect(bodies[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Let me see.' },
      { role: 'tool', content: '' },
    ]);
    expect(messages).toHaveLength(1);
  });

  it('tells the model of a tool that is not there', async () => {
    const { client, bodies } = serviceOf(wants('other'), { output: 'Sorry.' });
    await runTools(client, 'acme', 'agent', { input: 'x', tools: [tool('f', () => 'x')] });
    expect(bodies[1]?.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c0',
      content: 'There is no tool other.',
    });
  });

  it('ends with a typed error where the model never stops, with the conversation', async () => {
    const { client, bodies } = serviceOf(wants('f'));
    const error = await runTools(client, 'acme', 'agent', {
      input: 'x',
      tools: [tool('f', () => 'x')],
      maxCalls: 3,
    }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolLoopError);
    expect(error).toMatchObject({ name: 'ToolLoopError', message: expect.stringContaining('after 3 calls') });
    expect((error as ToolLoopError).messages).toHaveLength(7);
    expect(bodies).toHaveLength(3);
  });

  it('throws what a tool or a call throws', async () => {
    const { client } = serviceOf(wants('f'));
    const broken = runTools(client, 'acme', 'agent', {
      input: 'x',
      tools: [
        tool('f', () => {
          throw new RangeError('no such city');
        }),
      ],
    });
    await expect(broken).rejects.toThrow(RangeError);
    const aborted = runTools(client, 'acme', 'agent', { input: 'x', tools: [], signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ reason: 'abort' });
  });
});
