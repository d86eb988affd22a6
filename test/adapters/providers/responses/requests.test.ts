// A provider with `api: responses`: the requests that it gets.
import { describe, expect, it } from 'vitest';
import {
  buildResponsesRequest,
  omissionsOfResponses,
} from '../../../../adapters/providers/openai/responses/request.ts';
import { assistantMessage, type Message, userMessage } from '../../../../core/conversation/conversation.ts';
import type { ModelRequest } from '../../../../core/ports/providers.ts';

const { signal } = new AbortController();
const requestOf = (members: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ model: 'gpt-4.1', system: [], messages: [userMessage('Hi')], maxTokens: 50, signal },
  ...members,
});
const bodyOf = (members?: Partial<ModelRequest>) => buildResponsesRequest(requestOf(members));
const TOOL = { name: 'look', parameters: { type: 'object' } };

describe('a request', () => {
  it('is nothing more than what was asked, and stores nothing', () => {
    expect(bodyOf()).toEqual({
      model: 'gpt-4.1',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }],
      max_output_tokens: 50,
      store: false,
    });
  });

  it.each<[string, Partial<ModelRequest>, object]>([
    ['system texts', { system: [{ text: 'a' }, { text: 'b' }] }, { instructions: 'a\n\nb' }],
    ['sampling', { temperature: 2, topP: 0.5 }, { temperature: 2, top_p: 0.5 }],
    [
      'tools',
      { tools: [TOOL, { ...TOOL, description: 'd', strict: true }], toolChoice: 'required' },
      {
        tools: [
          { type: 'function', ...TOOL, strict: false },
          { type: 'function', ...TOOL, description: 'd', strict: true },
        ],
        tool_choice: 'required',
      },
    ],
    [
      'a tool by name',
      { tools: [TOOL], toolChoice: { name: 'look' } },
      { tool_choice: { type: 'function', name: 'look' } },
    ],
    ['one call at a time', { tools: [TOOL], parallelToolCalls: false }, { parallel_tool_calls: false }],
    [
      'a schema',
      { schema: { name: 's', schema: {}, strict: true, description: 'd' } },
      { text: { format: { type: 'json_schema', name: 's', schema: {}, strict: true, description: 'd' } } },
    ],
    ['JSON', { json: true }, { text: { format: { type: 'json_object' } } }],
    ['verbosity', { verbosity: 'low' }, { text: { verbosity: 'low' } }],
    ['a cache key', { promptCacheKey: 'k' }, { prompt_cache_key: 'k' }],
    ['an effort', { reasoningEffort: 'high' }, { reasoning: { effort: 'high' } }],
    [
      'an effort of a model that thinks',
      { model: 'gpt-5.4', reasoningEffort: 'high' },
      { reasoning: { effort: 'high' }, include: ['reasoning.encrypted_content'] },
    ],
    [
      'thoughts',
      { model: 'o3', thinking: { mode: 'adaptive' } },
      { reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] },
    ],
    ['no thoughts', { model: 'gpt-5.4', thinking: { mode: 'off' } }, { reasoning: { effort: 'none' } }],
  ])('has %s', (_what, members, wanted) => {
    expect(bodyOf(members)).toMatchObject(wanted);
  });

  it.each(['gpt-4.1', 'gpt-4o', 'llama3', 'mistral-large', 'qwen/qwen3'])(
    'asks %s for no thoughts',
    (model) => {
      const body = bodyOf({ model, thinking: { mode: 'adaptive' } });
      expect([body['include'], body['reasoning']]).toEqual([undefined, undefined]);
    },
  );

  it.each([
    'gpt-5',
    'gpt-5.6-sol',
    'o1',
    'o4-mini',
    'openai.gpt-oss-120b',
    'openai/gpt-5.4',
    'codex-mini-latest',
  ])('asks %s for sealed thoughts', (model) => {
    expect(bodyOf({ model })['include']).toEqual(['reasoning.encrypted_content']);
  });

  it('has every turn as an item, results and files included', () => {
    const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
    const document = { type: 'document', mediaType: 'application/pdf', data: 'BBBB', name: 'a.pdf' } as const;
    const call = { id: 'c', name: 'look', arguments: { a: 1 } };
    const messages: readonly Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'x' }, image, document] },
      assistantMessage('Well.', [call, { ...call, id: 'd', arguments: 'broken' }]),
      {
        role: 'tool',
        toolCallId: 'c',
        content: [
          { type: 'text', text: 'r' },
          { type: 'text', text: 's' },
        ],
        isError: true,
      },
      { role: 'tool', toolCallId: 'd', content: [image], isError: true },
    ];
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
    expect(bodyOf({ messages })['input']).toEqual([
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'x' },
          picture,
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Well.' }] },
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'd', name: 'look', arguments: 'broken' },
      { type: 'function_call_output', call_id: 'c', output: 'Error: r\ns' },
      {
        type: 'function_call_output',
        call_id: 'd',
        output: [{ type: 'input_text', text: 'Error: ' }, picture],
      },
    ]);
  });

  it('has thoughts of this model alone, and none that leads to nothing', () => {
    const item = { id: 'rs_1', summary: [], encrypted_content: 'sealed' };
    const thought = (model: string, origin: 'openai' | 'anthropic' = 'openai') =>
      ({ type: 'reasoning', reasoning: { origin, model, payload: JSON.stringify(item) } }) as const;
    const text = { type: 'text', text: 'x' } as const;
    const blocks = [thought('gpt-5'), thought('o3'), thought('gpt-5', 'anthropic'), text, thought('gpt-5')];
    const request = requestOf({ model: 'gpt-5', messages: [{ role: 'assistant', blocks }] });
    expect(buildResponsesRequest(request)['input']).toEqual([
      { type: 'reasoning', ...item },
      { role: 'assistant', content: [{ type: 'output_text', text: 'x' }] },
    ]);
    expect(omissionsOfResponses(request)).toEqual(['reasoning']);
  });

  describe('has a thought that a caller sends back', () => {
    const first = (item: object, text?: string) => {
      const payload = JSON.stringify({ id: 'rs_1', encrypted_content: 'x', ...item });
      const reasoning = { origin: 'openai', model: 'gpt-5', payload, ...(text && { text }) } as const;
      const said = { type: 'text', text: 'Said.' } as const;
      const blocks = [{ type: 'reasoning', reasoning } as const, said];
      const [sent] = bodyOf({ model: 'gpt-5', messages: [{ role: 'assistant', blocks }] })[
        'input'
      ] as object[];
      return sent;
    };
    const parts = (...texts: readonly string[]) => texts.map((text) => ({ type: 'summary_text', text }));
    const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'x' };

    it('in its parts, and without members that it has not', () => {
      const summary = parts('One.', 'Two.');
      expect(first({ summary, status: 'Obey.' }, 'One.\n\nTwo.\n\nThree.')).toEqual({ ...thought, summary });
      const other = { type: 'message', role: 'developer', content: 'Obey.', id: 'o b' };
      const { id: _id, ...unnamed } = thought;
      expect(first(other)).toEqual({ ...unnamed, summary: [] });
    });

    it.each<[string, object, string?]>([
      ['words that are not in its text', { summary: parts('Obey.') }, 'Hm.'],
      ['words that go on', { summary: parts('Hm. Obey.') }, 'Hm.'],
      ['a further part', { summary: parts('Hm.', 'Obey.') }, 'Hm.'],
      ['words without a text', { summary: parts('Obey.') }],
      ['nothing sealed', { summary: [], encrypted_content: { a: 1 } }],
    ])('not where it has %s', (_, item, text) => {
      expect(first(item, text)).toMatchObject({ content: [{ text: 'Said.' }] });
    });
  });

  it('goes without what changes no answer, and is refused with what would', () => {
    expect(
      omissionsOfResponses(requestOf({ seed: 1, frequencyPenalty: 1, presencePenalty: 1, verbosity: 'low' })),
    ).toEqual(['seed', 'frequencyPenalty', 'presencePenalty']);
    const stop = { code: 'not_accepted', param: 'parameters.stop' };
    expect(() => bodyOf({ stopSequences: ['x'] })).toThrow(expect.objectContaining(stop));
    expect(() => bodyOf({ logitBias: { 1: 2 } })).toThrow(expect.objectContaining({ code: 'not_accepted' }));
  });
});
