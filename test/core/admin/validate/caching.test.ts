// Caching settings as apply judges them.
import { describe, expect, it } from 'vitest';
import { validateCaching } from '../../../../core/admin/validate/caching.ts';
import { neuronSchema } from '../../../../core/settings/neuron-schema.ts';
import { SEMANTIC } from '../../cache/requests.ts';

const judge = (more: object) => {
  const says = {
    callModel: { provider: 'models', model: 'm', prompt: '{{username}} {{now}} {{execution.id}}' },
  };
  const neuron = neuronSchema.parse({
    neuron: 'acme/hello',
    access: { apiKey: true },
    flow: [says],
    ...more,
  });
  const { refusals, warnings } = validateCaching(neuron);
  const paths = (findings: typeof refusals) => findings.map(({ path }) => path.join('.'));
  return { refusals: paths(refusals), warnings: paths(warnings) };
};
const plain = [{ callModel: { provider: 'models', model: 'm' } }];

describe('caching', () => {
  it('refuses a flow whose every run is another, once for each text that makes it so', () => {
    const prompt = 'flow.0.callModel.prompt';
    expect(judge({ caching: { exact: true } }).refusals).toEqual([prompt, prompt]);
    expect(judge({ caching: { semantic: SEMANTIC } }).refusals).toEqual([prompt, prompt]);
    expect(judge({}).refusals).toEqual([]);
  });

  it.each([
    [{ public: true }, ['caching.semantic']],
    [{ referers: ['app.example.com'] }, ['caching.semantic']],
    [{ ips: ['203.0.113.7'] }, []],
    [{ jwt: { sharedSecret: { secret: 's' } } }, []],
  ])('refuses answers by meaning where anyone may ask: %j', (access, refusals) => {
    expect(judge({ access, flow: plain, caching: { semantic: SEMANTIC } }).refusals).toEqual(refusals);
    expect(
      judge({ access, flow: plain, caching: { semantic: { ...SEMANTIC, allowPublic: true } } }).refusals,
    ).toEqual([]);
    expect(judge({ access, flow: plain, caching: { exact: true } }).refusals).toEqual([]);
  });

  it('refuses perUser where no caller can be told from another', () => {
    const caching = { perUser: true };
    expect(judge({ access: { public: true }, flow: plain, caching }).refusals).toEqual(['caching.perUser']);
    expect(judge({ flow: plain, caching }).refusals).toEqual([]);
  });

  it('warns of a split, and that a flow with the username is cached per user', () => {
    const flow = [{ randomizedSplit: { percentageA: 50, a: [{ serveOutput: { text: '{{username}}' } }] } }];
    expect(judge({ flow, caching: { exact: true } }).warnings).toEqual(['caching', 'flow.0.randomizedSplit']);
    expect(judge({ flow, caching: { exact: true, perUser: true } }).warnings).toEqual([
      'flow.0.randomizedSplit',
    ]);
    expect(judge({ flow }).warnings).toEqual([]);
  });
});
