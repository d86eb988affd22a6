// Guards by services: what `apply` says of their providers, addresses and uses.
import { describe, expect, it } from 'vitest';
import { errors } from './validate-text.ts';

const MODERATION = 'type: openaiModeration, provider: openai';
const AZURE =
  'type: azureShield, endpoint: https://acme.cognitiveservices.azure.com, apiKey: { secret: azure }';

const documents = (guard: string, use = '{ use: ours, on: [input], action: block }') => `organization: acme
providers: { openai: { type: openai, apiKey: { secret: key } }, demo: { type: echo } }
guards: { ours: { ${guard} } }
---
neuron: acme/n
access: { apiKey: true }
guards: [${use}]
flow: [{ callModel: { provider: demo, model: m } }]
`;
const ON_OUTPUT = '{ use: ours, on: [output], action: block }';

describe('a guard by a service', () => {
  it.each([
    [MODERATION, undefined],
    [`${MODERATION}, thresholds: { violence: 0.8 }`, ON_OUTPUT],
    [AZURE, undefined],
    [`${AZURE}, harms: { hate: 4 }`, ON_OUTPUT],
    ['type: classifier, provider: openai, model: guard, format: llamaGuard', ON_OUTPUT],
    ['type: classifier, provider: openai, model: guard, format: policy, policy: No falcons.', undefined],
    [`${AZURE}, blocklists: [terms], promptShield: false`, ON_OUTPUT],
  ])('may be { %s }', (guard, use) => {
    expect(errors(documents(guard, use))).toEqual([]);
  });

  it.each([
    [
      'type: openaiModeration, provider: opnai',
      undefined,
      'guards.ours.provider: the organization acme has no provider opnai (it has openai, demo); did you mean openai?',
    ],
    [
      'type: openaiModeration, provider: demo',
      undefined,
      'guards.ours.provider: demo is of type echo, and a guard asks providers of type openai alone',
    ],
    [
      AZURE,
      ON_OUTPUT,
      'guards[0].on: has output, and shields judge what is sent to a model: take it out, or add harms or blocklists to ours',
    ],
    [AZURE, '{ use: ours, action: flag }', 'guards[0].on: has output'],
    [AZURE.replace('https://acme.', 'http://acme.'), undefined, 'guards.ours.endpoint'],
    [AZURE.replace('acme.cognitiveservices.azure.com', '10.0.0.1'), undefined, 'guards.ours.endpoint'],
    [`${AZURE}, promptShield: false`, undefined, 'has nothing to judge'],
    [
      'type: classifier, provider: demo, model: guard, format: llamaGuard',
      undefined,
      'guards.ours.provider: demo is of type echo',
    ],
    [
      'type: classifier, provider: openai, model: guard, format: policy',
      undefined,
      'must be the policy that format policy goes by',
    ],
    [
      'type: classifier, provider: openai, model: guard, format: llamaGuard, policy: text',
      undefined,
      'guards.ours.policy: is none of format llamaGuard',
    ],
  ])('may not be { %s } %s', (guard, use, message) => {
    expect(errors(documents(guard, use))).toEqual([expect.stringContaining(message)]);
  });
});
