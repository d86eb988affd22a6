// Codex, released and unpatched, calls neurons as tools by MCP: its model is a neuron, too.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startScriptedAgentModel } from '../clients/agents/scripted-agent-model.ts';
import { installAgents } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;
const settings = (baseUrl: string) => `
organization: acme
providers: { scripted: { type: openai, baseUrl: "${baseUrl}" }, demo: { type: echo } }
---
neuron: acme/coder
access: { apiKey: true }
maxInputBytes: 1000000
flow: [{ callModel: { provider: scripted, model: m, maxTokens: 30000, accepts: all } }]
---
neuron: acme/weather
access: { apiKey: true }
mcp: { description: Tells the weather of a city. }
rateLimits: [{ metric: requests, scope: total, limit: 1, period: 1d }]
flow: [{ callModel: { provider: demo, model: m } }]
`;

describe.runIf(isAsked)('Codex with a server of neurons', { timeout: 120_000 }, () => {
  let model: Awaited<ReturnType<typeof startScriptedAgentModel>>;
  let stack: Stack;
  let key: string;
  let codex: string;
  beforeAll(async () => {
    codex = join(await installAgents(), 'codex');
    model = await startScriptedAgentModel();
    stack = await startStack({ settings: settings(model.baseUrl) });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'codex'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  /** Runs Codex on a prompt; `said` is what it printed. */
  function ask(prompt: string) {
    const folder = temporaryFolder();
    const url = `${stack.url}/v1/acme`;
    const config = `model = "acme/coder"
model_provider = "neuron"
[model_providers.neuron]
name = "neuron"
base_url = "${url}"
env_key = "NEURON_API_KEY"
wire_api = "responses"
[mcp_servers.neurons]
url = "${url}/mcp"
bearer_token_env_var = "NEURON_API_KEY"
`;
    writeFileSync(join(folder, 'config.toml'), config);
    const words = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt];
    const env = { PATH: process.env['PATH'], HOME: folder, CODEX_HOME: folder, NEURON_API_KEY: key };
    return new Promise<{ readonly code: number; readonly said: string; readonly all: string }>((resolve) => {
      const child = execFile(codex, words, { cwd: folder, env, timeout: 100_000 }, (error, said, more) => {
        resolve({ code: Number(error?.code ?? 0), said, all: said + more });
      });
      child.stdin?.end();
    });
  }

  const results = () =>
    (model.asked.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
      role === 'tool' ? [JSON.stringify(content)] : [],
    );

  it('discovers them, calls one, and is told of a limit', async () => {
    const weather = { tool: /weather/, input: () => ({ input: 'Bern' }) };
    model.follow([{ call: [weather] }, { say: 'Done.' }]);
    const { code, said, all } = await ask('How is the weather?');
    expect({ code, said }, all).toEqual({ code: 0, said: 'Done.\n' });
    expect(results().join('\n')).toContain('You said: Bern');
    model.follow([{ call: [weather] }, { say: 'Done again.' }]);
    expect(await ask('And now?')).toMatchObject({ code: 0, said: 'Done again.\n' });
    expect(results().join('\n')).toContain('Rate limit exceeded.');
  });
});
