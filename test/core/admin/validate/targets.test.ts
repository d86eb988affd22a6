// Several endpoints of one model in settings: one way of naming models or the other, and every check that a model of its own passes.
import { describe, expect, it } from 'vitest';
import { traitsOf } from '../../../../core/cache/flow-traits.ts';
import { flowSchema } from '../../../../core/settings/flow-schema.ts';
import { errors, validate } from './validate-text.ts';

const PROVIDERS = `organization: acme
providers:
  demo: { type: echo }
  openai: { type: openai }
  words: { type: lexical }
  aws: { type: bedrock, region: us-east-1 }
`;
const neuron = (call: string) =>
  `${PROVIDERS}---\nneuron: acme/n\naccess: { apiKey: true }\nflow:\n  - callModel: { ${call} }\n`;
const found = (call: string, context = {}) =>
  errors(neuron(call), context).map((line) => line.replace(/^a\.yaml:\d+:\d+: /, ''));

describe('a step with targets', () => {
  it('is valid, with a weight of 1 where none is written', () => {
    const targets = 'targets: [{ provider: demo, model: a, weight: 9 }, { provider: demo, model: b }]';
    expect(found(targets)).toEqual([]);
    const [step] = flowSchema.parse([
      { callModel: { targets: [{ provider: 'demo', model: 'a' }], fallbacks: [] } },
    ]);
    expect(step).toMatchObject({ callModel: { targets: [{ provider: 'demo', model: 'a', weight: 1 }] } });
  });

  it.each([
    [
      'provider: demo, targets: [{ provider: demo, model: a }]',
      [
        'flow[0].callModel.provider: must not stand beside targets, which name a provider each: take one of them out',
      ],
    ],
    [
      'model: a, targets: [{ provider: demo, model: a }]',
      [
        'flow[0].callModel.model: must not stand beside targets, which name a model each: take one of them out',
      ],
    ],
    ['provider: demo', ['flow[0].callModel.model: is missing: it must be text']],
    ['model: a', ['flow[0].callModel.provider: is missing: it must be text']],
    [
      'maxTokens: 5',
      [
        'flow[0].callModel.provider: is missing: it must be text',
        'flow[0].callModel.model: is missing: it must be text',
      ],
    ],
    [
      'targets: [{ provider: demo, model: a, weight: 0 }]',
      ['flow[0].callModel.targets[0].weight: must be a whole number from 1 to 1000'],
    ],
    [
      'targets: [{ provider: demo, model: a }, { provider: demo, model: a, weight: 2 }]',
      ['flow[0].callModel.targets[1]: repeats demo/a: give the first one a higher weight'],
    ],
    [
      'targets: [{ provider: demo, model: a }, { provider: dmeo, model: a }]',
      [
        'flow[0].callModel.targets[1].provider: the organization acme has no provider dmeo (it has demo, openai, words, aws); did you mean demo?',
      ],
    ],
    [
      'targets: [{ provider: demo, model: a }, { provider: words, model: a }]',
      ['flow[0].callModel.targets[1].provider: words is of type lexical, which makes no text'],
    ],
    [
      'accepts: [images], targets: [{ provider: demo, model: a }, { provider: openai, model: o3-mini, weight: 3 }]',
      [
        'flow[0].callModel.targets[1]: asks openai/o3-mini, which takes no images: take images out of accepts, or call another model',
      ],
    ],
  ])('says of { %s } what is wrong', (call, expected) => {
    expect(found(call)).toEqual(expected);
  });

  it('is bound to the models that the stage allows', () => {
    const call = 'targets: [{ provider: demo, model: a }, { provider: aws, model: amazon.nova-lite-v1 }]';
    const bedrock = { stage: 'prod', allowed: [] };
    expect(found(call, { bedrock })).toEqual([
      expect.stringMatching(
        /^flow\[0\]\.callModel\.targets\[1\]\.model: may not be called in us-east-1 by this/,
      ),
    ]);
  });

  it('names all its providers to the cache', () => {
    const flow = flowSchema.parse([
      {
        callModel: {
          targets: ['a', 'b', 'a'].map((provider, index) => ({ provider, model: `m${index}` })),
          fallbacks: [{ provider: 'c', model: 'm' }],
        },
      },
    ]);
    expect(traitsOf(flow).providers).toEqual(['a', 'b', 'c']);
  });

  it('is kept as written, so that it can be shown and applied again', () => {
    const { input } = validate(
      neuron('targets: [{ provider: demo, model: a }, { provider: demo, model: b, weight: 2 }]'),
    );
    expect(input.neurons[0]?.flow).toEqual([
      {
        callModel: {
          targets: [
            { provider: 'demo', model: 'a' },
            { provider: 'demo', model: 'b', weight: 2 },
          ],
        },
      },
    ]);
  });
});
