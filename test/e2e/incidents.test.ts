// Six incidents on `npm start`, each ended with the commands that stand in docs/incidents.md and with nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Answer, CallOptions } from './support/call.ts';
import { COMMAND, ROOT, tryProgram } from './support/command.ts';
import { expectError } from './support/expect-answer.ts';
import { type FakeOpenai, startFakeOpenai } from './support/fake-openai.ts';
import { acmeSettings, BAD_DEPLOY, CHAT_SECRET, GLOBEX_SETTINGS } from './support/incident-settings.ts';
import { missingLine, readIncidents } from './support/incidents-page.ts';
import { bySecret } from './support/jwt.ts';
import { ENGINE, isLocal, type Stack, startStack } from './support/stack.ts';

const MAX_COMMANDS = 5;
const MAX_MS = 5 * 60_000;
const SETTLED = { timeout: 60_000, interval: 250 };

const incidents = readIncidents();
const QUESTION = 'Where is my parcel?';

async function startGuard(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"verdict":"pass"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

// Usage is added up from the stream of a table, which dynalite has not.
describe.runIf(isLocal && ENGINE === 'dynoxide')('an incident of docs/incidents.md', () => {
  const folder = temporaryFolder();
  let stack: Stack;
  let main: FakeOpenai;
  let backup: FakeOpenai;
  let guard: Server;
  const ended = new Set<string>();

  beforeAll(async () => {
    [main, backup, guard] = await Promise.all([startFakeOpenai(), startFakeOpenai(), startGuard()]);
    const guardUrl = `http://127.0.0.1:${(guard.address() as AddressInfo).port}/check`;
    writeFileSync(join(folder, 'acme.yaml'), acmeSettings({ mainUrl: main.baseUrl, guardUrl }));
    writeFileSync(join(folder, 'globex.yaml'), GLOBEX_SETTINGS);
    writeFileSync(join(folder, 'answers.yaml'), BAD_DEPLOY);
    stack = await startStack({ concurrency: 6 });
    await stack.operate(['apply', join(folder, 'acme.yaml')]);
    await stack.operate(['apply', join(folder, 'globex.yaml')]);
    await stack.operate(['secrets', 'set', 'acme', 'chat', '--for', 'jwt'], { input: CHAT_SECRET });
    await stack.operate(['secrets', 'set', 'acme', 'guard-hmac', '--for', 'providers'], {
      input: 'words that both sides know',
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([main?.stop(), backup?.stop(), guard === undefined ? undefined : stopServer(guard)]);
  });

  const call = (path: string, options: CallOptions = {}) =>
    stack.call(path, { json: { input: QUESTION }, ...options });
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const eventually = (ask: () => Promise<Answer>, status: number) =>
    expect.poll(async () => (await ask()).status, SETTLED).toBe(status);
  const local = (text: string) =>
    text
      .replaceAll('https://main.example.com/v1', main.baseUrl)
      .replaceAll('https://backup.example.com/v1', backup.baseUrl);

  /** What a command of the page prints; `words` are those in capitals, which the operator fills in. */
  async function run(command: string, words: Readonly<Record<string, string>>): Promise<string> {
    const typed = Object.entries(words).reduce(
      (text, [word, value]) => text.replaceAll(word, value),
      command,
    );
    const script = local(typed).replaceAll(
      'npx neuron',
      `"${process.execPath}" "${resolve(ROOT, COMMAND)}" "--local=${stack.dataFolder}"`,
    );
    const { exitCode, stdout, stderr } = await tryProgram('bash', ['-c', script], { folder });
    const printed = `${stdout}${stderr}`;
    if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}:\n${printed}`);
    return printed;
  }

  /**
   * Runs the commands of an incident in their order. `fill` finds the words in capitals in what was printed before. Throws where the page
   * shows a line that a command does not print.
   */
  async function end(
    name: string,
    fill: (printed: string) => Readonly<Record<string, string>> = () => ({}),
  ): Promise<string> {
    const commands = incidents.get(name) ?? [];
    expect(commands.length, name).toBeGreaterThan(0);
    expect(commands.length, name).toBeLessThanOrEqual(MAX_COMMANDS);
    const begunMs = performance.now();
    let all = '';
    for (const { command, shown } of commands) {
      const printed = await run(command, fill(all));
      all += printed;
      expect(missingLine(shown.map(local), printed), `${command} printed:\n${printed}`).toBeUndefined();
    }
    expect(performance.now() - begunMs).toBeLessThan(MAX_MS);
    ended.add(name);
    return all;
  }

  it('a provider that fails', { timeout: MAX_MS }, async () => {
    expect((await call('/acme/support')).status).toBe(200);
    await main.stop();
    await eventually(() => call('/acme/support'), 503);
    expectError(await call('/acme/support'), 503, 'upstream_unavailable');
    await end('A provider fails');
    await eventually(() => call('/acme/support'), 200);
    expect(backup.asked.length).toBeGreaterThan(0);
  });

  it('a user who floods', { timeout: MAX_MS }, async () => {
    const ask = (sub: string) => call('/acme/desk', bearer(bySecret({ sub }, CHAT_SECRET)));
    let flooding = true;
    const flood = Array.from({ length: 4 }, async () => {
      while (flooding) await ask('mallory');
    });
    try {
      await expect.poll(async () => (await ask('ann')).text, SETTLED).toContain('too_many_at_once');
      await end('A user floods');
      await expect.poll(async () => (await ask('mallory')).text, SETTLED).toContain('caller_blocked');
      await eventually(() => ask('ann'), 200);
    } finally {
      flooding = false;
      await Promise.all(flood);
    }
  });

  it('a key that leaked', { timeout: MAX_MS }, async () => {
    const { key } = JSON.parse(
      await stack.operate(['keys', 'create', 'acme', '--name', 'shop', '--json']),
    ) as { readonly key: string };
    expect((await call('/acme/shop', bearer(key))).status).toBe(200);
    const printed = await end('A key leaked', () => ({ LEAKED_KEY: key }));
    const [next = ''] = printed.match(/nrn_\w+$/m) ?? [];
    expect(next).not.toBe(key);
    expectError(await call('/acme/shop', bearer(key)), 401, 'unauthorized');
    expect((await call('/acme/shop', bearer(next))).status).toBe(200);
  });

  it('costs that explode', { timeout: MAX_MS }, async () => {
    for (let sent = 0; sent < 12; sent += 1)
      await call('/globex/agent', { json: { input: `${QUESTION} `.repeat(40) } });
    expect((await call('/globex/desk')).status).toBe(200);
    await expect
      .poll(() => stack.operate(['usage', 'globex', '--period', 'day', '--by', 'neuron']), SETTLED)
      .toMatch(/agent\s+12\s[\s\S]*desk\s+1\s|desk\s+1\s[\s\S]*agent\s+12\s/);
    await end('Costs explode');
    await eventually(() => call('/globex/agent'), 429);
    expectError(await call('/globex/agent'), 429, 'neuron_paused');
    expect((await call('/globex/desk')).status).toBe(200);
  });

  it('a guard that is down', { timeout: MAX_MS }, async () => {
    expect((await call('/acme/letters')).status).toBe(200);
    await stopServer(guard);
    expectError(await call('/acme/letters'), 503, 'guard_unavailable');
    await end('A guard is down');
    await eventually(() => call('/acme/letters'), 200);
  });

  it('a deployment that was bad', { timeout: MAX_MS }, async () => {
    expect((await call('/acme/answers')).json()).toMatchObject({ output: `You said: ${QUESTION}` });
    await stack.operate(['apply', join(folder, 'answers.yaml')]);
    await eventually(() => call('/acme/answers'), 422);
    expect((await call('/acme/answers', { json: { input: 'Hello' } })).text).toContain('TODO');
    await end('A deployment was bad', (printed) => ({
      CHANGE: /chg-\S+/.exec(printed)?.[0] ?? 'CHANGE',
    }));
    await eventually(() => call('/acme/answers'), 200);
    await expect
      .poll(async () => (await call('/acme/answers')).json(), SETTLED)
      .toMatchObject({ output: `You said: ${QUESTION}` });
  });

  it('is each incident of the page, with commands that the runbook names', () => {
    expect([...ended].toSorted()).toEqual([...incidents.keys()].toSorted());
    const runbook = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
    const names = [...incidents.values()]
      .flat()
      .map(({ command }) => /^npx neuron ((?:(?:versions|keys) )?[a-z]+)/.exec(command)?.[1])
      .filter((name) => name !== undefined);
    expect(new Set(names).size).toBeGreaterThan(6);
    expect([...new Set(names)].filter((name) => !runbook.includes(`${name} `))).toEqual([]);
  });
});
