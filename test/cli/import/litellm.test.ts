// `neuron import litellm`: settings that are valid and mean the same, a list of the rest, and never a key.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

const CONFIG = readFileSync(join(import.meta.dirname, 'litellm.yaml'), 'utf8');

async function importConfig(text: string, ...words: string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'config.yaml'), text);
  const command = ['import', 'litellm', 'config.yaml', '--organization', 'acme', ...words];
  const ended = await runWith(createMemoryPorts(), command, { folder });
  const read = (name: string) => readFileSync(join(folder, 'acme', name), 'utf8');
  const documents = (name: string) =>
    parseAllDocuments(read(name)).map((one) => one.toJS() as Record<string, unknown>);
  return { ...ended, folder, read, documents };
}

const notesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly path: string; readonly text: string });

describe('neuron import litellm', () => {
  it('writes settings that are valid', async () => {
    const { exitCode, folder, stderr } = await importConfig(CONFIG);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Wrote 5 neurons of acme');
    const validated = await runWith(createMemoryPorts(), ['validate', 'acme'], { folder });
    expect(validated.stdout.split('\n').filter((line) => line.startsWith('error'))).toEqual([]);
    expect(validated.exitCode).toBe(0);
  });

  it('has a provider for each vendor, address and key', async () => {
    const { documents } = await importConfig(CONFIG);
    expect(documents('organization.yaml')).toEqual([
      {
        organization: 'acme',
        providers: {
          openai: {
            type: 'openai',
            baseUrl: 'https://api.openai.com/v1',
            apiKey: { secret: 'openai-api-key' },
          },
          azure: {
            type: 'openai',
            baseUrl: 'https://acme-eu.openai.azure.com/openai/v1',
            apiKey: { secret: 'azure-api-key' },
            auth: 'api-key',
          },
          anthropic: { type: 'anthropic', apiKey: { secret: 'anthropic-key' } },
          bedrock: { type: 'bedrock', region: 'eu-central-1' },
        },
        prices: {
          'openai/gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
          'azure/mini-eu': { input: 0.4, output: 1.6 },
          'openai/gpt-4.1': { input: 2, output: 8, cachedInput: 0.1 },
          'bedrock/eu.amazon.nova-lite-v1:0': { input: 0.069, output: 0.276 },
          'openai/text-embedding-3-small': { input: 0.02, output: 0 },
        },
        usageLimits: [{ metric: 'cost', limit: 100, period: 'month' }],
      },
    ]);
  });

  it('keeps the names that callers send, with weights, limits, fallbacks and parameters', async () => {
    const { documents } = await importConfig(CONFIG);
    const neurons = Object.fromEntries(documents('neurons.yaml').map((one) => [one['neuron'], one]));
    const common = { access: { apiKey: true }, maxInputBytes: 1_000_000 };
    const call = { accepts: 'all', images: { byAddress: true }, retries: 3 };
    const caching = { exact: true, ttl: '600s' };
    expect(neurons['acme/gpt-4-1-mini']).toEqual({
      neuron: 'acme/gpt-4-1-mini',
      models: ['gpt-4.1-mini'],
      ...common,
      rateLimits: [{ metric: 'requests', scope: 'total', limit: 750, period: '1m' }],
      caching,
      flow: [
        {
          callModel: {
            targets: [
              { provider: 'openai', model: 'gpt-4.1-mini', weight: 3 },
              { provider: 'azure', model: 'mini-eu', weight: 1 },
            ],
            ...call,
            timeout: '60s',
          },
        },
      ],
    });
    expect(neurons['acme/gpt-4-1']).toMatchObject({
      models: ['gpt-4.1', 'gpt-4'],
      flow: [
        {
          callModel: {
            provider: 'openai',
            model: 'gpt-4.1',
            temperature: 0.2,
            timeout: '240s',
            fallbacks: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
          },
        },
      ],
    });
    expect(neurons['acme/claude-sonnet']).toMatchObject({
      rateLimits: [{ metric: 'tokens', scope: 'total', limit: 400_000, period: '1m' }],
      flow: [{ callModel: { provider: 'anthropic', model: 'claude-sonnet-4-5', maxTokens: 8192 } }],
    });
    expect(neurons['acme/text-embedding-3-small']).toMatchObject({
      flow: [{ embed: { provider: 'openai', model: 'text-embedding-3-small' } }],
    });
  });

  it('names all that has no counterpart, each once, and why', async () => {
    const { stdout } = await importConfig(CONFIG, '--json');
    const notes = notesOf(stdout);
    expect(notes.map(({ path }) => path).toSorted()).toEqual(
      [
        'general_settings.master_key',
        'litellm_params.api_version',
        'litellm_params.aws_access_key_id',
        'litellm_settings.cache_params.type',
        'litellm_settings.drop_params',
        'litellm_settings.success_callback',
        'model_list: claude-*',
        'model_list: dall-e-3',
        'model_list: gemini-pro (vertex_ai/gemini-2.5-pro)',
        'model_list: gpt-4.1',
        'model_list: gpt-4.1',
        'router_settings.model_group_alias.old',
        'router_settings.routing_strategy',
        'router_settings.something_new',
      ].toSorted(),
    );
    const textOf = (path: string) => notes.filter((one) => one.path === path).map(({ text }) => text);
    expect(textOf('model_list: gpt-4.1')).toEqual([
      'a timeout of 600 s: a call has at most 240 s here',
      'the fallback nobody is no model of this file',
    ]);
    expect(textOf('router_settings.something_new')).toEqual([
      'not known to this command: nothing was made of it',
    ]);
  });

  it('copies no key, and says which secrets to set', async () => {
    const { read, stderr, stdout } = await importConfig(CONFIG);
    const all = [read('organization.yaml'), read('neurons.yaml'), stdout, stderr].join('\n');
    expect(all).not.toContain('sk-ant-secret');
    for (const name of ['openai-api-key', 'azure-api-key', 'anthropic-key'])
      expect(stderr).toContain(`neuron secrets set acme ${name} --for providers`);
    expect(stderr).toContain('the key in the file, which was not copied');
  });

  it('names the models whose price a budget needs', async () => {
    const models = ['openai/gpt-4.1-mini', 'openai/of-tomorrow', 'groq/gpt-4.1-mini'];
    const list = models.map((model, index) => ({ model_name: `m${index}`, litellm_params: { model } }));
    const budget = { litellm_settings: { max_budget: '10', budget_duration: '7d' } };
    const { stdout } = await importConfig(JSON.stringify({ model_list: list, ...budget }), '--json');
    expect(notesOf(stdout).map(({ path }) => path)).toEqual([
      'litellm_settings.budget_duration',
      'prices: openai/of-tomorrow',
      'prices: groq/gpt-4.1-mini',
    ]);
    const free = await importConfig(JSON.stringify({ model_list: list }), '--json');
    expect(free.stdout).toBe('');
  });

  it('gives each key of the file a secret of its own, and equal ones the same', async () => {
    const keys = ['one', 'two', 'one'];
    const list = keys.map((key, index) => ({
      model_name: `m${index}`,
      litellm_params: { model: 'openai/a', api_key: `sk-${key}` },
    }));
    const { documents } = await importConfig(JSON.stringify({ model_list: list }));
    const [organization] = documents('organization.yaml') as [{ readonly providers: object }];
    const apiKey = (secret: string) => expect.objectContaining({ apiKey: { secret } });
    expect(organization.providers).toEqual({
      openai: apiKey('openai-key'),
      'openai-2': apiKey('openai-key-2'),
    });
    const providers = documents('neurons.yaml').map(
      ({ flow }) => (flow as [{ readonly callModel: { readonly provider: string } }])[0].callModel.provider,
    );
    expect(providers).toEqual(['openai', 'openai-2', 'openai']);
  });

  it('overwrites nothing', async () => {
    const { folder } = await importConfig(CONFIG);
    writeFileSync(join(folder, 'acme/neurons.yaml'), 'mine');
    const words = ['import', 'litellm', 'config.yaml', '--organization', 'acme'];
    const again = await runWith(createMemoryPorts(), words, { folder });
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
    expect(readFileSync(join(folder, 'acme/neurons.yaml'), 'utf8')).toBe('mine');
  });

  it.each([
    ['nothing', '', 'is no configuration of LiteLLM'],
    ['a list', '- a', 'is no configuration of LiteLLM'],
    ['no models', 'model_list: []', 'model_list:'],
    ['a model without parameters', 'model_list: [{ model_name: a }]', 'model_list[0].litellm_params:'],
    ['broken YAML', 'model_list: [', 'cannot be read as YAML'],
    ['a bomb of aliases', bomb(), 'cannot be read as YAML'],
  ])('refuses %s, and writes nothing', async (_what, text, message) => {
    const { exitCode, stderr, read } = await importConfig(text);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(() => read('neurons.yaml')).toThrow();
  });

  it.each([
    ['names of one slug', ['GPT 4', 'gpt-4', 'gpt_4'], ['acme/gpt-4', 'acme/gpt-4-2', 'acme/gpt-4-3']],
    ['a reserved slug', ['models'], ['acme/model-models']],
    ['no letter', ['???'], ['acme/any']],
    ['a long name', ['a'.repeat(100)], [`acme/${'a'.repeat(55)}`]],
  ])('makes slugs for %s', async (_what, names, slugs) => {
    const list = names.map((name) => ({ model_name: name, litellm_params: { model: 'openai/m' } }));
    const { documents } = await importConfig(JSON.stringify({ model_list: list }));
    expect(documents('neurons.yaml').map(({ neuron }) => neuron)).toEqual(slugs);
  });
});

/** Ten lists of ten aliases each: 10^9 values. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, index) =>
    index === 0
      ? 'a0: &a0 [x, x]'
      : `a${index}: &a${index} [${Array.from({ length: 10 }, () => `*a${index - 1}`).join(', ')}]`,
  );
  return `${lines.join('\n')}\n`;
}
