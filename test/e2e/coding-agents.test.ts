// Released coding agents, unpatched and with default settings, against the whole local stack and a model by script: they run commands, call a
// server's tool, go on with a session, wait out a limit, and say so where a budget is spent.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedTurn, startScriptedAgentModel } from '../clients/agents/scripted-agent-model.ts';
import { installAgents, installAgentsOfPython } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;
const MCP_SERVER = join(import.meta.dirname, '../clients/agents/mcp-server.mjs');

const neuron = (slug: string, more = '') => `
---
neuron: acme/${slug}
access: { apiKey: true }
maxInputBytes: 1000000
${more}
flow: [{ callModel: { provider: scripted, model: m, maxTokens: 30000, retries: 0, accepts: all } }]`;
const limit = (period: string) =>
  `rateLimits: [{ metric: requests, scope: total, limit: 1, period: ${period} }]`;
const settings = (baseUrl: string) =>
  `organization: acme\nproviders: { scripted: { type: openai, baseUrl: "${baseUrl}" } }` +
  neuron('coder') +
  neuron('waiting', limit('10s')) +
  neuron('spent', limit('1d')) +
  neuron('spent-2', limit('1d'));

/** What a program printed, and how it ended. */
interface Printed {
  readonly code: number;
  readonly said: string;
  readonly all: string;
}

describe.runIf(isAsked)('a coding agent', { timeout: 120_000 }, () => {
  let model: Awaited<ReturnType<typeof startScriptedAgentModel>>;
  let stack: Stack;
  let key: string;
  let programs: string;
  let aider: string;

  beforeAll(async () => {
    programs = await installAgents();
    aider = join(await installAgentsOfPython(), 'aider');
    model = await startScriptedAgentModel();
    stack = await startStack({ settings: settings(model.baseUrl), concurrency: 4 });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'agents'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  /** Runs a program in a folder of its own; a key and a home are all that it is told. */
  function run(
    folder: string,
    program: string,
    args: readonly string[],
    more: object = {},
  ): Promise<Printed> {
    const own = { HOME: folder, CODEX_HOME: folder, NEURON_API_KEY: key };
    const env = { PATH: process.env['PATH'], ...own, ...more };
    return new Promise((resolve) => {
      const child = execFile(program, args, { cwd: folder, env, timeout: 100_000 }, (error, said, more) => {
        resolve({ code: Number(error?.code ?? 0), said, all: said + more });
      });
      child.stdin?.end();
    });
  }

  const folderOf = (name: string) => mkdtempSync(join(temporaryFolder(), `${name}-`));
  const url = () => `${stack.url}/v1/acme`;
  /** The results of tools that the model was sent last. */
  const results = () =>
    (model.asked.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
      role === 'tool' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [],
    );
  /** Of the last calls of a neuron, the newest first. */
  async function statusesOf(slug: string): Promise<readonly number[]> {
    const lines = (await stack.operate(['logs', `acme/${slug}`, '--json'])).trim();
    return lines.split('\n').flatMap((line) => (line === '' ? [] : [Number(JSON.parse(line).status)]));
  }
  /** What the newest entry of a neuron says of the program that called. */
  async function callerOf(slug: string) {
    const [newest = ''] = (await stack.operate(['logs', `acme/${slug}`, '--json'])).split('\n');
    const { executionId } = JSON.parse(newest) as { readonly executionId: string };
    const whole = await stack.operate(['logs', 'acme', '--id', executionId, '--json']);
    const { surface, clientKind, session } = JSON.parse(whole) as Readonly<Record<string, string>>;
    return [surface, clientKind, session?.length];
  }
  const follow = (...turns: readonly ScriptedTurn[]) => model.follow(turns);
  const command = (cmd: string) => ({
    tool: /^(?:exec_command|bash)$/i,
    input: (has: object) => commandInput(has, cmd),
  });
  /** Agents name the command in one of two ways, and reject members that their tools do not have. */
  const commandInput = ({ properties = {} }: { readonly properties?: object }, cmd: string) =>
    'cmd' in properties ? { cmd } : { command: cmd, description: 'prints' };

  describe('Codex, by Responses', () => {
    function folderFor(slug: string): string {
      const folder = folderOf('codex');
      writeFileSync(
        join(folder, 'config.toml'),
        [
          ...[`model = "acme/${slug}"`, 'model_provider = "neuron"', '[model_providers.neuron]'],
          ...[
            'name = "neuron"',
            `base_url = "${url()}"`,
            'env_key = "NEURON_API_KEY"',
            'wire_api = "responses"',
          ],
          ...['[mcp_servers.probe]', `command = "${process.execPath}"`, `args = ["${MCP_SERVER}"]`],
        ].join('\n'),
      );
      return folder;
    }
    const codex = (folder: string, ...args: readonly string[]) =>
      run(folder, join(programs, 'codex'), [
        ...['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...args],
      ]);

    it('answers, and goes on with its session', async () => {
      follow({ say: 'Hello from the model.' });
      const folder = folderFor('coder');
      expect(await codex(folder, 'Say hello')).toMatchObject({ code: 0, said: 'Hello from the model.\n' });
      follow({ say: 'Again.' });
      expect(await codex(folder, 'resume', '--last', 'And again')).toMatchObject({
        code: 0,
        said: 'Again.\n',
      });
      const said = JSON.stringify(model.asked.at(-1)?.messages);
      expect(said).toContain('Say hello');
      expect(said).toContain('Hello from the model.');
      expect(await callerOf('coder')).toEqual(['responses', 'codex', 22]);
    });

    it('runs two commands of one turn', async () => {
      follow({ call: [command('echo on$((0))e'), command('echo tw$((0))o')] }, { say: 'Done.' });
      expect(await codex(folderFor('coder'), 'Print')).toMatchObject({ code: 0, said: 'Done.\n' });
      expect(results().map((text) => /on0e|tw0o/.exec(text)?.[0])).toEqual(['on0e', 'tw0o']);
    });

    it('calls a tool of a server in its namespace', async () => {
      follow({ call: [{ tool: /probe.*measure/, input: () => ({ city: 'Bern' }) }] }, { say: 'Warm.' });
      expect(await codex(folderFor('coder'), 'Measure')).toMatchObject({ code: 0, said: 'Warm.\n' });
      expect(results().join()).toContain('Bern has 21 degrees');
    });

    it('waits out a limit of some seconds', async () => {
      follow({ say: 'At last.' });
      const folder = folderFor('waiting');
      // The window may end between two of them.
      for (let time = 0; time < 3 && !(await statusesOf('waiting')).includes(429); time += 1) {
        expect(await codex(folder, 'Ask')).toMatchObject({ code: 0, said: 'At last.\n' });
      }
      expect(await statusesOf('waiting')).toContain(429);
    });

    it('says that a budget is spent, after one call', async () => {
      follow({ say: 'Hello.' });
      const folder = folderFor('spent');
      expect((await codex(folder, 'First')).code).toBe(0);
      const asked = model.asked.length;
      const { code, all } = await codex(folder, 'Second');
      expect(code).toBe(1);
      expect(all).toMatch(/quota|limit/i);
      expect(model.asked.length).toBe(asked);
      expect(await statusesOf('spent')).toEqual([429, 200]);
    });

    it('fails where an answer was cut, and where the model breaks down', async () => {
      follow({ say: 'Half', finish: 'length' });
      expect((await codex(folderFor('coder'), 'Write')).code).toBe(1);
      follow({ status: 400, body: { error: { message: 'no such thing', type: 'invalid_request_error' } } });
      const { code, all } = await codex(folderFor('coder'), 'Write');
      expect(code).toBe(1);
      expect(all).not.toContain('no such thing');
    });
  });

  describe('Claude Code, by Messages', () => {
    function claude(folder: string, slug: string, ...args: readonly string[]): Promise<Printed> {
      const variables = {
        ...{ ANTHROPIC_BASE_URL: url(), ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_MODEL: slug },
        ...{ ANTHROPIC_DEFAULT_HAIKU_MODEL: slug, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      };
      return run(folder, join(programs, 'claude'), ['-p', ...args], variables);
    }

    it('answers, and goes on with its session', async () => {
      follow({ say: 'Hello from the model.' });
      const folder = folderOf('claude');
      expect(await claude(folder, 'coder', 'Say hello')).toMatchObject({
        ...{ code: 0, said: 'Hello from the model.\n' },
      });
      follow({ say: 'Again.' });
      expect(await claude(folder, 'coder', '--continue', 'And again')).toMatchObject({
        code: 0,
        said: 'Again.\n',
      });
      const said = JSON.stringify(model.asked.at(-1)?.messages);
      expect(said).toContain('Say hello');
      expect(said).toContain('Hello from the model.');
    });

    it('runs two commands of one turn', async () => {
      follow({ call: [command('echo on$((0))e'), command('echo tw$((0))o')] }, { say: 'Done.' });
      const { code, said } = await claude(folderOf('claude'), 'coder', 'Print', '--allowedTools', 'Bash');
      expect([code, said]).toEqual([0, 'Done.\n']);
      expect([...results()].sort()).toEqual(['on0e', 'tw0o']);
      expect(await callerOf('coder')).toEqual(['anthropic', 'claude-code', 22]);
    });

    it('says that a budget is spent, after one call', async () => {
      follow({ say: 'Hello.' });
      const folder = folderOf('claude');
      expect((await claude(folder, 'spent-2', 'First')).code).toBe(0);
      const { code, all } = await claude(folder, 'spent-2', 'Second');
      expect(code).toBe(1);
      expect(all).toMatch(/limit/i);
      expect(await statusesOf('spent-2')).toEqual([429, 200]);
    });
  });

  describe.each([
    ['Chat Completions', '@ai-sdk/openai-compatible', 'openai'],
    ['Responses', '@ai-sdk/openai', 'responses'],
    ['Messages', '@ai-sdk/anthropic', 'anthropic'],
  ])('opencode, by %s', (_surface, npm, surface) => {
    it('runs two commands of one turn, and goes on with its session', async () => {
      const folder = folderOf('opencode');
      const provider = { npm, name: 'n', options: { baseURL: url(), apiKey: key }, models: { coder: {} } };
      writeFileSync(
        join(folder, 'opencode.json'),
        JSON.stringify({ autoupdate: false, share: 'disabled', provider: { neuron: provider } }),
      );
      const opencode = (...args: readonly string[]) =>
        run(folder, join(programs, 'opencode'), ['run', '-m', 'neuron/coder', ...args]);
      follow({ call: [command('echo on$((0))e'), command('echo tw$((0))o')] }, { say: 'Done.' });
      const first = await opencode('Print');
      expect(first.said).toContain('Done.');
      const last = model.asked.findLast(({ tools = [] }) => tools.length > 0);
      const told = JSON.stringify(last?.messages);
      expect(told).toContain('on0e');
      expect(told).toContain('tw0o');
      follow({ say: 'Again.' });
      expect((await opencode('--continue', 'And again')).said).toContain('Again.');
      expect(JSON.stringify(model.asked.findLast(({ tools = [] }) => tools.length > 0)?.messages)).toContain(
        'Done.',
      );
      expect(await callerOf('coder')).toEqual([surface, 'opencode', 22]);
    });
  });

  it('named aider writes a file, by Chat Completions', async () => {
    const folder = folderOf('aider');
    follow({ say: 'hello.txt\n```\nHello from the model\n```\n' });
    const { all } = await run(folder, aider, [
      ...['--model', 'openai/coder', '--openai-api-base', url(), '--openai-api-key', key],
      ...['--no-git', '--yes-always', '--no-check-update', '--analytics-disable', '--no-show-model-warnings'],
      ...['--no-show-release-notes', '--edit-format', 'whole', '--message', 'Write hello.txt', 'hello.txt'],
    ]);
    expect([all, readFileSync(join(folder, 'hello.txt'), 'utf8')]).toEqual([
      expect.any(String),
      'Hello from the model\n',
    ]);
  });
});
