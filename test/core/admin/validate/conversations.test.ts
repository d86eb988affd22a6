// What a model call accepts and asks for, where it could never work: refused with file, line, path and what to do.
import { describe, expect, it } from 'vitest';
import { acme, errors, validate } from './validate-text.ts';

const PROVIDERS = `organization: acme
providers:
  demo: { type: echo }
  openai: { type: openai, baseUrl: https://api.openai.com/v1 }
  own: { type: openai, baseUrl: https://llm.example.com/v1 }
  claude: { type: anthropic, apiKey: { secret: key } }
  aws: { type: bedrock, region: us-east-1 }
`;
const neuron = (flow: string) => `${PROVIDERS}---\nneuron: acme/n\naccess: { apiKey: true }\nflow:\n${flow}`;
const call = (provider: string, model: string, more: string) =>
  neuron(`  - callModel: { provider: ${provider}, model: "${model}", ${more} }\n`);
const warnings = (text: string) => validate(text).warnings.map(({ message }) => message);
const CLOSED = 'additionalProperties: false';

it('may not stop at texts where the API has no stop sequences', () => {
  const provider = 'r: { type: openai, api: responses }';
  const own = (more: string) => call('r', 'gpt-5.4', more).replace('demo: {', `${provider}\n  demo: {`);
  expect(errors(own('stopSequences: [x]'))).toEqual([
    expect.stringContaining('flow[0].callModel.stopSequences: has no counterpart at r'),
  ]);
  expect(errors(own('seed: 1'))).toEqual([]);
});

describe('a call that accepts tools', () => {
  it.each([
    ['nothing', ''],
    ['serveOutput', '  - serveOutput: {}\n'],
  ])('may be followed by %s', (_what, after) => {
    expect(errors(neuron(`  - callModel: { provider: demo, model: m, accepts: [tools] }\n${after}`))).toEqual(
      [],
    );
  });

  it.each([
    ['ifOutputContains', '  - ifOutputContains: { any: [x], then: [stop: {}] }\n'],
    ['callModel', '  - serveOutput: {}\n  - callModel: { provider: demo, model: m }\n'],
    ['stop', '  - stop: {}\n'],
  ])('may not be followed by %s', (name, after) => {
    expect(
      errors(neuron(`  - callModel: { provider: demo, model: m, accepts: [history, tools] }\n${after}`)),
    ).toEqual([
      `a.yaml:12:63: flow[0].callModel.accepts[1]: returns calls of tools to the caller, so no step but serveOutput may follow, and ${name} does: take tools out of accepts, or move the call to the end`,
    ]);
  });

  it('may not be followed outside of its branch either, but may stand beside another branch', () => {
    const branch = `  - ifInputContains:
      any: [x]
      then: [callModel: { provider: demo, model: m, accepts: [tools] }]
      else: [callModel: { provider: demo, model: m }, stop: {}]
`;
    expect(errors(neuron(branch))).toEqual([]);
    expect(errors(neuron(`${branch}  - stop: {}\n`))).toEqual([
      expect.stringContaining('flow[0].ifInputContains.then[0].callModel.accepts[0]: returns calls of tools'),
    ]);
  });
});

describe('what contradicts itself', () => {
  it.each([
    ['accepts: [cacheControl], promptCache: off', 'contradicts `promptCache: off`: take one of them out'],
    ['accepts: [history], history: false', 'contradicts `history: false`: take one of them out'],
    [
      `accepts: [schema], outputSchema: { type: object, ${CLOSED} }`,
      'would never count beside outputSchema: take one of them out',
    ],
    ['accepts: [history, images, history]', 'repeats history'],
    [
      'accepts: [everything]',
      'must be all, or a list of history, system, images, documents, tools, schema, parameters, thinking, cacheControl',
    ],
    ['accepts: []', ''],
    ['reasoningEffort: much', 'must be one of none, minimal, low, medium, high, xhigh, max'],
    ['outputSchema: text', 'must be a JSON Schema: an object'],
    ['outputSchema: { type: array }', 'must be object: structured output is a JSON object at every provider'],
  ])('is refused: %s', (more, message) => {
    expect(errors(call('demo', 'm', more))).toEqual([expect.stringContaining(message)]);
  });
});

describe('a model that is known to lack what a step wants', () => {
  it.each([
    [
      'openai',
      'gpt-3.5-turbo',
      'accepts: [schema]',
      'which has no structured output: take schema in accepts out',
    ],
    [
      'openai',
      'gpt-4-turbo',
      `outputSchema: { type: object, ${CLOSED} }`,
      'which has no structured output: take outputSchema out',
    ],
    ['claude', 'claude-sonnet-4-0', 'accepts: [schema]', 'which has no structured output'],
    ['openai', 'o3-mini', 'accepts: [images]', 'which takes no images: take images out of accepts'],
    [
      'claude',
      'claude-opus-5',
      'reasoningEffort: minimal, maxTokens: 9',
      'must be one of low, medium, high, xhigh, max for claude/claude-opus-5',
    ],
  ])('is refused: %s/%s with %s', (provider, model, more, message) => {
    expect(errors(call(provider, model, more))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['us.amazon.nova-micro-v1:0', 'accepts: [images]', 'takes no images'],
    ['us.anthropic.claude-3-haiku-20240307-v1:0', 'accepts: [schema]', 'has no structured output'],
    [
      'global.anthropic.claude-opus-5-v1:0',
      'reasoningEffort: none',
      'must be one of low, medium, high, xhigh, max',
    ],
  ])('is refused on Bedrock, whatever stands before its name: %s with %s', (model, more, message) => {
    expect(errors(call('aws', model, more))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['openai/o3-mini', 'accepts: [images], maxTokens: 9000', 'takes no images'],
    ['openai/gpt-4-turbo', 'accepts: [schema]', 'has no structured output'],
  ])('is warned of at a server that is not its vendor: %s with %s', (model, more, message) => {
    expect(errors(call('own', model, more))).toEqual([]);
    expect(warnings(call('own', model, more))).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['openai', 'gpt-4.1'],
    ['claude', 'claude-haiku-4-5'],
    ['own', 'anthropic/claude-haiku-4-5'],
  ])('is warned of where no page of its vendor says so: an effort for %s/%s', (provider, model) => {
    const text = call(provider, model, 'reasoningEffort: low, maxTokens: 9000');
    expect(errors(text)).toEqual([]);
    expect(warnings(text)).toEqual([expect.stringContaining(`is unknown to ${provider}/${model}`)]);
  });

  it('is refused as a fallback too, there', () => {
    const text = call(
      'openai',
      'gpt-4.1',
      'accepts: [images], fallbacks: [{ provider: openai, model: o3-mini }]',
    );
    expect(errors(text)).toEqual([
      expect.stringContaining('flow[0].callModel.fallbacks[0]: asks openai/o3-mini, which takes no images'),
    ]);
  });

  it.each([
    ['openai', 'gpt-4o', 'accepts: [history, system, images, tools, schema, parameters]'],
    ['openai', 'gpt-5', 'reasoningEffort: minimal, accepts: [images, schema]'],
    ['claude', 'claude-opus-5', 'reasoningEffort: xhigh, accepts: [images, schema]'],
    ['own', 'anything-at-all', 'reasoningEffort: none, accepts: [images, schema]'],
    ['aws', 'us.amazon.nova-lite-v1:0', 'accepts: [images]'],
    // A name that its vendor gives to one model after another says nothing.
    ['own', 'deepseek-chat', 'accepts: [images, schema]'],
  ])('is none that is not known: %s/%s with %s', (provider, model, more) => {
    expect(errors(call(provider, model, more))).toEqual([]);
  });
});

describe('an outputSchema', () => {
  const OPEN = 'type: object, properties: { a: { type: array, items: { type: object } } }, required: [a]';

  it('must close each object where the provider wants that', () => {
    for (const [provider, model] of [
      ['openai', 'gpt-4.1'],
      ['claude', 'claude-sonnet-4-5'],
    ] as const) {
      expect(errors(call(provider, model, `outputSchema: { ${OPEN} }`))).toEqual([
        expect.stringContaining(
          `flow[0].callModel.outputSchema: must have additionalProperties: false, which ${provider} wants of each object`,
        ),
        expect.stringContaining(
          'flow[0].callModel.outputSchema.properties.a.items: must have additionalProperties: false',
        ),
      ]);
    }
    expect(errors(call('own', 'm', `outputSchema: { ${OPEN} }`))).toEqual([]);
    expect(errors(call('demo', 'm', `outputSchema: { ${OPEN} }`))).toEqual([]);
  });

  it('must be one that answers can be checked against', () => {
    const schema = 'outputSchema: { type: object, properties: { a: { $ref: "#/$defs/none" } } }';
    expect(errors(call('own', 'm', schema))).toEqual([
      expect.stringContaining(
        'flow[0].callModel.outputSchema: must be a JSON Schema: "outputSchema.properties.*.$ref" must lead to a place within the schema, such as #/$defs/name',
      ),
    ]);
  });

  it('must require each property at OpenAI alone', () => {
    const schema = `outputSchema: { type: object, properties: { a: { type: string } }, ${CLOSED} }`;
    expect(errors(call('openai', 'gpt-4.1', schema))).toEqual([
      expect.stringContaining(
        'flow[0].callModel.outputSchema.properties.a: must be in required, which openai wants',
      ),
    ]);
    expect(errors(call('claude', 'claude-sonnet-4-5', schema))).toEqual([]);
  });
});

describe('what is likely to fail', () => {
  it('is warned of where a model is known to refuse what the step sets', () => {
    const rejected = /is refused by claude\/claude-opus-4-7, as far as is known.*500 configuration/;
    const text = call('claude', 'claude-opus-4-7', 'temperature: 0.5, topP: 0.5, maxTokens: 9000');
    expect(warnings(text)).toEqual([expect.stringMatching(rejected), expect.stringMatching(rejected)]);
    expect(errors(text)).toEqual([]);
    expect(warnings(call('claude', 'claude-opus-4-7', 'maxTokens: 9000'))).toEqual([]);
    expect(warnings(call('claude', 'claude-haiku-4-5', 'temperature: 0.5'))).toEqual([]);
  });

  it.each([
    ['maxTokens: 300, accepts: [parameters]', 300, 'take it out'],
    ['maxTokens: 16383, accepts: [history, tools, parameters]', 16_383, 'take it out'],
    ['accepts: [tools]', 1_024, 'accept parameters'],
    ['maxTokens: 300, accepts: [tools]', 300, 'write more'],
  ])('is warned of where %s cuts answers that a caller wants longer', (settings, tokens, remedy) => {
    expect(warnings(call('openai', 'gpt-4.1', settings))).toEqual([
      expect.stringMatching(
        new RegExp(`cuts answers at ${tokens} tokens, whatever the caller asks for: .*${remedy}`),
      ),
    ]);
  });

  it.each([
    'accepts: [parameters, tools]',
    'maxTokens: 16384, accepts: [parameters, tools]',
    'maxTokens: 300, accepts: [history, system]',
    'maxTokens: 300',
  ])('is not where %s cuts nothing of the kind', (settings) => {
    expect(warnings(call('openai', 'gpt-4.1', settings))).toEqual([]);
  });

  it('is warned of where a model thinks and maxTokens is the default', () => {
    const thinks = expect.stringContaining('asks openai/gpt-5, which thinks before it answers');
    expect(warnings(call('openai', 'gpt-5', 'retries: 0'))).toEqual([thinks]);
    expect(warnings(call('openai', 'gpt-5', 'maxTokens: 1024'))).toEqual([]);
    expect(warnings(call('openai', 'gpt-5', 'reasoningEffort: low'))).toEqual([]);
    expect(warnings(call('openai', 'gpt-4.1', 'retries: 0'))).toEqual([]);
  });

  it('is warned of where an effort does nothing', () => {
    expect(warnings(call('demo', 'm', 'reasoningEffort: low'))).toEqual([
      'does nothing at demo, which is of type echo',
    ]);
  });

  it('is not said where the organization is not known', () => {
    const alone = call('openai', 'gpt-3.5-turbo', 'accepts: [images]')
      .replace(PROVIDERS, '')
      .replace('---\n', '');
    expect(validate(alone, { complete: false }).errors.map(({ message }) => message)).not.toContainEqual(
      expect.stringContaining('takes no images'),
    );
    expect(acme).toContain('demo');
  });
});
