// The errors of a document that its schema rejects, besides those of the schema.
import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { findNamedOrganizations } from '../../../../core/admin/validate/documents.ts';
import { acme, callDemo, errors, validate } from './validate-text.ts';

describe('a document that its schema rejects', () => {
  it('is refused for its other members too, at once', () => {
    const text = `${acme}---
neuron: acme/a
name: 3
access: { public: true, apiKey: true }
flow: [{ callModel: { provider: nobody, model: m } }]
`;
    expect(errors(text)).toEqual([
      'a.yaml:5:1: name: must be one line of 1 to 100 characters',
      expect.stringContaining('a.yaml:6:11: access.public: excludes every other setting'),
      expect.stringContaining(
        'a.yaml:7:23: flow[0].callModel.provider: the organization acme has no provider nobody',
      ),
    ]);
  });

  it('refuses a bad address of an organization whose name is wrong as well', () => {
    const text =
      'organization: acme\nname: 3\nproviders: { near: { type: openai, baseUrl: "http://127.0.0.1:9" } }\n';
    expect(validate(text).errors.map(({ line }) => line)).toEqual([2, 3]);
  });

  it('refuses what a member names that is invalid elsewhere, and no place twice', () => {
    const text = `${acme}---
neuron: acme/a
access: { apiKey: true }
flow:
  - callModel: { provider: nobody, model: m, temperature: 9 }
  - callModel: { provider: 5, model: m }
  - callModel: { provider: demo, model: m, fallbacks: [{ provider: nor-this, model: m }] }
`;
    expect(errors(text)).toEqual([
      expect.stringContaining(
        'a.yaml:7:18: flow[0].callModel.provider: the organization acme has no provider nobody',
      ),
      expect.stringContaining('a.yaml:7:46: flow[0].callModel.temperature: must be a number'),
      expect.stringContaining('a.yaml:8:18: flow[1].callModel.provider: must be'),
      expect.stringContaining(
        'a.yaml:9:58: flow[2].callModel.fallbacks[0].provider: the organization acme has no',
      ),
    ]);
  });

  it('is not validated against a member that is invalid itself', () => {
    const text = `${acme}---\nneuron: acme/a\naccess: { ips: 1 }\n${callDemo}`;
    expect(errors(text)).toEqual([expect.stringContaining('access.ips')]);
    expect(validate(text).warnings).toEqual([]);
  });

  it('names the organization of a neuron that is refused', () => {
    const { documents } = parseYaml('a', 'neuron: other/x\nname: 3\n');
    expect(findNamedOrganizations(documents)).toEqual(['other']);
  });
});
