// Released clients of Responses and Messages, and coding agents, unpatched, against the whole local stack: what they hand out goes back as it is.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startObligingModel } from '../clients/frameworks/obliging-model.ts';
import { installAgents, installAgentsOfPython } from '../clients/install.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const FOLDER = join(import.meta.dirname, '../clients/agents');
const run = promisify(execFile);
/** A gigabyte of programs is installed for it. */
const isAsked = isLocal && process.env['NEURON_E2E_LONG'] !== undefined;

const BERN = { city: 'Bern', degrees: 21 };
/** Two calls in each of three rounds, and the words of the last one. */
const ROUNDS = { calls: 6, said: 'The tools say: sunny; noon' };

/** What each case comes to. */
const EXPECTED: Readonly<Record<string, unknown>> = {
  ai_compatible: ROUNDS,
  ai_compatible_streamed: ROUNDS,
  ai_compatible_object: BERN,
  ai_responses: ROUNDS,
  ai_responses_streamed: ROUNDS,
  ai_responses_object: BERN,
  // By default it refers to items that it takes for stored.
  ai_responses_default: { status: 400, saysStore: true },
  ai_anthropic: ROUNDS,
  ai_anthropic_streamed: ROUNDS,
  ai_anthropic_object: BERN,
  anthropic: ROUNDS,
  anthropic_streamed: ROUNDS,
  anthropic_older: ROUNDS,
  anthropic_older_streamed: ROUNDS,
  langchain_anthropic: ROUNDS,
  langchain_responses: ROUNDS,
  openai_agents: ROUNDS,
};

/** A report of llm-comply. */
interface Compliance {
  readonly summary: object;
  readonly results: readonly { readonly id: string; readonly warnings?: readonly string[] }[];
}

const settings = (baseUrl: string) => `
organization: acme
providers: { oblige: { type: openai, baseUrl: "${baseUrl}" } }
---
neuron: acme/coder
access: { apiKey: true }
flow: [{ callModel: { provider: oblige, model: oblige-1, accepts: all, images: { byAddress: true } } }]
`;

describe.runIf(isAsked)('released clients', () => {
  let model: Awaited<ReturnType<typeof startObligingModel>>;
  let stack: Stack;
  let key: string;
  let programs: string;
  let python: string;

  beforeAll(async () => {
    programs = await installAgents();
    python = await installAgentsOfPython();
    model = await startObligingModel();
    stack = await startStack({ settings: settings(model.baseUrl), concurrency: 4 });
    key = (await stack.operate(['keys', 'create', 'acme', '--name', 'agents'])).trim();
  }, 300_000);
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  it('call two tools at once over three rounds, and fill forms, on every surface', async () => {
    const child = run(process.execPath, [join(FOLDER, 'drive.mjs')], { maxBuffer: 10_000_000 });
    child.child.stdin?.end(JSON.stringify({ url: `${stack.url}/v1/acme`, key }));
    const outcomes = JSON.parse((await child).stdout) as Record<string, unknown>;
    const expected = Object.entries(EXPECTED).map(([name, ok]) => [name, { ok }]);
    expect(outcomes).toEqual(Object.fromEntries(expected));
  }, 300_000);

  it.each([
    ['openai-chat', 8, []],
    // Nothing is stored, so that there is nothing to compact.
    ['open-responses', 12, []],
    ['anthropic', 8, ['--auth-header', 'x-api-key', '--no-bearer', '-H', 'anthropic-version:2023-06-01']],
  ])('pass llm-comply by %s', async (format, passed, more) => {
    const asked = ['--format', format, '-u', `${stack.url}/v1/acme`, '-k', key, '-m', 'coder', '--json'];
    const { stdout } = await run(join(python, 'llm-comply'), [...asked, ...more]);
    const { summary, results } = JSON.parse(stdout) as Compliance;
    // One test asks for reasoning of models by OpenAI's names.
    expect(summary).toMatchObject({ passed, failed: 0, skipped: 1 });
    const warned = results.filter(({ warnings = [] }) => warnings.length > 0).map(({ id }) => id);
    expect(warned).toEqual(format === 'open-responses' ? ['compact-response'] : []);
  });

  it('pass compatcanary', async () => {
    const asked = ['--base-url', `${stack.url}/v1/acme`, '--api-key', key, '--model', 'coder'];
    const how = ['--profile', 'modern', '--format', 'json', '--fail-on', 'any'];
    const { stdout } = await run(join(programs, 'compatcanary'), ['scan', ...asked, ...how]);
    expect(JSON.parse(stdout)).toMatchObject({
      score: 100,
      summary: { passes: 7, warnings: 0, failures: 0 },
    });
  });
});
