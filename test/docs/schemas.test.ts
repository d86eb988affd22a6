// The JSON Schemas in docs/schema are those of the settings that this release reads; `vitest run -u` on this file writes them.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../adapters/yaml/parse-yaml.ts';
import { toJsonSchemas } from '../../core/settings/json-schema.ts';

const schemas = toJsonSchemas();

describe('docs/schema', () => {
  it.each(['organization', 'neuron', 'tests', 'settings'] as const)(
    'holds the schema %s as it is now',
    async (name) => {
      await expect(`${JSON.stringify(schemas[name], null, 2)}\n`).toMatchFileSnapshot(
        `../../docs/schema/${name}.schema.json`,
      );
    },
  );

  it('knows every member of both documents and refuses others', () => {
    expect(schemas.organization).toMatchObject({ additionalProperties: false, required: ['organization'] });
    expect(schemas.neuron).toMatchObject({ additionalProperties: false, required: ['neuron'] });
    expect(Object.keys(schemas.neuron['properties'] as object).sort()).toEqual([
      'access',
      'caching',
      'deadline',
      'feedback',
      'flow',
      'format',
      'guards',
      'logging',
      'maxInputBytes',
      'mcp',
      'models',
      'name',
      'neuron',
      'rateLimits',
      'receipt',
      'rollout',
      'tags',
      'variables',
      'whenCountersFail',
    ]);
  });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = globSync('examples/{,tests/}*.yaml', { cwd: root }).toSorted();
// Formats need a package of their own; the schemas have a pattern beside each.
const ajv = new Ajv2020({ validateFormats: false });
const neuron = ajv.compile(schemas.neuron);
const organization = ajv.compile(schemas.organization);
const tests = ajv.compile(schemas.tests);

/** As an editor validates it, which knows the schema alone. */
function isTaken(document: object): boolean {
  if ('tests' in document) return tests(document);
  return ('neuron' in document ? neuron : organization)(document);
}

describe('an editor', () => {
  it.each(examples)('finds the schema that %s names, and accepts the whole file', (file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(join(dirname(file), path)).toBe('docs/schema/settings.schema.json');
    for (const { value } of parseYaml(file, text).documents) expect(isTaken(value as object)).toBe(true);
  });

  const acme = { neuron: 'acme/a' };
  const flow = (step: object) => ({ ...acme, flow: [step] });
  it.each<[string, object]>([
    ['a reserved slug', { organization: 'chat' }],
    ['a neuron without its organization', { neuron: 'hello' }],
    ['an unknown member', { ...acme, flows: [] }],
    ['a duration of nothing', { ...acme, deadline: '0s' }],
    ['a duration without a unit', { ...acme, caching: { ttl: '60' } }],
    ['a name of two lines', { organization: 'acme', name: 'a\nb' }],
    ['a price below nothing', { organization: 'acme', prices: { 'a/b': { input: -1, output: 1 } } }],
    [
      'a URL with a fragment',
      { organization: 'acme', providers: { p: { type: 'openai', baseUrl: 'https://a.b/#c' } } },
    ],
    ['a step of two', flow({ stop: {}, serveOutput: {} })],
    ['a step of none', flow({})],
    ['instructions of text and file', flow({ systemInstructions: { text: 'a', file: 'b' } })],
    ['more than 100 %', flow({ randomizedSplit: { percentageA: 101 } })],
    ['access that is not enabled', { ...acme, access: { apiKey: false } }],
    ['public access beside another', { ...acme, access: { public: true, apiKey: true } }],
    ['an address that is none', { ...acme, access: { ips: ['localhost'] } }],
    ['a test of nothing', { tests: 'acme/a', cases: [{ name: 'a', input: 'b', assert: [] }] }],
    [
      'an assertion that runs code',
      { tests: 'acme/a', cases: [{ name: 'a', input: 'b', assert: [{ type: 'javascript', value: 'x' }] }] },
    ],
    ['an empty list of addresses', { ...acme, access: { ips: [] } }],
    [
      'two ways to verify tokens',
      { ...acme, access: { jwt: { jwks: ['https://a.b/c'], sharedSecret: { secret: 's' } } } },
    ],
  ])('refuses %s', (_what, document) => {
    expect(isTaken(document)).toBe(false);
  });
});
