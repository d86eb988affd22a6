// Claude Code, released and unpatched, through a neuron that passes its requests on: the vendor gets what it sends, and its answer comes back.
import { execFile } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { named } from '../adapters/providers/streams/protocols.ts';
import { installAgents } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;

/** A request as the vendor got it. */
interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

const usage = { input_tokens: 20, output_tokens: 5 };

/** A vendor that answers one sentence. */
function startVendor(asked: Asked[]): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming));
    asked.push({ path: incoming.url ?? '', headers: incoming.headers, body });
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const delta = { type: 'text_delta', text: 'Hello from the vendor.' };
    const message = { type: 'message', role: 'assistant', model: 'm', content: [], usage };
    const events = [
      { type: 'message_start', message: { ...message, id: 'msg_vendor', stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    outgoing.end(events.map(named).join(''));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

const settings = (url: string) => `
organization: acme
providers: { claude: { type: anthropic, baseUrl: "${url}", apiKey: { secret: key } } }
---
neuron: acme/coder
access: { apiKey: true }
maxInputBytes: 1000000
flow: [{ callModel: { provider: claude, model: claude-sonnet-4-6, maxTokens: 30000, retries: 0, accepts: [passThrough] } }]
`;

describe.runIf(isAsked)('Claude Code behind a neuron that passes requests on', { timeout: 120_000 }, () => {
  const asked: Asked[] = [];
  let vendor: Server;
  let stack: Stack;
  let key: string;
  let programs: string;

  beforeAll(async () => {
    programs = await installAgents();
    vendor = await startVendor(asked);
    const { port } = vendor.address() as AddressInfo;
    stack = await startStack({ settings: settings(`http://127.0.0.1:${port}`) });
    await stack.operate(['secrets', 'set', 'acme', 'key', '--for', 'providers'], { input: 'sk-one' });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'agents'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    vendor?.closeAllConnections();
    vendor?.close();
  });

  it('is answered by the vendor, who gets its betas, its members and all of its tools', async () => {
    const home = temporaryFolder();
    const env = {
      ...{ PATH: process.env['PATH'], HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      ...{ ANTHROPIC_BASE_URL: `${stack.url}/v1/acme/coder`, ANTHROPIC_AUTH_TOKEN: key },
      ...{ ANTHROPIC_MODEL: 'coder', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'coder' },
    };
    const said = await new Promise<string>((resolve) => {
      const child = execFile(
        join(programs, 'claude'),
        ['-p', 'Say hello'],
        { cwd: home, env },
        (_error, out) => resolve(out),
      );
      child.stdin?.end();
    });
    expect(said).toBe('Hello from the vendor.\n');
    const main = asked.find(({ body }) => Array.isArray(body['tools']) && body['tools'].length > 5);
    const { headers = {}, body = {} }: Partial<Asked> = main ?? {};
    expect(main?.path).toBe('/v1/messages');
    expect(headers).toMatchObject({ 'x-api-key': 'sk-one', 'anthropic-version': '2023-06-01' });
    expect(headers.authorization).toBeUndefined();
    expect(String(headers['anthropic-beta'])).toContain('claude-code-');
    expect(body).toMatchObject({
      model: 'claude-sonnet-4-6',
      stream: true,
      metadata: { user_id: expect.any(String) },
    });
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['system', 'tools', 'thinking']));
    const lines = (await stack.operate(['logs', 'acme/coder', '--json'])).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).status)).toEqual(lines.map(() => 200));
  });
});
