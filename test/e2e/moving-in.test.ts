// A company moves in from LiteLLM: its configuration and 40 of its keys are imported, and an app of it changes its base URL alone.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findForeignKeyFlaw } from '../../core/access/foreign-key.ts';
import { installFrameworks } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { untilServed } from './support/served.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

/** A vendor's model as it names itself in its answers. Each call uses 10 tokens and 10 tokens. */
const says = (vendor: string, model: string) => `${vendor} ${model} was asked`;

/** Three vendors on one server, by the beginning of the path. `broken` models are down. */
async function startVendors(): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const { model } = JSON.parse(await text(incoming)) as { model: string };
    const [, vendor = ''] = (incoming.url ?? '').split('/');
    const isDown = model.startsWith('broken');
    outgoing.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' });
    const said = says(vendor, model);
    const chat = {
      // LiteLLM reads the tier of an answer of Groq.
      ...{ id: 'c', object: 'chat.completion', created: 1, model, service_tier: 'default' },
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: said } }],
      usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
    };
    const message = {
      ...{ id: 'm', type: 'message', role: 'assistant', model, stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: said }],
      usage: { input_tokens: 10, output_tokens: 10 },
    };
    outgoing.end(JSON.stringify(vendor === 'anthropic' ? message : chat));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Two dollars a million tokens: a call costs 40 microdollars. */
const PRICE = 'input_cost_per_token: 0.000002, output_cost_per_token: 0.000002';
const configFor = (base: string) => `model_list:
  - { model_name: gpt-4.1, litellm_params: { model: openai/gpt-4.1, api_base: "${base}/openai", api_key: os.environ/OPENAI, ${PRICE} } }
  - { model_name: gpt-4.1-mini, litellm_params: { model: openai/gpt-4.1-mini, api_base: "${base}/openai", api_key: os.environ/OPENAI, ${PRICE} } }
  - { model_name: claude-sonnet, litellm_params: { model: anthropic/claude-sonnet-4-5, api_base: "${base}/anthropic", api_key: os.environ/ANTHROPIC, ${PRICE} } }
  - { model_name: llama, litellm_params: { model: groq/llama-3.3-70b, api_base: "${base}/groq", api_key: os.environ/GROQ, ${PRICE} } }
  - { model_name: qwen, litellm_params: { model: groq/qwen-3, api_base: "${base}/groq", api_key: os.environ/GROQ, ${PRICE} } }
  - { model_name: shaky, litellm_params: { model: openai/broken-1, api_base: "${base}/openai", api_key: os.environ/OPENAI, max_retries: 0, ${PRICE} } }
litellm_settings:
  fallbacks: [{ shaky: [claude-sonnet] }]
`;
const MODELS = {
  'gpt-4.1': says('openai', 'gpt-4.1'),
  'gpt-4.1-mini': says('openai', 'gpt-4.1-mini'),
  'claude-sonnet': says('anthropic', 'claude-sonnet-4-5'),
  llama: says('groq', 'llama-3.3-70b'),
  qwen: says('groq', 'qwen-3'),
  shaky: says('anthropic', 'claude-sonnet-4-5'),
};

/** As LiteLLM makes them. One in some thousands looks like words by chance, and would be refused. */
function makeKey(): string {
  const key = `sk-${randomBytes(16).toString('base64url')}`;
  return findForeignKeyFlaw(key) === undefined ? key : makeKey();
}

const KEYS = Array.from({ length: 40 }, makeKey);
const CALLS = 5;
/** Some hundred packages are installed for it. */
const isAsked = process.env['NEURON_E2E_LONG'] !== undefined;
const DRIVER = join(import.meta.dirname, '../clients/frameworks/moved.py');

describe.runIf(isLocal)('a company that moves in', () => {
  let vendors: Server;
  let stack: Stack;
  const folder = temporaryFolder();
  beforeAll(async () => {
    vendors = await startVendors();
    const { port } = vendors.address() as AddressInfo;
    stack = await startStack({ concurrency: 8 });
    writeFileSync(join(folder, 'config.yaml'), configFor(`http://127.0.0.1:${port}`));
    const settings = join(folder, 'settings');
    const imported = await stack.neuron([
      ...['import', 'litellm', join(folder, 'config.yaml'), '--organization', 'acme', '--out', settings],
    ]);
    expect(imported.exitCode, imported.stderr).toBe(0);
    await stack.operate(['apply', settings]);
    const listed = await stack.operate(['show', 'acme']);
    for (const [, name] of listed.matchAll(/secret: ([\w-]+)/g))
      await stack.operate(['secrets', 'set', 'acme', String(name), '--for', 'providers'], {
        input: 'sk-vendor',
      });
    const lines = KEYS.map((key, index) => ({
      digest: createHash('sha256').update(key).digest('hex'),
      name: `app ${index}`,
      limits: [`requests ${CALLS} day`, 'cost 1 month'],
      ...(index % 2 === 0 ? { neurons: Object.keys(MODELS) } : {}),
    }));
    writeFileSync(join(folder, 'keys.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    await stack.operate(['keys', 'import', 'acme', join(folder, 'keys.jsonl'), '--expires', '90d']);
  }, 120_000);
  afterAll(async () => {
    vendors?.close();
    await stack?.stop();
  });

  /** An app as it was, but for its base URL. */
  const appWith = (key: string) =>
    new OpenAI({ apiKey: key, baseURL: `${stack.url}/v1/acme`, maxRetries: 0 });
  const ask = async (key: string, model: string) => {
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const { choices } = await appWith(key).chat.completions.create({ model, messages });
    return choices[0]?.message.content;
  };
  const outcomeOf = (call: () => Promise<unknown>) =>
    untilServed(
      () =>
        call().then(
          () => 200,
          // Room that others hold, and may not need, is no answer yet.
          ({ status, headers }: { status?: number; headers?: Headers }) =>
            status === 429 && headers?.get('retry-after') === '1' ? 503 : status,
        ),
      (status) => status,
    );

  it('gets the same answers by its old key and model names, fallbacks included', async () => {
    for (const [index, [model, answer]] of Object.entries(MODELS).entries())
      expect([model, await ask(String(KEYS[index]), model)]).toEqual([model, answer]);
    const models = await appWith(String(KEYS[0])).models.list();
    expect(models.data.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(MODELS)));
  });

  it.runIf(isAsked)(
    'gets the same answers by Python and LangChain as LiteLLM itself gives them',
    async () => {
      const python = await installFrameworks();
      const words = [DRIVER, join(folder, 'config.yaml'), `${stack.url}/v1/acme`, String(KEYS[39])];
      const limit = ['keys', 'update', 'acme', String(KEYS[39]), '--limit', 'requests 100 day'];
      await stack.operate(limit);
      const { stdout } = await promisify(execFile)(python, words, { maxBuffer: 10_000_000 });
      const said = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
      expect(said).toEqual({ litellm: MODELS, openai: MODELS, langchain: MODELS });
    },
    300_000,
  );

  it.runIf(isAsked)(
    'imports 10,000 keys, each found by one read as before',
    async () => {
      const many = Array.from({ length: 10_000 }, makeKey);
      const lines = many.map((key, index) =>
        JSON.stringify({ digest: createHash('sha256').update(key).digest('hex'), name: `many ${index}` }),
      );
      writeFileSync(join(folder, 'many.jsonl'), lines.join('\n'));
      await stack.operate(['keys', 'import', 'acme', join(folder, 'many.jsonl'), '--expires', '90d']);
      for (const key of [many[0], many[5_000], many[9_999]])
        expect(await ask(String(key), 'qwen')).toBe(MODELS.qwen);
    },
    300_000,
  );

  it('has budgets that hold exactly, for 33 keys at once', async () => {
    const fresh = KEYS.slice(6, 39);
    const outcomes = await Promise.all(
      fresh.flatMap((key) => Array.from({ length: CALLS + 3 }, () => outcomeOf(() => ask(key, 'llama')))),
    );
    for (const index of fresh.keys()) {
      const own = outcomes.slice(index * (CALLS + 3), (index + 1) * (CALLS + 3));
      expect(own.toSorted()).toEqual([...Array(CALLS).fill(200), 429, 429, 429]);
    }
  });

  it('rotates a key under load: no call fails, and none counts for another', async () => {
    const [key] = KEYS;
    const listed = (await stack.operate(['keys', 'list', 'acme', '--json'])).trim().split('\n');
    const { keyId } = listed.map((line) => JSON.parse(line)).find(({ name }) => name === 'app 0');
    await stack.operate(['keys', 'update', 'acme', keyId, '--limit', 'requests 100 day']);
    const before = await outcomeOf(() => ask(String(key), 'qwen'));
    expect(before).toBe(200);
    const running = Array.from({ length: 20 }, () => outcomeOf(() => ask(String(key), 'qwen')));
    const next = (await stack.operate(['keys', 'rotate', 'acme', keyId, '--overlap', '1h'])).trim();
    const after = Array.from({ length: 20 }, (_, index) =>
      outcomeOf(() => ask(index % 2 ? next : String(key), 'qwen')),
    );
    expect(await Promise.all([...running, ...after])).toEqual(Array(40).fill(200));
    const { stdout } = await stack.neuron(['limits', 'acme', '--key', keyId, '--json']);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    // One call by its model name, and one before the load.
    expect(rows).toContainEqual(expect.objectContaining({ keyId, metric: 'requests', used: 42 }));
  });

  it('has no text of a key anywhere', async () => {
    const { stdout } = await stack.neuron(['logs', 'acme', '--changes', '--json']);
    for (const key of KEYS) expect(`${stack.output()}${stdout}`).not.toContain(key.slice(3));
  });
});
