// `passThrough`: where it could never work, or where settings beside it could not count, `apply` says so.
import { describe, expect, it } from 'vitest';
import { errors, validate } from './validate-text.ts';

const PROVIDERS = `organization: acme
providers:
  demo: { type: echo }
  openai: { type: openai, baseUrl: https://api.openai.com/v1 }
  claude: { type: anthropic, apiKey: { secret: key } }
  aws: { type: bedrock, region: us-east-1 }
`;
const neuron = (flow: string, more = '') =>
  `${PROVIDERS}---\nneuron: acme/n\naccess: { apiKey: true }\n${more}flow:\n${flow}`;
const call = (more: string, target = 'provider: claude, model: claude-sonnet-4-6') =>
  `  - callModel: { ${target}, accepts: [passThrough], ${more} }\n`;

describe('a flow that passes requests on', () => {
  it.each([
    ['by itself', neuron(call('maxTokens: 32000'))],
    ['behind a text of its own', neuron(`  - systemInstructions: Be brief.\n${call('retries: 1')}`)],
    ['on Bedrock', neuron(call('retries: 1', 'provider: aws, model: us.anthropic.claude-sonnet-4-6'))],
    ['with other things for other callers', neuron(call('promptCache: caller, showReasoning: true'))],
  ])('is valid %s', (_what, text) => {
    expect(errors(text)).toEqual([]);
  });

  it.each([
    'prompt: "{{input}}"',
    'temperature: 0',
    'topP: 1',
    'stopSequences: [x]',
    'seed: 1',
    'outputSchema: { type: object, additionalProperties: false }',
    'reasoningEffort: low',
    'history: false',
  ])('may not say %s, which could not count', (member) => {
    const [name] = member.split(':');
    expect(errors(neuron(call(member)))).toEqual([
      expect.stringContaining(`flow[0].callModel.${name}: would not count for requests that are passed on`),
    ]);
  });

  it.each([
    ['serveOutput', '  - serveOutput: {}\n'],
    ['stop', '  - stop: {}\n'],
    ['callModel', '  - callModel: { provider: demo, model: m }\n'],
    ['ifOutputContains', '  - ifOutputContains: { any: [x], then: [stop: {}] }\n'],
  ])('may not have %s', (name, after) => {
    expect(errors(neuron(call('retries: 1') + after))).toEqual([
      expect.stringContaining(
        `callModel.accepts[0]: passes requests on as they are, so its flow may have systemInstructions beside it alone, and has ${name}`,
      ),
    ]);
  });

  it('may not pass them on within a branch', () => {
    const branch = `  - ifInputContains:\n      any: [x]\n      then:\n      ${call('retries: 1')}`;
    expect(errors(neuron(branch))).toEqual([expect.stringContaining('and has ifInputContains')]);
  });

  it.each([
    ['its own', 'provider: openai, model: gpt-4.1', 'flow[0].callModel: asks openai/gpt-4.1'],
    [
      'another model of Bedrock',
      'provider: aws, model: amazon.nova-pro-v1:0',
      'flow[0].callModel: asks aws/',
    ],
    [
      'a target',
      'targets: [{ provider: claude, model: m }, { provider: demo, model: m }]',
      'flow[0].callModel.targets[1]: asks demo/m',
    ],
    [
      'a fallback',
      'provider: claude, model: m, fallbacks: [{ provider: openai, model: m }]',
      'flow[0].callModel.fallbacks[0]: asks openai/m',
    ],
  ])('may not ask a model that takes none of them: %s', (_what, target, start) => {
    expect(errors(neuron(call('retries: 1', target)))).toContainEqual(expect.stringContaining(start));
  });

  it('is told that nothing of it is cached', () => {
    const { warnings } = validate(neuron(call('retries: 1'), 'caching: { exact: true }\n'));
    expect(warnings.map(({ message }) => message)).toContain('does nothing for requests that are passed on');
  });

  it('is none by `accepts: all`', () => {
    const flow = '  - callModel: { provider: openai, model: gpt-4.1, accepts: all }\n';
    expect(errors(neuron(flow))).toEqual([]);
  });
});
