// Any configuration of another gateway, sensible or not: settings that are valid, or an error that says why; never a defect, never a key.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const RUNS = Number(process.env['NEURON_PROPERTY_RUNS'] ?? 60);
const KEY = 'sk-never-to-be-copied-1234567890';
const name = fc.oneof(
  fc.constantFrom(
    'gpt-4.1',
    'gpt-3.5-turbo',
    'claude-haiku-4-5',
    'o3',
    'a/b',
    'models',
    'chat',
    'x',
    '*',
    'gpt-*',
  ),
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const vendorModel = fc.oneof(
  name,
  fc
    .tuple(
      fc.constantFrom(
        'openai',
        'azure',
        'anthropic',
        'bedrock',
        'vertex_ai',
        'groq',
        'hosted_vllm',
        'cohere',
      ),
      name,
    )
    .map(([vendor, model]) => `${vendor}/${model}`),
);
const address = fc.constantFrom(
  'https://llm.example.com/v1',
  'https://x.openai.azure.com/',
  'http://localhost:1',
  'https://10.0.0.1',
  'os.environ/BASE',
  'no address',
  '',
);
const amount = fc.oneof(
  fc.integer({ min: -5, max: 100_000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1, max: 10 }),
  fc.constantFrom('80', 'many', null),
);
const some = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(members, { requiredKeys: [] });

const deployment = fc.record({
  model_name: name,
  litellm_params: fc
    .tuple(
      vendorModel,
      some({
        api_base: address,
        api_key: fc.constantFrom(KEY, 'os.environ/OPENAI_API_KEY', null),
        aws_region_name: fc.constantFrom('eu-central-1', 'nowhere', 'os.environ/REGION'),
        vertex_project: fc.constantFrom('p', 'P P', ''),
        vertex_location: fc.constantFrom('global', 'europe-west1', '../x'),
        extra_headers: fc.constantFrom({ 'X-Title': 'a' }, { Authorization: 'b' }, { 'bad name': 'c' }, {}),
        ...{
          weight: amount,
          rpm: amount,
          tpm: amount,
          timeout: amount,
          max_retries: amount,
          temperature: amount,
        },
        ...{ top_p: amount, seed: amount, max_tokens: amount, dimensions: amount },
        input_cost_per_token: fc.constantFrom(0.000002, -1, '1e-6', 5),
        output_cost_per_token: fc.constantFrom(0.000002, 0, null),
        stop: fc.constantFrom('END', ['a', 'b', 'c', 'd', 'e'], '', []),
        reasoning_effort: fc.constantFrom('low', 'high', 'much'),
      }),
    )
    .map(([model, more]) => ({ model, ...more })),
  model_info: fc.constantFrom(null, { mode: 'embedding' }, { mode: 'image_generation' }, { id: 'a' }),
});

const litellm = fc.record({
  model_list: fc.array(deployment, { minLength: 1, maxLength: 6 }),
  litellm_settings: some({
    fallbacks: fc.array(fc.dictionary(name, fc.array(name, { maxLength: 7 }), { maxKeys: 2 }), {
      maxLength: 3,
    }),
    default_fallbacks: fc.array(name, { maxLength: 8 }),
    ...{ num_retries: amount, request_timeout: amount, cache: fc.boolean(), max_budget: amount },
    cache_params: some({ ttl: amount }),
    budget_duration: fc.constantFrom('30d', '1d', '7d', 'x'),
  }),
  router_settings: some({
    model_group_alias: fc.dictionary(name, name, { maxKeys: 3 }),
    timeout: amount,
    num_retries: amount,
  }),
});

const leaf = some({
  name,
  provider: fc.constantFrom(
    'openai',
    'azure-openai',
    'anthropic',
    'bedrock',
    'vertex-ai',
    'cohere',
    '@openai-x',
    '',
  ),
  virtual_key: fc.constantFrom('openai-1', 'prod', ''),
  api_key: fc.constantFrom(KEY, ''),
  custom_host: address,
  azure_resource_name: fc.constantFrom('acme', 'a b', ''),
  aws_region: fc.constantFrom('eu-central-1', 'nowhere'),
  weight: fc.oneof(fc.double({ min: -1, max: 3, noNaN: true }), fc.integer({ min: -1, max: 5000 })),
  request_timeout: fc.integer({ min: -1, max: 10_000_000 }),
  override_params: some({
    model: name,
    temperature: amount,
    max_tokens: amount,
    stop: fc.constantFrom('a', ['b'], 7),
  }),
  retry: some({ attempts: fc.integer({ min: -3, max: 50 }) }),
  cache: some({
    mode: fc.constantFrom('simple', 'semantic', 'x'),
    max_age: fc.integer({ min: -5, max: 1e9 }),
  }),
});
const { config: portkey } = fc.letrec<{ readonly config: object }>((tie) => ({
  config: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'targets' },
    leaf,
    fc
      .tuple(
        leaf,
        fc.constantFrom('single', 'loadbalance', 'fallback', 'conditional', 'other'),
        fc.array(tie('config'), { maxLength: 4 }),
      )
      .map(([around, mode, targets]) => ({ ...around, strategy: { mode }, targets })),
  ),
}));

it.each<[string, fc.Arbitrary<unknown>]>([
  ['litellm', litellm],
  ['portkey', portkey],
])(
  'makes valid settings of any configuration for %s, or says why not',
  async (from, configs) => {
    const property = fc.asyncProperty(configs, fc.boolean(), async (config, isNamed) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config));
      const models = isNamed ? ['--models', 'gpt-4.1,gpt-4o'] : [];
      const words = ['import', from, 'config.yaml', '--organization', 'acme', ...models];
      const { exitCode, stdout, stderr } = await runWith(createMemoryPorts(), words, { folder });
      expect(`${stdout}${stderr}`).not.toContain('This is a defect');
      expect(`${stdout}${stderr}`).not.toContain(KEY);
      expect(existsSync(join(folder, 'acme'))).toBe(exitCode === 0);
      if (exitCode !== 0) return;
      for (const file of ['organization.yaml', 'neurons.yaml'])
        expect(readFileSync(join(folder, 'acme', file), 'utf8')).not.toContain(KEY);
      const validated = await runWith(createMemoryPorts(), ['--local', 'validate', 'acme'], { folder });
      const errors = validated.stdout.split('\n').filter((line) => line.startsWith('error'));
      // The file does not have every price that its budget needs; the list says so.
      expect(errors.filter((line) => !line.includes('has no price'))).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS });
  },
  120_000,
);
