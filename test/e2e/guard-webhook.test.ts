// The webhook of docs/guards.md as its example has it, asked by a whole stack.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT } from './support/command.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const SECRET = 'words that both sides know';

const settings = (port: number) => `
organization: acme
providers: { echo: { type: echo } }
guards:
  ours:
    type: webhook
    endpoint: http://127.0.0.1:${port}/check
    secret: { secret: guard-hmac }
---
neuron: acme/support
access: { public: true }
guards:
  - { use: ours, on: [input, toolResults, output], action: block, onFailure: closed, history: all }
flow:
  - callModel: { provider: echo, model: echo-1 }
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.runIf(isLocal)('the example of a webhook', () => {
  let stack: Stack;
  let port: number;
  let guard: ChildProcess | undefined;

  const start = async (secret: string) => {
    guard = spawn(process.execPath, ['examples/guard-webhook.mjs'], {
      cwd: ROOT,
      env: { GUARD_SECRET: secret, PORT: String(port) },
      stdio: 'inherit',
    });
    const url = `http://127.0.0.1:${port}/check`;
    // A request that nobody signed.
    await vi.waitFor(
      async () => expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401),
      10_000,
    );
  };
  const end = async () => {
    const ended = new Promise((resolve) => guard?.once('exit', resolve));
    guard?.kill();
    if (guard !== undefined) await ended;
    guard = undefined;
  };
  const call = (input: string) => stack.call('/acme/support', { json: { input } });

  beforeAll(async () => {
    port = await freePort();
    stack = await startStack({ settings: settings(port) });
    await stack.operate(['secrets', 'set', 'acme', 'guard-hmac', '--for', 'providers'], { input: SECRET });
  }, 120_000);
  afterAll(async () => {
    await end();
    await stack?.stop();
  });

  it('lets texts pass, and blocks those with the word', async () => {
    await start(SECRET);
    const passed = await call('about birds');
    expect([passed.status, passed.text]).toEqual([200, expect.stringContaining('You said: about birds')]);
    const blocked = await call('about project Falcon');
    expect([blocked.status, blocked.text]).toEqual([422, expect.stringContaining('guard_blocked')]);
  });

  it('refuses what another secret has signed, and nothing passes then', async () => {
    await end();
    await start('other words');
    expect((await call('about birds')).status).toBe(500);
  });

  it('is missed where it is down', async () => {
    await end();
    const { status, text } = await call('about birds');
    expect([status, text]).toEqual([503, expect.stringContaining('guard_unavailable')]);
  });
});
