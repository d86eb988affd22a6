// What the provider of a neuron that passes requests on is sent, and what no caller may send it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BETAS, REQUEST } from './claude-request.ts';
import { type Json, openNeuron } from './neuron.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('a request', () => {
  it.each([false, true])(
    'goes on as it is, with the headers that it goes by; streamed: %s',
    async (stream) => {
      const { ask, sent } = openNeuron();
      const headers = { 'Anthropic-Beta': BETAS, 'anthropic-version': ['2026-10-21'] };
      const { status, headers: answered } = await ask({ ...REQUEST, stream }, headers);
      expect([status, answered['X-Neuron-Left-Out']]).toEqual([200, undefined]);
      const [request] = sent;
      expect(sent).toHaveLength(1);
      expect(request?.body).toEqual({
        ...{ ...REQUEST, model: 'claude-sonnet-4-6', max_tokens: 500 },
        ...(stream ? { stream } : {}),
      });
      expect(request?.headers['anthropic-beta']).toBe(BETAS.join(','));
      expect(request?.headers['anthropic-version']).toBe('2026-10-21');
    },
  );

  it('adds its betas to those of the organization', async () => {
    const { ask, sent } = openNeuron({ callModel: { provider: 'beta' } });
    await ask({}, { 'anthropic-beta': ['a-2025-01-01'] });
    await ask({});
    expect(sent.map(({ headers }) => [headers['anthropic-beta'], headers['anthropic-version']])).toEqual([
      ['context-1m-2025-08-07,a-2025-01-01', '2023-06-01'],
      ['context-1m-2025-08-07', '2023-06-01'],
    ]);
  });

  it('begins with the text of the flow, and has the lower limit of tokens', async () => {
    const callModel = {
      provider: 'claude',
      model: 'm',
      maxTokens: 100,
      retries: 0,
      accepts: ['passThrough'],
    };
    const { ask, sent } = openNeuron({ flow: [{ systemInstructions: 'Own.' }, { callModel }] });
    await ask({ system: REQUEST.system });
    await ask({ system: 'Theirs.' });
    await ask({ max_tokens: 99 });
    const own = { type: 'text', text: 'Own.' };
    expect(sent.map(({ body: { system, max_tokens: tokens } }) => [tokens, system])).toEqual([
      [100, [own, ...REQUEST.system]],
      [100, [own, { type: 'text', text: 'Theirs.' }]],
      [99, [own]],
    ]);
    expect(sent.every(({ headers }) => headers['anthropic-version'] === '2023-06-01')).toBe(true);
  });

  it('keeps its budget for thoughts below the limit, or goes without', async () => {
    const thinking = { type: 'enabled', budget_tokens: 5_000, display: 'omitted' };
    const { ask, sent } = openNeuron({ callModel: { maxTokens: 2_000 } });
    await ask({ max_tokens: 9_000, thinking });
    const { headers } = await ask({ max_tokens: 1_024, thinking });
    expect(sent.map(({ body }) => body['thinking'])).toEqual([
      { ...thinking, budget_tokens: 1_999 },
      undefined,
    ]);
    expect(headers['X-Neuron-Left-Out']).toBe('thinking');
  });

  it.each<[string, object, string]>([
    ['fast', { speed: 'fast' }, 'speed'],
    ['a tier', { service_tier: 'priority' }, 'service_tier'],
    ['a place', { inference_geo: 'us' }, 'inference_geo'],
    ['other models', { fallbacks: [{ model: 'x' }] }, 'fallbacks'],
    ['billing', { billing_policy: {} }, 'billing_policy'],
    ['servers', { mcp_servers: [{ type: 'url', url: 'https://x.example' }] }, 'mcp_servers'],
    ['a container', { container: 'c' }, 'container'],
    ['a thread', { thread: {} }, 'thread'],
    ['a workspace', { workspace_id: 'w' }, 'workspace_id'],
    ['a profile', { user_profile_id: 'p' }, 'user_profile_id'],
    ['compaction', { compaction: {} }, 'compaction'],
    [
      'edits',
      { context_management: { edits: [{ type: 'compact_20260112' }] } },
      'context_management.edits[0].type',
    ],
    ['a search', { tools: [{ type: 'web_search_20250305', name: 'w' }] }, 'tools[0].type'],
    ['a fetch', { tools: [{ type: 'web_fetch_20250910', name: 'w' }] }, 'tools[0].type'],
    ['code', { tools: [{ type: 'code_execution_20250825', name: 'w' }] }, 'tools[0].type'],
    ['advice', { tools: [{ type: 'advisor_20260301', name: 'w' }] }, 'tools[0].type'],
    ['a toolset', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'w' }] }, 'tools[0].type'],
    ...['image', 'document'].flatMap((type) =>
      [
        { type: 'url', url: 'https://x.example/a.png' },
        { type: 'file', file_id: 'file_1' },
      ].map((source): [string, object, string] => [
        `${type} by ${source.type}`,
        { messages: [{ role: 'user', content: [{ type, source }] }] },
        'messages[0].content[0].source.type',
      ]),
    ),
    [
      'a file in a result',
      {
        messages: [
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't',
                content: [
                  {
                    type: 'document',
                    source: { type: 'content', content: [{ type: 'image', source: { type: 'file' } }] },
                  },
                ],
              },
            ],
          },
        ],
      },
      'messages[0].content[0].content[0].source.content[0].source.type',
    ],
    [
      'an upload',
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
      'messages[0].content[0].type',
    ],
  ])('that asks the vendor for more is refused: %s', async (_what, members, path) => {
    const { ask, sent } = openNeuron();
    const { status, body } = await ask(members);
    expect(status).toBe(400);
    expect(JSON.parse(body).error.message).toContain(
      `${path.replaceAll(/\[(\d+)\]/g, '.$1')}: is not passed on`,
    );
    expect(sent).toEqual([]);
  });

  it.each([
    ['speed', 'standard'],
    ['service_tier', 'auto'],
    ['fallbacks', []],
    ['mcp_servers', []],
    ['container', null],
  ])('that asks for nothing by %s goes on', async (name, value) => {
    const { ask, sent } = openNeuron();
    expect((await ask({ [name]: value })).status).toBe(200);
    expect(sent[0]?.body[name]).toEqual(value);
  });

  it.each<[string, object, Readonly<Record<string, readonly string[]>>]>([
    ['without a limit of tokens', { max_tokens: undefined }, {}],
    ['without turns', { messages: [] }, {}],
    ['of a role that nobody has', { messages: [{ role: 'tool', content: 'x' }] }, {}],
    ['with a tool that is a text', { tools: ['x'] }, {}],
    ['of an unknown version', {}, { 'anthropic-version': ['2030-01-01'] }],
    ['of two versions', {}, { 'anthropic-version': ['2023-06-01', '2026-10-21'] }],
    ['with a beta of two lines', {}, { 'anthropic-beta': ['a\r\nx-api-key: b'] }],
  ])('%s is refused', async (_what, members, headers) => {
    const { ask, sent } = openNeuron();
    expect((await ask(members, headers)).status).toBe(400);
    expect(sent).toEqual([]);
  });

  it('is refused beyond the size of the neuron, whatever holds its bytes', async () => {
    const { ask, sent } = openNeuron({ settings: { maxInputBytes: 1_000 } });
    const large = [{ type: 'novelty', text: 'x'.repeat(1_000) }];
    expect((await ask({ messages: [{ role: 'user', content: large }] })).status).toBe(413);
    expect(sent).toEqual([]);
  });
});

describe('Bedrock', () => {
  const aws = { provider: 'aws', model: 'us.anthropic.claude-sonnet-4-6' };

  it('is asked in the form of Messages, without what it does not take, which is named', async () => {
    const { ask, sent } = openNeuron({ callModel: aws });
    const headers = { 'anthropic-beta': BETAS, 'anthropic-version': ['2026-10-21'] };
    for (const stream of [false, true]) {
      const { status, headers: answered } = await ask({ ...REQUEST, stream }, headers);
      expect([status, answered['X-Neuron-Left-Out']]).toEqual([200, 'betas']);
      const { url, headers: out, body } = sent.at(-1) ?? { url: '', headers: {}, body: {} };
      expect(url).toBe('https://bedrock-runtime.us-east-1.amazonaws.com/anthropic/v1/messages');
      expect(out['anthropic-beta']).toBe(BETAS[0]);
      expect(out['anthropic-version']).toBe('2023-06-01');
      expect(out['authorization']).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/bedrock\/aws4_request/);
      const tools = REQUEST.tools.map(({ defer_loading: _loading, ...tool }: Json) => tool);
      const { novelty: _novelty, ...taken } = REQUEST;
      expect(body).toEqual({
        ...{ ...taken, tools, model: aws.model, max_tokens: 500 },
        ...(stream ? { stream } : {}),
      });
    }
  });

  it('gets no member of a part of the interface that it was not asked for', async () => {
    const { ask, sent } = openNeuron({ callModel: aws });
    const { headers } = await ask(REQUEST);
    expect(headers['X-Neuron-Left-Out']).toBe('betas');
    expect(sent[0]?.body['context_management']).toBeUndefined();
    expect(JSON.stringify(sent[0]?.body)).not.toContain('input_examples');
    await ask({ messages: REQUEST.messages });
    expect(sent[1]?.headers['anthropic-beta']).toBeUndefined();
  });
});

it('is no way around the provider that a flow names: one of another form is a mistake of the settings', async () => {
  const { ask, sent } = openNeuron({ callModel: { provider: 'openai', model: 'm' } });
  expect((await ask({})).status).toBe(500);
  expect(sent).toEqual([]);
});

describe('a guard', () => {
  const openGuarded = (action: string, mandatory: boolean) => {
    const uses = [{ use: 'words', on: ['output'], action }];
    const library = { words: { type: 'patterns', deny: ['falcon'] } };
    return openNeuron({
      organization: { guards: library, ...(mandatory ? { mandatory: uses } : {}) },
      settings: mandatory ? {} : { guards: uses },
    });
  };

  it.each(['block', 'redact'])(
    'that would %s lets no request pass: its events leave as they come',
    async (action) => {
      for (const mandatory of [false, true]) {
        for (const stream of [false, true]) {
          const { ask, sent, entries } = openGuarded(action, mandatory);
          expect((await ask({ stream })).status).toBe(500);
          expect(sent).toEqual([]);
          expect(entries).toMatchObject([{ code: 'configuration' }]);
        }
      }
    },
  );

  it('that flags looks on', async () => {
    const { ask, sent } = openGuarded('flag', false);
    expect((await ask({ stream: true })).status).toBe(200);
    expect(sent).toHaveLength(1);
  });
});
