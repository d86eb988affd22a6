// The example for promptfoo by its released command, against a whole stack: natively, and by OpenAI's surface.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPromptfoo } from '../clients/install.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ROOT, runNode } from './support/command.ts';
import { readEntry } from './support/log-entry.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const isAsked = process.env['NEURON_E2E_LONG'] !== undefined;
const EXAMPLE = 'examples/promptfoo/promptfooconfig.mjs';
/** Exit code of promptfoo where a test did not pass. */
const FAILED = 100;

interface Result {
  readonly success: boolean;
  readonly provider: { readonly label: string };
  readonly vars: { readonly question: string };
  readonly response?: {
    readonly output?: string;
    readonly metadata?: { readonly http?: { readonly headers?: Readonly<Record<string, string>> } };
  };
  readonly cost?: number;
  readonly error?: string | null;
}

interface Entry {
  readonly surface: string;
  readonly costMicrodollars: number;
}

/** The settings of the example, for callers with a key alone, and at two dollars a million tokens. */
function readSettings(): string {
  const read = (name: string) => readFileSync(join(ROOT, 'examples', name), 'utf8');
  const priced = read('acme.yaml').replace(
    /^providers:$/m,
    'prices: { demo/echo-1: { input: 2, output: 2 } }\n$&',
  );
  return `${priced}\n---\n${read('variables.yaml').replace('{ public: true }', '{ apiKey: true }')}`;
}

describe.runIf(isAsked && isLocal)('the released promptfoo as a client', () => {
  let stack: Stack;
  let program = '';
  let key = '';

  async function evaluate(url: string, config = EXAMPLE) {
    const home = temporaryFolder();
    const out = join(home, 'out.json');
    const environment = {
      ...{ PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', PROMPTFOO_CONFIG_DIR: home },
      ...{ NEURON_URL: url, NEURON_API_KEY: key },
    };
    const words = [program, 'eval', '--no-cache', '-c', config, '-o', out];
    const { exitCode, stdout, stderr } = await runNode(words, { environment });
    const report = JSON.parse(readFileSync(out, 'utf8')) as { results: { results: readonly Result[] } };
    return { exitCode, said: stdout + stderr, results: report.results.results };
  }

  beforeAll(async () => {
    program = join(await installPromptfoo(), 'node_modules/promptfoo/dist/src/entrypoint.js');
    stack = await startStack({ settings: readSettings() });
    key =
      (await stack.operate(['keys', 'create', 'acme', '--name', 'promptfoo'])).match(/nrn_\S+/)?.[0] ?? '';
  }, 600_000);
  afterAll(() => stack?.stop());

  it('gets the same answers by both, each test of the example passes, and the cost is that of the log', async () => {
    const { exitCode, said, results } = await evaluate(stack.url);
    expect(results.filter(({ success }) => !success)).toEqual([]);
    expect([exitCode, said]).toEqual([0, expect.not.stringContaining('unexpected results')]);
    const outputs = Map.groupBy(results, ({ vars }) => vars.question);
    expect(outputs.size).toBe(3);
    for (const both of outputs.values()) {
      expect(new Set(both.map(({ provider }) => provider.label))).toEqual(new Set(['native', 'openai']));
      expect(new Set(both.map(({ response }) => response?.output)).size).toBe(1);
    }
    for (const { provider, response, cost } of results) {
      const id = response?.metadata?.http?.headers?.['x-execution-id'] ?? '';
      const entry = await readEntry<Entry>(stack, id);
      expect(entry.surface).toBe(provider.label);
      expect(entry.costMicrodollars).toBeGreaterThan(0);
      if (provider.label === 'native') expect(cost).toBeCloseTo(entry.costMicrodollars / 1e6, 9);
    }
  }, 120_000);

  it('fails by both where the neuron refuses a value, instead of taking the error for an answer', async () => {
    // Without `validateStatus` of the example the body of the error would pass.
    const test = {
      vars: { question: 'When?', order: 'A 17', days: 99 },
      assert: [{ type: 'not-contains', value: 'Order' }],
    };
    const config = join(temporaryFolder(), 'refused.mjs');
    writeFileSync(
      config,
      `import example from '${join(ROOT, EXAMPLE)}';
const prompts = ['file://${join(ROOT, 'examples/promptfoo/prompt.mjs')}'];
export default { ...example, prompts, tests: [${JSON.stringify(test)}] };\n`,
    );
    const { exitCode, results } = await evaluate(stack.url, config);
    const statuses = results.map(({ provider, error }) => [provider.label, error?.match(/ 4\d\d /)?.[0]]);
    expect(Object.fromEntries(statuses)).toEqual({ native: ' 422 ', openai: ' 400 ' });
    expect(results.some(({ success }) => success)).toBe(false);
    expect(exitCode).toBe(FAILED);
  }, 120_000);

  it('ends with exit code 0 and without a verdict where the address is unknown, as docs/promptfoo.md warns', async () => {
    const { exitCode, said, results } = await evaluate(`${stack.url}/nowhere`);
    expect([exitCode, results.filter(({ success }) => success)]).toEqual([0, []]);
    expect(results.length).toBeLessThan(6);
    expect(said).toContain('Eval aborted');
  }, 120_000);
});
