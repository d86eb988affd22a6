// Frameworks of other people, released and unpatched, against the whole local stack with one base URL: what they hand out goes back as it is.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObligingModel } from '../clients/frameworks/obliging-model.ts';
import { installFrameworks } from '../clients/install.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const FOLDER = join(import.meta.dirname, '../clients/frameworks');
const run = promisify(execFile);
/** Some hundred packages are installed for it. */
const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;

const BERN = { city: 'Bern', degrees: 21 };
const SUNNY = 'The tools say: Bern is sunny';

/** What each case comes to. */
const EXPECTED: Readonly<Record<string, unknown>> = {
  litellm_tools: SUNNY,
  litellm_tools_streamed: SUNNY,
  litellm_more: BERN,
  litellm_errors: 'AuthenticationError',
  litellm_embedding: [256, 256],
  litellm_responses: 'You said: Hello',
  litellm_messages: 'You said: Hello',
  pydantic_ai_tools: SUNNY,
  pydantic_ai_streamed: SUNNY,
  pydantic_ai_tool_output: BERN,
  pydantic_ai_native_output: BERN,
  pydantic_ai_prompted_output: BERN,
  pydantic_ai_settings: SUNNY,
  langchain_anthropic_tools: SUNNY,
  openai_agents_chat: SUNNY,
  openai_agents_settings: SUNNY,
  openai_agents_default: SUNNY,
  llama_index_chat: 'You said: Hello',
  llama_index_streamed: 'You said: Hello there',
  llama_index_structured: BERN,
  llama_index_native_structured: BERN,
  llama_index_tools: 'Bern is sunny',
  llama_index_agent: SUNNY,
  llama_index_embedding: [256, 256],
  mem0_add: { results: 1 },
  instructor_modes: { TOOLS: BERN, TOOLS_STRICT: BERN, JSON: BERN, JSON_SCHEMA: BERN, MD_JSON: BERN },
  instructor_partial: BERN,
  anthropic_tools: SUNNY,
  anthropic_tools_streamed: SUNNY,
  anthropic_counts: true,
  anthropic_models: ['coder', 'vectors'],
};

const settings = (baseUrl: string) => `
organization: acme
providers: { oblige: { type: openai, baseUrl: "${baseUrl}" }, words: { type: lexical } }
---
neuron: acme/coder
access: { apiKey: true }
flow: [{ callModel: { provider: oblige, model: oblige-1, accepts: all, images: { byAddress: true } } }]
---
neuron: acme/vectors
access: { apiKey: true }
flow: [{ embed: { provider: words, model: words, dimensions: 256 } }]
`;

describe.runIf(isAsked)('frameworks of other people', () => {
  let model: Awaited<ReturnType<typeof startObligingModel>>;
  let stack: Stack;
  let python: string;
  let key: string;

  beforeAll(async () => {
    python = await installFrameworks();
    model = await startObligingModel();
    stack = await startStack({ settings: settings(model.baseUrl), concurrency: 4 });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'frameworks'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  it('chat, call tools, fill forms and make vectors as with OpenAI and Anthropic', async () => {
    const child = run(python, [join(FOLDER, 'drive.py')], { maxBuffer: 10_000_000 });
    child.child.stdin?.end(JSON.stringify({ url: `${stack.url}/v1/acme`, key }));
    const { stdout } = await child;
    const outcomes = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    const expected = Object.entries(EXPECTED).map(([name, ok]) => [name, { ok }]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  }, 300_000);

  it("pass LangChain's conformance classes, whole", async () => {
    const { stdout } = await run(
      ...([
        python,
        [
          '-m',
          'pytest',
          '-q',
          '-rfEs',
          '-p',
          'no:cacheprovider',
          '-o',
          'asyncio_mode=auto',
          '-o',
          'asyncio_default_test_loop_scope=session',
          join(FOLDER, 'conformance'),
        ],
      ] as const),
      { env: { ...process.env, NEURON_TEST_URL: `${stack.url}/v1/acme`, NEURON_TEST_KEY: key } },
    ).catch((failed: { stdout: string }) => ({ stdout: failed.stdout }));
    expect(stdout).toMatch(/\d+ passed/);
    expect(stdout).not.toMatch(/\d+ (?:failed|error)/);
  }, 300_000);
});
