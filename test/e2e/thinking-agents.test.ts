// Released clients, unpatched, through the whole local stack to vendors that sign their thoughts and answer 400 to any that is not theirs.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SigningServer, startSigningServer } from '../clients/agents/signing-server.ts';
import { installAgents, installFrameworks } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyAssembly, editTemplate } from './support/assembly.ts';
import { applySettings } from './support/settings.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const CLIENTS = join(import.meta.dirname, '../clients');
const run = promisify(execFile);
const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;

const BEDROCK_MODEL = 'us.anthropic.claude-sonnet-4-6';
const MODELS = ['claude', 'aws', 'gpt', 'passed', 'passed-aws'];
const neuron = (slug: string, provider: string, model: string, accepts = 'all') =>
  `---\nneuron: acme/${slug}\naccess: { apiKey: true }\nmaxInputBytes: 1000000\nflow:\n` +
  `  - callModel: { provider: ${provider}, model: ${model}, maxTokens: 8000, retries: 0, accepts: ${accepts} }\n`;
const settings = (url: string) =>
  [
    'organization: acme\nproviders:\n',
    `  claude: { type: anthropic, baseUrl: "${url}", apiKey: { secret: key } }\n`,
    '  aws: { type: bedrock, region: us-east-1 }\n',
    `  openai: { type: openai, api: responses, baseUrl: "${url}/v1" }\n`,
    neuron('claude', 'claude', 'claude-sonnet-4-6'),
    neuron('aws', 'aws', BEDROCK_MODEL),
    neuron('gpt', 'openai', 'gpt-5.4'),
    neuron('passed', 'claude', 'claude-sonnet-4-6', '[passThrough]'),
    neuron('passed-aws', 'aws', BEDROCK_MODEL, '[passThrough]'),
  ].join('');

/** Two rounds with thoughts, words and a call, and the last one with thoughts and words. */
const BLOCKS = ['thinking redacted_thinking text tool_use', 'thinking redacted_thinking text'];
const [ROUND = '', LAST = ''] = BLOCKS;
const SESSION = { rounds: [ROUND, ROUND, LAST], said: 'Done after 2.' };
const AI_ROUND = 'reasoning reasoning text tool-call';
const AI_SESSION = { rounds: [AI_ROUND, AI_ROUND, 'reasoning reasoning text'], said: 'Done after 2.' };

describe.runIf(isAsked)('released clients of a model that thinks', () => {
  let vendors: SigningServer;
  let stack: Stack;
  let key: string;
  let python: string;

  beforeAll(async () => {
    await installAgents();
    python = await installFrameworks();
    vendors = await startSigningServer();
    const assembly = await copyAssembly('STREAM');
    editTemplate(assembly, 'NeuronApi', ({ Outputs }) => {
      Outputs['BedrockModels'] = {
        Value: JSON.stringify([{ region: 'us-east-1', models: [BEDROCK_MODEL] }]),
      };
    });
    const environment = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: `${vendors.url}/bedrock-runtime` };
    stack = await startStack({ assembly, dataFolder: temporaryFolder(), environment, concurrency: 2 });
    await applySettings(stack, settings(vendors.url));
    await stack.operate(['secrets', 'set', 'acme', 'key', '--for', 'providers'], { input: 'sk-one\n' });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'agents'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await vendors?.stop();
  });

  async function drive(program: string, file: string): Promise<Readonly<Record<string, unknown>>> {
    vendors.received.length = 0;
    const child = run(program, [file], { maxBuffer: 10_000_000 });
    child.child.stdin?.end(JSON.stringify({ url: `${stack.url}/v1/acme`, key, models: MODELS }));
    return JSON.parse((await child).stdout);
  }

  it.each([
    ['Node', () => process.execPath, 'agents/drive-thinking.mjs', 36],
    ['Python', () => python, 'frameworks/drive_thinking.py', 10],
  ])(
    'send its thoughts back over three rounds: %s',
    { timeout: 300_000 },
    async (_name, program, file, cases) => {
      const outcomes = await drive(program(), join(CLIENTS, file));
      const expected = Object.keys(outcomes).map((name) => [
        name,
        name.startsWith('ai ') ? AI_SESSION : SESSION,
      ]);
      expect(outcomes).toEqual(Object.fromEntries(expected));
      expect(expected).toHaveLength(cases);
      // Each vendor takes its own thoughts alone, byte for byte.
      expect(vendors.received.filter(({ status }) => status !== 200)).toEqual([]);
      expect(vendors.received).toHaveLength(3 * cases);
    },
  );
});
