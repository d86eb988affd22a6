// What apply and validate say about settings files: every diagnostic at once, with its place and what to do.
import { describe, expect, it, test } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { type Diagnostic, renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { findNamedOrganizations } from '../../../../core/admin/validate/documents.ts';
import { acme, callDemo, errors, validate } from './validate-text.ts';

const hello = 'neuron: acme/hello\naccess: { apiKey: true }\n';

describe('valid documents', () => {
  it('gives what was written, the flow apart, without diagnostics', () => {
    const { input, errors, warnings } = validate(`${acme}---\n${hello}${callDemo}`);
    expect([...errors, ...warnings]).toEqual([]);
    expect(input.organizations).toMatchObject([
      { slug: 'acme', document: { organization: 'acme', providers: { demo: { type: 'echo' } } } },
    ]);
    expect(input.neurons).toMatchObject([{ organization: 'acme', slug: 'hello' }]);
    expect(input.neurons[0]?.settings).toEqual({ neuron: 'acme/hello', access: { apiKey: true } });
    expect(input.neurons[0]?.flow).toEqual([{ callModel: { provider: 'demo', model: 'm' } }]);
  });

  it('takes settings that are not built yet where they ask for nothing', () => {
    const defaults =
      'receipt: false\nrateLimits: []\nwhenCountersFail: refuse\ncaching: { exact: false, ttl: 1h, perUser: false }\n' +
      'flow: [{ callModel: { provider: demo, model: m, retries: 0, fallbacks: [] } }]\n';
    expect(errors(`${acme}prices: {}\nusageLimits: []\n---\n${hello}${defaults}`)).toEqual([]);
  });
});

describe('schemas', () => {
  test.each<[string, string, string[]]>([
    ['a document about nothing', 'name: x\n', ['a.yaml:1:1: must have one of `organization: SLUG`']],
    ['a document about two things', `${acme}neuron: acme/hello\n`, ['a.yaml:1:1: must have one of']],
    ['a list', '- a\n', ['a.yaml:1:1: must have one of']],
    [
      'a member that is misspelt',
      `${acme}prizes: {}\n`,
      ['a.yaml:3:1: has the unknown member prizes (did you mean prices?)'],
    ],
    [
      'several unknown members',
      `${acme}xyzzy: 1\nNAME: Acme\n`,
      [
        'a.yaml:3:1: has unknown members: xyzzy, NAME (did you mean name?); known are format, organization, name',
      ],
    ],
    [
      'a slug that is none',
      'organization: Acme\n',
      ['a.yaml:1:1: organization: must be a slug such as acme: "Acme" may have only a-z, 0-9 and -'],
    ],
    [
      'a member without a value',
      `${acme}name:\n`,
      ['a.yaml:3:1: name: must be one line of 1 to 100 characters'],
    ],
    [
      'a provider without type',
      `${acme.replace('type: echo', '')}`,
      ['providers.demo.type: is missing: it must have a type'],
    ],
    [
      'a provider of an unknown type',
      acme.replace('echo', 'ekko'),
      [
        'a.yaml:2:22: providers.demo.type: "ekko" is no type: choose openai, anthropic, bedrock, echo or lexical (did you mean echo?)',
      ],
    ],
    [
      'a misspelt member of a provider',
      acme.replace('echo', 'echo, dely: 2s'),
      ['has the unknown member dely (did you mean delay?)'],
    ],
    [
      'a name of a provider',
      acme.replace('demo', 'Demo'),
      ['providers.Demo: is not a name that may stand here: it must be 1 to 32'],
    ],
    [
      'a secret by value',
      acme.replace('echo', 'openai, apiKey: sk-1'),
      ['providers.demo.apiKey: must be { secret: NAME }'],
    ],
    ['a later format', `${acme}format: 2\n`, ['a.yaml:3:1: format: must be 1']],
  ])('refuses %s', (_, text, expected) => {
    const found = errors(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(found[index]).toContain(part);
  });

  test.each<[string, string, string]>([
    ['a step as a word', '- stop', 'a.yaml:7:5: flow[0]: must be one step, such as'],
    ['a step without members', '- stop:', 'flow[0].stop: must have members: text'],
    [
      'a step that is misspelt',
      '- callmodle: { provider: demo, model: echo-1 }',
      'flow[0]: has the unknown member callmodle (did you mean callModel?)',
    ],
    ['two steps in one entry', '- { stop: {}, serveOutput: {} }', 'flow[0]: must be one step'],
    ['an empty entry', '- {}', 'flow[0]: must be one step'],
    [
      'a call without a model',
      '- callModel: { provider: demo }',
      'flow[0].callModel.model: is missing: it must be text',
    ],
    [
      'a misspelt member of a step',
      '- callModel: { provider: demo, model: m, maxToken: 3 }',
      '(did you mean maxTokens?)',
    ],
    [
      'a number out of range',
      '- callModel: { provider: demo, model: m, temperature: 3 }',
      'temperature: must be a number from 0 to 2',
    ],
    [
      'a number too small to store',
      '- callModel: { provider: demo, model: m, topP: 1e-200 }',
      'topP: must be a number from 0 to 1',
    ],
    [
      'an empty list',
      '- callModel: { provider: demo, model: m, stopSequences: [] }',
      'must hold at least 1 entries',
    ],
    [
      'instructions of two kinds',
      '- systemInstructions: { text: a, file: b }',
      'systemInstructions: must have either text or file',
    ],
    [
      'instructions of no kind',
      '- systemInstructions: 3',
      'systemInstructions: must be text, { text, append? } or { file, append? }',
    ],
    [
      'instructions that are empty',
      '- systemInstructions: ""',
      'systemInstructions: must be text of 1 to 100000 characters',
    ],
    [
      'an unknown placeholder',
      '- serveOutput: { text: "{{inptu}}" }',
      'flow[0].serveOutput.text: has the unknown placeholder {{inptu}}',
    ],
  ])('refuses %s', (_, step, expected) => {
    const found = errors(`${acme}---\n${hello}flow:\n  ${step}\n`);
    expect(found).toEqual([expect.stringContaining(expected)]);
  });

  it('refuses everything that is wrong in every document at once, in the order of the files', () => {
    const text = `organization: acme\nname: 3\nx: 1\n---\nneuron: acme/a\ndeadline: 9h\naccess: { ips: 1, y: 2 }\n---\nneuron: b\n`;
    expect(validate(text).errors.map(({ line }) => line)).toEqual([2, 3, 6, 7, 7, 9]);
  });
});

describe('documents together', () => {
  it('refuses a document that is given twice, naming the first one', () => {
    expect(errors(`${acme}---\n${hello}${callDemo}---\n${acme}---\n${hello}${callDemo}`)).toEqual([
      'a.yaml:8:1: organization: acme is given already at a.yaml:1; keep one of them',
      'a.yaml:11:1: neuron: acme/hello is given already at a.yaml:4; keep one of them',
    ]);
  });

  it('refuses a neuron of an organization that is neither stored nor given', () => {
    expect(errors(hello + callDemo)).toEqual([
      'a.yaml:1:1: neuron: there is no organization acme, neither stored nor in these files: add a document with `organization: acme`',
    ]);
    expect(
      findNamedOrganizations(parseYaml('a', `${hello}---\n${acme}---\nneuron: other/x\n`).documents),
    ).toEqual(['other']);
  });

  it('says offline that providers were not checked, and nothing where the organization may be in a broken file', () => {
    const offline = validate(hello + callDemo, { stored: undefined });
    expect(offline.errors).toEqual([]);
    expect(offline.warnings.map(({ message }) => message)).toEqual([
      'the organization acme is not in these files, so its providers were not checked',
    ]);
    expect(errors(hello + callDemo, { complete: false })).toEqual([]);
    expect(errors(`organization: acme\nname: 3\n---\n${hello}${callDemo}`)).toEqual([
      'a.yaml:2:1: name: must be one line of 1 to 100 characters',
    ]);
  });

  it('refuses providers that the organization does not have, or that make no text', () => {
    const flow =
      'flow:\n  - callModel: { provider: dmeo, model: m }\n  - callModel: { provider: constructor, model: m }\n';
    expect(errors(`${acme}---\n${hello}${flow}`)).toEqual([
      'a.yaml:7:18: flow[0].callModel.provider: the organization acme has no provider dmeo (it has demo); did you mean demo?',
      'a.yaml:8:18: flow[1].callModel.provider: the organization acme has no provider constructor (it has demo)',
    ]);
    const words = new Map([['acme', { organization: 'acme', providers: { demo: { type: 'lexical' } } }]]);
    expect(errors(hello + callDemo, { stored: words })).toEqual([
      'a.yaml:3:23: flow[0].callModel.provider: demo is of type lexical, which makes no text',
    ]);
  });

  it('refuses a neuron whose stored organization cannot be used', () => {
    expect(errors(hello + callDemo, { stored: new Map([['acme', { organization: 3 }]]) })).toEqual([
      'a.yaml:1:1: neuron: the stored settings of the organization acme cannot be used by this release: give its document too',
    ]);
  });
});

describe('addresses', () => {
  const provider = (baseUrl: string) =>
    `organization: acme\nproviders:\n  p: { type: openai, baseUrl: ${JSON.stringify(baseUrl)} }\n`;

  it('refuses addresses that the service must not connect to', () => {
    expect(errors(provider('https://169.254.169.254/v1'))).toEqual([
      'a.yaml:3:22: providers.p.baseUrl: must not be a private, reserved or special address',
    ]);
    expect(errors(provider('http://api.example.com/v1'))).toHaveLength(1);
    expect(errors(provider('https://api.example.com/v1?key=1'))).toHaveLength(1);
    expect(errors(provider('https://api.example.com/v1'))).toEqual([]);
  });

  it('admits loopback for the local run alone', () => {
    const ollama = provider('http://127.0.0.1:11434/v1');
    expect(errors(ollama)).toHaveLength(1);
    expect(errors(ollama, { addresses: { allowLoopback: true } })).toEqual([]);
  });
});

describe('bounds', () => {
  it('refuses a deadline that the stage does not allow, but not a default that is longer', () => {
    expect(errors(`${acme}---\n${hello}${callDemo}deadline: 3m\n`)).toEqual([
      'a.yaml:7:1: deadline: must be at most 120s, the longest that this stage allows',
    ]);
    expect(errors(`${acme}---\n${hello}${callDemo}`, { maxDeadlineMs: 10_000 })).toEqual([]);
  });

  it('warns where BUFFERED transfer cuts a deadline', () => {
    const text = `${acme}---\n${hello}${callDemo}deadline: 30s\n`;
    expect(validate(text, { transferMode: 'BUFFERED' }).warnings.map(pathOf)).toEqual(['deadline']);
    expect(validate(text).warnings).toEqual([]);
  });

  it('refuses more than one item of the store holds', () => {
    const step = `  - systemInstructions: ${'é'.repeat(50_000)}\n`;
    const text = `${acme}---\n${hello}flow:\n${step.repeat(4)}`;
    expect(errors(text)).toEqual([expect.stringMatching(/flow: takes 400\d{3} bytes; at most 350000/)]);
  });
});

describe('warnings', () => {
  it('passes on the diagnostics of access, and warns of a neuron without a flow', () => {
    const { errors, warnings } = validate(
      `${acme}---\nneuron: acme/a\nrateLimits: [{ metric: requests, scope: ip, limit: 9, period: 1m }]\naccess: { public: true, apiKey: true }\n---\nneuron: acme/b\n`,
    );
    expect(errors.map(pathOf)).toEqual(['access.public']);
    expect(warnings.map(renderDiagnostic)).toEqual([
      expect.stringContaining('a.yaml:4:1: has no flow'),
      expect.stringContaining('a.yaml:8:1: access: enables nothing, so every call is answered 403'),
      expect.stringContaining('a.yaml:8:1: has no flow'),
    ]);
  });
});

function pathOf(diagnostic: Diagnostic): string {
  return /^\S+: (\S+): /.exec(renderDiagnostic(diagnostic))?.[1] ?? '';
}
