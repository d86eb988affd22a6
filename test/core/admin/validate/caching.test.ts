// Caching settings as apply validates them.
import { describe, expect, it } from 'vitest';
import { splitBySeverity } from '../../../../core/admin/diagnostic.ts';
import { validateCaching } from '../../../../core/admin/validate/caching.ts';
import { neuronSchema } from '../../../../core/settings/neuron-schema.ts';
import { SEMANTIC } from '../../cache/requests.ts';

const validate = (more: object) => {
  const says = {
    callModel: { provider: 'models', model: 'm', prompt: '{{username}} {{now}} {{execution.id}}' },
  };
  const neuron = neuronSchema.parse({
    neuron: 'acme/hello',
    access: { apiKey: true },
    flow: [says],
    ...more,
  });
  const { errors, warnings } = splitBySeverity(validateCaching(neuron));
  const paths = (diagnostics: typeof errors) => diagnostics.map(({ path }) => path.join('.'));
  return { errors: paths(errors), warnings: paths(warnings) };
};
const plain = [{ callModel: { provider: 'models', model: 'm' } }];

describe('caching', () => {
  it('refuses a flow whose every run is another, once for each text that makes it so', () => {
    const prompt = 'flow.0.callModel.prompt';
    expect(validate({ caching: { exact: true } }).errors).toEqual([prompt, prompt]);
    expect(validate({ caching: { semantic: SEMANTIC } }).errors).toEqual([prompt, prompt]);
    expect(validate({}).errors).toEqual([]);
  });

  it.each([
    [{ public: true }, ['caching.semantic']],
    [{ referers: ['app.example.com'] }, ['caching.semantic']],
    [{ ips: ['203.0.113.7'] }, []],
    [{ jwt: { sharedSecret: { secret: 's' } } }, []],
  ])('refuses semantic caching where anyone may call: %j', (access, errors) => {
    expect(validate({ access, flow: plain, caching: { semantic: SEMANTIC } }).errors).toEqual(errors);
    expect(
      validate({ access, flow: plain, caching: { semantic: { ...SEMANTIC, allowPublic: true } } }).errors,
    ).toEqual([]);
    expect(validate({ access, flow: plain, caching: { exact: true } }).errors).toEqual([]);
  });

  it('refuses perUser where callers cannot be identified', () => {
    const caching = { perUser: true };
    expect(validate({ access: { public: true }, flow: plain, caching }).errors).toEqual(['caching.perUser']);
    expect(validate({ flow: plain, caching }).errors).toEqual([]);
  });

  it('warns of a split, and that a flow with the username is cached per user', () => {
    const flow = [{ randomizedSplit: { percentageA: 50, a: [{ serveOutput: { text: '{{username}}' } }] } }];
    expect(validate({ flow, caching: { exact: true } }).warnings).toEqual([
      'caching',
      'flow.0.randomizedSplit',
    ]);
    expect(validate({ flow, caching: { exact: true, perUser: true } }).warnings).toEqual([
      'flow.0.randomizedSplit',
    ]);
    expect(validate({ flow }).warnings).toEqual([]);
  });
});
