// Neurons as tools of the Model Context Protocol: both eras, without a session, by key.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/call.ts';
import { readEntry } from './support/log-entry.ts';
import { says } from './support/organization-stack.ts';
import { SOME_MODES, type Stack, startStack } from './support/stack.ts';

const TOOL = 'access: { apiKey: true }\nmcp: { description: Answers questions about orders., title: Orders }';
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo }, broken: { type: echo, fail: 500 } }',
  `neuron: acme/orders\n${TOOL}\nmodels: [gpt-4.1-mini]\nflow: [{ callModel: { provider: demo, model: m, prompt: "Orders: {{input}}" } }]`,
  `neuron: acme/stopping\n${TOOL}\nflow: [{ stop: { text: "Not here." } }]`,
  `neuron: acme/limited\n${TOOL}\nrateLimits: [{ metric: requests, scope: user, limit: 1, period: 1d }]\n${says('once')}`,
  `neuron: acme/broken\n${TOOL}\nflow: [{ callModel: { provider: broken, model: m, retries: 0 } }]`,
  `neuron: acme/plain\naccess: { apiKey: true }\n${says('no tool')}`,
  `neuron: acme/short\n${TOOL}\nmaxInputBytes: 10\n${says('short')}`,
  `neuron: acme/empty\n${TOOL}`,
  `neuron: acme/parcel\n${TOOL}\nvariables: { order: { type: string, required: true }, days: { type: number, max: 9 } }\nflow: [{ callModel: { provider: demo, model: m, prompt: "{{order}} {{days}} {{input}}" } }]`,
].join('\n---\n');

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe.each(SOME_MODES)('tools in %s transfer', (transferMode) => {
  let stack: Stack;
  let key: string;
  let narrow: string;
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS, transferMode });
    const create = async (...words: string[]) =>
      (await stack.operate(['keys', 'create', 'acme', '--name', 'a test', ...words])).trim();
    key = await create();
    narrow = await create('--neurons', 'orders');
  });
  afterAll(() => stack?.stop());

  const post = (json: unknown, headers: Record<string, string | readonly string[]> = {}, bearer = key) =>
    stack.call('/v1/acme/mcp', { json, headers: { authorization: `Bearer ${bearer}`, ...headers } });
  /** As clients of up to 2025-11-25 do. */
  const old = (method: string, params: object = {}, bearer = key) =>
    post({ jsonrpc: '2.0', id: 7, method, params }, { 'mcp-protocol-version': '2025-11-25' }, bearer);
  /** As clients since 2026-07-28 do. */
  const fresh = (method: string, params: { name?: string } & Record<string, unknown> = {}, bearer = key) =>
    post(
      { jsonrpc: '2.0', id: 'a', method, params: { ...params, _meta: META } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
      },
      bearer,
    );
  const eras = [
    ['initialized', old],
    ['stateless', fresh],
  ] as const;
  const resultOf = (answer: Answer) => answer.json()['result'] as Record<string, unknown>;
  const errorOf = (answer: Answer) =>
    answer.json()['error'] as { code: number; message: string; data?: object };
  const callTool = (
    send: (typeof eras)[number][1],
    name: string,
    args: unknown = { input: 'Hi' },
    bearer = key,
  ) => send('tools/call', { name, arguments: args }, bearer);

  it('are discovered without a session', async () => {
    const initialized = await old('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: {},
    });
    expect(initialized.status).toBe(200);
    expect(initialized.headers).not.toHaveProperty('mcp-session-id');
    expect(initialized.json()).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'neuron-execution-service', version: '1' },
      },
    });
    const unknown = await old('initialize', { protocolVersion: '1999-01-01' });
    expect(resultOf(unknown)['protocolVersion']).toBe('2025-11-25');
    const accepted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([accepted.status, accepted.text]).toEqual([202, '']);
    expect((await old('ping')).json()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(resultOf(await fresh('server/discover'))).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'neuron-execution-service', version: '1' } },
      ttlMs: 3_600_000,
      cacheScope: 'private',
    });
  });

  it.each(eras)('are listed by key, in one order: %s', async (_era, send) => {
    const names = async (bearer: string) =>
      (resultOf(await send('tools/list', {}, bearer))['tools'] as { name: string }[]).map(({ name }) => name);
    expect(await names(key)).toEqual(['broken', 'limited', 'orders', 'parcel', 'short', 'stopping']);
    expect(await names(narrow)).toEqual(['orders']);
    const [tool] = resultOf(await send('tools/list', {}, narrow))['tools'] as object[];
    expect(tool).toEqual({
      name: 'orders',
      title: 'Orders',
      description: 'Answers questions about orders.',
      inputSchema: {
        type: 'object',
        properties: { input: { type: 'string', description: 'The text to send.' } },
        required: ['input'],
        additionalProperties: false,
      },
    });
  });

  it.each(eras)('answer with a text, and are in the log: %s', async (era, send) => {
    const answer = await callTool(send, 'orders', { input: 'Where is 17?' });
    expect(answer.status).toBe(200);
    expect(resultOf(answer)).toEqual({
      ...(era === 'stateless' ? { resultType: 'complete' } : {}),
      content: [{ type: 'text', text: 'You said: Orders: Where is 17?' }],
      isError: false,
    });
    expect(answer.json()['id']).toBe(era === 'stateless' ? 'a' : 7);
    const entry = await readEntry(stack, String(answer.headers['x-execution-id']));
    expect(entry).toMatchObject({
      neuron: 'orders',
      surface: 'mcp',
      authentication: 'apiKey',
      outcome: 'success',
    });
  });

  it.each(eras)('say what a model can act on as results: %s', async (_era, send) => {
    const textOf = (answer: Answer) => {
      expect(answer.status).toBe(200);
      expect(resultOf(answer)['isError']).toBe(true);
      return (resultOf(answer)['content'] as { text: string }[])[0]?.text;
    };
    expect(textOf(await callTool(send, 'stopping'))).toBe('Not here.');
    await callTool(send, 'limited');
    expect(textOf(await callTool(send, 'limited'))).toMatch(/^Rate limit exceeded\..* Retry-After: \d+ s\.$/);
    expect(textOf(await callTool(send, 'short', { input: 'x'.repeat(11) }))).toContain('longer than');
    expect(textOf(await callTool(send, 'orders', {}))).toBe('"arguments.input" must be a text.');
    expect(textOf(await callTool(send, 'orders', { input: 7 }))).toBe('"arguments.input" must be a text.');
    expect(textOf(await callTool(send, 'orders', { input: 'a', other: 1 }))).toBe(
      '"arguments.other" is no variable of this neuron: it has none.',
    );
    expect(textOf(await callTool(send, 'orders', []))).toContain('must be an object');
  });

  it.each(eras)('take the variables of their version beside the input: %s', async (_era, send) => {
    const textOf = (answer: Answer) => (resultOf(answer)['content'] as { text: string }[])[0]?.text;
    const { tools } = resultOf(await send('tools/list')) as {
      tools: { name: string; inputSchema: object }[];
    };
    expect(tools.find(({ name }) => name === 'parcel')?.inputSchema).toMatchObject({
      properties: { order: { type: 'string', maxLength: 10_000 }, days: { type: 'number', maximum: 9 } },
      required: ['order'],
    });
    const args = { input: 'Hi', order: '{{input}}', days: 3 };
    expect(textOf(await callTool(send, 'parcel', args))).toContain('{{input}} 3 Hi');
    expect(textOf(await callTool(send, 'parcel', { order: 'A 17' }))).toContain('A 17  ');
    expect(textOf(await callTool(send, 'parcel', { input: 'Hi' }))).toBe('"arguments.order" is missing.');
    expect(textOf(await callTool(send, 'parcel', { order: 'a', days: '3' }))).toBe(
      '"arguments.days" must be a number.',
    );
    expect(textOf(await callTool(send, 'parcel', { order: 'a', other: 1 }))).toContain(
      '"arguments.other" is no',
    );
  });

  it.each(eras)('that are unknown, of other keys or no tools end alike: %s', async (_era, send) => {
    const answers = await Promise.all([
      callTool(send, 'nobody', {}, narrow),
      callTool(send, 'stopping', {}, narrow),
      callTool(send, 'plain'),
      callTool(send, 'gpt-4.1-mini'),
      callTool(send, 'acme/orders'),
      callTool(send, ''),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(errorOf(answer)).toEqual({ ...errorOf(answers[0] as Answer), code: -32_602 });
      expect(answer.json()['id']).toBeDefined();
    }
  });

  it.each(eras)('answer failures and access with their status: %s', async (_era, send) => {
    const failed = await callTool(send, 'broken');
    expect([failed.status, errorOf(failed)]).toEqual([
      503,
      expect.objectContaining({
        code: -32_603,
        data: { code: 'upstream_unavailable', retryAfter: expect.any(Number) },
      }),
    ]);
    expect((await callTool(send, 'empty')).status).toBe(404);
    for (const bearer of ['nrn_x', `${key}x`, 'a.b.c']) {
      const refused = await send('tools/list', {}, bearer);
      expect(refused.status).toBe(401);
      expect(JSON.stringify(refused.headers)).toContain('Bearer');
      expect(refused.headers).not.toHaveProperty('mcp-session-id');
    }
  });

  it.each([
    ['{', -32_700, 400],
    ['[]', -32_600, 400],
    ['"x"', -32_600, 400],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32_600, 400],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, 400],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32_600, 400],
    ['{"jsonrpc":"2.0","id":1}', -32_600, 400],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}', -32_600, 400],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}', -32_602, 400],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32_602, 400],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32_601, 200],
    ['{"jsonrpc":"2.0","id":1,"method":"server/discover"}', -32_602, 400],
  ])('refuse %s', async (body, code, status) => {
    const answer = await stack.call('/v1/acme/mcp', {
      body,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    expect([answer.status, errorOf(answer).code]).toEqual([status, code]);
  });

  it('refuse headers that say another thing than the body', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'orders', arguments: { input: 'a' }, _meta: META },
    };
    const right = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'orders' };
    expect((await post(message, right)).status).toBe(200);
    const encoded = `=?base64?${Buffer.from('orders').toString('base64')}?=`;
    expect((await post(message, { ...right, 'mcp-name': encoded })).status).toBe(200);
    const wrong: Record<string, string | readonly string[]>[] = [
      { 'mcp-protocol-version': '2025-11-25' },
      { 'mcp-method': 'tools/list' },
      { 'mcp-name': 'stopping' },
      { 'mcp-name': ['orders', 'orders'] },
    ];
    for (const header of wrong) {
      const answer = await post(message, { ...right, ...header });
      expect([answer.status, errorOf(answer).code]).toEqual([400, -32_020]);
    }
    for (const name of Object.keys(right)) {
      const { [name as keyof typeof right]: _left, ...others } = right;
      expect(errorOf(await post(message, others)).code).toBe(-32_020);
    }
    const future = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const newer = await post(
      { ...message, params: { ...message.params, _meta: future } },
      { ...right, 'mcp-protocol-version': '2099-01-01' },
    );
    expect([newer.status, errorOf(newer)]).toEqual([
      400,
      {
        code: -32_022,
        message: expect.any(String),
        data: { supported: ['2026-07-28'], requested: '2099-01-01' },
      },
    ]);
  });

  it('may be called by pages of their own host alone', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const origin = (value: string) => post(message, { origin: value });
    expect((await origin('http://localhost:5173')).status).toBe(200);
    // A name that a page's own resolver gives this machine (DNS rebinding).
    const rebound = await post(message, { host: 'evil.example.com', origin: 'http://evil.example.com' });
    expect(rebound.status).toBe(403);
    for (const value of ['https://evil.example.com', 'null', 'http://127.0.0.1.evil.example.com'])
      expect((await origin(value)).status).toBe(403);
  });

  it.each(['GET', 'DELETE', 'PUT'])('know no %s', async (method) => {
    const answer = await stack.call('/v1/acme/mcp', { method, headers: { authorization: `Bearer ${key}` } });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  });
});
