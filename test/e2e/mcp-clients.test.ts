// Released clients of the Model Context Protocol, unpatched, and its own suite of conformance, against a local stack.
import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installMcpClients, installMcpClientsOfPython } from '../clients/install.ts';
import { says } from './support/organization-stack.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;
const run = promisify(execFile);
const CLIENTS = join(import.meta.dirname, '../clients/mcp');
const TOOL = 'access: { apiKey: true }\nmcp: { description: Answers. }';
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo } }',
  `neuron: acme/orders\n${TOOL}\nflow: [{ callModel: { provider: demo, model: m } }]`,
  `neuron: acme/spent\n${TOOL}\nrateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]\n${says('once')}`,
].join('\n---\n');

describe.runIf(isAsked)('released clients of the Model Context Protocol', () => {
  let stack: Stack;
  let key: string;
  let url: string;
  let proxy: Server;
  let python: string;
  beforeAll(async () => {
    await installMcpClients();
    python = await installMcpClientsOfPython();
    stack = await startStack({ settings: SETTINGS });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'a test'])).trim();
    url = `${stack.url}/v1/acme/mcp`;
    // The first call of the day.
    await stack.call('/acme/spent', { json: { input: 'a' }, headers: { authorization: `Bearer ${key}` } });
    proxy = await startProxy(stack.url, key);
  }, 600_000);
  afterAll(async () => {
    proxy?.close();
    await stack?.stop();
  });

  const drive = async (command: string, words: readonly string[]) => {
    const { stdout } = await run(command, words, { cwd: CLIENTS, timeout: 60_000 });
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };

  it.each(['sdk-1', 'sdk-2', 'sdk-2-auto', 'python'])(
    '%s lists, calls, and is told of a limit',
    async (client) => {
      const got =
        client === 'python'
          ? await drive(python, ['drive.py', url, key])
          : await drive(process.execPath, ['drive.mjs', url, key, client]);
      expect(got.tools).toEqual(['orders', 'spent']);
      expect(got.results).toEqual([
        { text: 'You said: Hi', isError: false },
        { text: expect.stringMatching(/^Rate limit exceeded\..* Retry-After: \d+ s\.$/), isError: true },
        { thrown: expect.stringContaining('') },
      ]);
    },
    90_000,
  );

  /** Passed and failed checks. Of those that fail, each says why. */
  const check = async (scenario: string, version?: string) => {
    const { port } = proxy.address() as AddressInfo;
    const program = join(CLIENTS, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    const words = ['server', '--url', `http://127.0.0.1:${port}/v1/acme/mcp`, '--scenario', scenario];
    const all = [program, ...words, ...(version === undefined ? [] : ['--spec-version', version])];
    const { stdout } = await run(process.execPath, all, { cwd: CLIENTS, timeout: 60_000 }).catch(
      (failed: { stdout: string }) => failed,
    );
    const [, passed, of] = /Passed: (\d+)\/(\d+)/.exec(stdout) ?? [];
    return { passed: Number(passed), of: Number(of), stdout };
  };

  it.each([
    ['server-initialize', undefined],
    ['ping', undefined],
    ['tools-list', undefined],
    ['dns-rebinding-protection', undefined],
    ['tools-list', '2026-07-28'],
    ['dns-rebinding-protection', '2026-07-28'],
    ['http-header-validation', '2026-07-28'],
  ])(
    'the suite of the protocol finds nothing: %s %s',
    async (scenario, version) => {
      const { passed, of, stdout } = await check(scenario, version);
      expect(of, stdout).toBeGreaterThan(0);
      expect(passed, stdout).toBe(of);
    },
    90_000,
  );

  it('the suite misses tools of its fixture alone', async () => {
    const { passed, of, stdout } = await check('server-stateless', '2026-07-28');
    const failures = stdout.split('\n').filter((line) => /^\s+Error: /.test(line));
    expect(failures.length).toBe(of - passed);
    for (const line of failures)
      expect(line).toContain('Not testable: server does not list the diagnostic tool');
    expect([passed, of]).toEqual([21, 25]);
  });
});

/** Adds the key to each request: the suite can send none. */
async function startProxy(origin: string, key: string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url = '/' } = incoming;
    const passed = request(
      `${origin}${url}`,
      { ...(method === undefined ? {} : { method }), headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
