// `neuron import portkey`: each form of a configuration, what is not taken, and files that are none.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

async function importText(text: string, ...words: string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'shop.json'), text);
  const command = ['import', 'portkey', 'shop.json', '--organization', 'acme', ...words];
  const ended = await runWith(createMemoryPorts(), command, { folder });
  const read = (name: string) =>
    parseAllDocuments(readFileSync(join(folder, 'acme', name), 'utf8')).map(
      (one) => one.toJS() as Record<string, unknown>,
    );
  return { ...ended, folder, read };
}

const importConfig = (config: unknown, ...words: string[]) => importText(JSON.stringify(config), ...words);
const target = (model: string, more: object = {}) => ({
  ...{ provider: 'openai', api_key: 'sk-secret-of-a-vendor', override_params: { model } },
  ...more,
});

async function stepOf(config: unknown, ...words: string[]) {
  const { read } = await importConfig(config, ...words);
  const [neuron] = read('neurons.yaml') as [{ flow: [{ callModel: Record<string, unknown> }] }];
  return neuron.flow[0].callModel;
}

async function providersOf(config: unknown) {
  const { read } = await importConfig(config);
  return read('organization.yaml')[0]?.['providers'];
}

const condition = (query: object, name: string) =>
  Object.fromEntries([
    ['query', query],
    ['then', name],
  ]);

describe('neuron import portkey', () => {
  it('takes a list as its API gives it, with configurations as text, and gives equal names a number', async () => {
    const list = {
      object: 'list',
      data: [
        { id: 'pc-1', name: 'Shop front', config: JSON.stringify(target('gpt-4o')) },
        { id: 'pc-2', name: 'Shop front', config: target('gpt-4.1') },
        { id: 'pc-3', slug: 'blog', config: target('gpt-4o') },
      ],
    };
    const { read } = await importConfig(list);
    expect(read('neurons.yaml').map(({ neuron, name, models }) => [neuron, name, models])).toEqual([
      ['acme/shop-front', 'Shop front', ['gpt-4o']],
      ['acme/shop-front-2', 'Shop front 2', ['gpt-4.1']],
      // A name of a model is one neuron's; this one is called by its own.
      ['acme/blog', undefined, undefined],
    ]);
  });

  it('makes a neuron of each target of conditions, with the models that they ask for', async () => {
    const config = {
      strategy: {
        mode: 'conditional',
        conditions: [
          condition({ 'params.model': { $in: ['fast', 'mini'] } }, 'a'),
          condition({ 'params.model': { $eq: 'smart' } }, 'b'),
        ],
        default: 'b',
      },
      targets: [target('gpt-4.1-mini', { name: 'a' }), target('gpt-4.1', { name: 'b' })],
    };
    const { read, stdout } = await importConfig(config);
    expect(read('neurons.yaml').map(({ neuron, models }) => [neuron, models])).toEqual([
      ['acme/shop-a', ['fast', 'mini']],
      ['acme/shop-b', ['smart']],
    ]);
    expect(stdout).not.toContain('conditions');
  });

  it('flattens a balance of fallbacks and a fallback to a balance', async () => {
    const nested = {
      strategy: { mode: 'fallback' },
      targets: [
        {
          strategy: { mode: 'loadbalance' },
          targets: [target('a', { weight: 0.7 }), target('b', { weight: 0.3 }), target('c', { weight: 0 })],
        },
        { strategy: { mode: 'loadbalance' }, targets: [target('d'), target('e')] },
      ],
    };
    const step = await stepOf(nested);
    expect(step['targets']).toEqual([
      { provider: 'openai', model: 'a', weight: 70 },
      { provider: 'openai', model: 'b', weight: 30 },
    ]);
    expect(step['fallbacks']).toEqual([
      { provider: 'openai', model: 'd' },
      { provider: 'openai', model: 'e' },
    ]);
  });

  it('hands down what targets inherit, and bounds it', async () => {
    const step = await stepOf({
      ...{ strategy: { mode: 'single' }, retry: { attempts: 9 }, request_timeout: 600_000 },
      override_params: { temperature: 0.5, stop: 'END', user: 'x' },
      targets: [target('gpt-4o')],
    });
    expect(step).toMatchObject({
      ...{ temperature: 0.5, stopSequences: ['END'], retries: 5, timeout: '240s', model: 'gpt-4o' },
    });
  });

  it.each([
    [
      'Azure',
      {
        ...{ provider: 'azure-openai', azure_resource_name: 'acme-eu', azure_deployment_id: 'gpt' },
        api_key: 'k',
      },
      { azure: { baseUrl: 'https://acme-eu.openai.azure.com/openai/v1', auth: 'api-key' } },
    ],
    [
      'Bedrock',
      {
        ...{ provider: 'bedrock', aws_region: 'eu-central-1', aws_access_key_id: 'AKIA' },
        override_params: { model: 'm.n' },
      },
      { bedrock: { type: 'bedrock', region: 'eu-central-1' } },
    ],
    [
      'Vertex AI',
      {
        ...{ provider: 'vertex-ai', vertex_project_id: 'p', vertex_region: 'europe-west1' },
        override_params: { model: 'gemini-2.5-flash' },
      },
      {
        vertex: {
          baseUrl:
            'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/endpoints/openapi',
        },
      },
    ],
    [
      'an organization of OpenAI',
      target('gpt-4o', { openai_organization: 'org-1', openai_project: 'proj-1' }),
      { openai: { headers: { 'OpenAI-Organization': 'org-1', 'OpenAI-Project': 'proj-1' } } },
    ],
    [
      'a provider of the vault in the model',
      { override_params: { model: '@mistral-prod/mistral-small-latest' } },
      { mistral: { baseUrl: 'https://api.mistral.ai/v1', apiKey: { secret: 'mistral-prod' } } },
    ],
    [
      'a host of its own',
      target('m', { custom_host: 'https://llm.example.com/v1' }),
      { openai: { baseUrl: 'https://llm.example.com/v1' } },
    ],
  ])('has a provider for %s', async (_what, config, expected) => {
    expect(await providersOf(config)).toMatchObject(expected);
  });

  it('copies no key, and names the secrets to set', async () => {
    const { stdout, stderr, folder } = await importConfig(target('gpt-4o'));
    const files = ['organization.yaml', 'neurons.yaml'].map((name) =>
      readFileSync(join(folder, 'acme', name), 'utf8'),
    );
    expect([...files, stdout, stderr].join('\n')).not.toContain('sk-secret');
    expect(stderr).toContain('neuron secrets set acme openai-key --for providers');
  });

  it.each([
    ['text that is no JSON', '{"a', 'cannot be read as JSON'],
    ['nothing', '', 'is no configuration of Portkey'],
    ['a number', '7', 'is no configuration of Portkey'],
    ['an empty list', '[]', 'it has no configuration'],
    ['targets that are none', '{"targets":5}', 'the file: targets'],
    ['a weight that is none', '{"targets":[{"weight":"much"}]}', 'targets.0.weight'],
    ['targets 100 deep', `${'{"targets":['.repeat(100)}{}${']}'.repeat(100)}`, 'is no configuration'],
    ['a configuration as text that is no JSON', '[{"name":"a","config":"{"}]', '[0] is no configuration'],
    ['no provider', '{}', 'it names no provider'],
    [
      'a cohere',
      '{"provider":"cohere","override_params":{"model":"r"}}',
      'no provider here speaks to cohere',
    ],
    [
      'a vault without a vendor',
      '{"virtual_key":"prod-1","override_params":{"model":"r"}}',
      'says no vendor',
    ],
    [
      'a private address',
      '{"provider":"openai","custom_host":"https://10.0.0.1/v1","override_params":{"model":"r"}}',
      'must not be a private',
    ],
    ['no model', '{"provider":"openai","api_key":"k"}', 'the file does not name the model'],
  ])('writes nothing for %s', async (_what, text, message) => {
    const { exitCode, stderr, folder } = await importText(text);
    expect(stderr).toContain(message);
    expect(exitCode).not.toBe(0);
    expect(existsSync(join(folder, 'acme'))).toBe(false);
  });

  it('reads no member of the prototype', async () => {
    const { exitCode, stdout } = await importText(
      '{"__proto__":{"provider":"openai"},"constructor":1,"provider":"openai","override_params":{"model":"m","__proto__":1}}',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('constructor');
  });
});
