// What of the store can be used, and the version that travels between the functions.
import { describe, expect, it } from 'vitest';
import type { StoredNeuron, StoredOrganization } from '../../../core/settings/stored-settings.ts';
import {
  parseSettingsVersion,
  renderSettingsVersion,
  toUsableSettings,
} from '../../../core/settings/usable-settings.ts';

const organization: StoredOrganization = {
  id: 'o1',
  slug: 'acme',
  document: { organization: 'acme', providers: { demo: { type: 'echo', delay: '2s' } } },
  pause: undefined,
  write: 3,
};
const neuron: StoredNeuron = {
  id: 'n1',
  organizationId: 'o1',
  slug: 'hello',
  document: { neuron: 'acme/hello', access: { public: true }, deadline: '5s' },
  deployment: { version: 'v2', number: 7 },
  previewKeys: {},
  cacheGeneration: 4,
  write: 9,
};
const maintenance = undefined;

describe('stored settings', () => {
  it('are usable with defaults filled in and durations in milliseconds', () => {
    expect(toUsableSettings({ organization, neuron, maintenance })).toMatchObject({
      usable: true,
      settings: {
        organizationId: 'o1',
        neuronId: 'n1',
        organization: { providers: { demo: { type: 'echo', delay: 2_000 } } },
        neuron: { deadline: 5_000, maxInputBytes: 262_144, logging: { bodies: 'hash' } },
        deployment: { version: 'v2', number: 7 },
        version: { organization: 3, neuron: 9 },
      },
    });
  });

  it.each([
    ['an unknown organization', { organization: undefined, neuron }],
    ['an unknown neuron', { organization, neuron: undefined }],
    [
      'a neuron that an earlier organization of the same slug left behind',
      { organization: { ...organization, id: 'o2' }, neuron },
    ],
    [
      'an organization document that does not parse',
      { organization: { ...organization, document: { organization: 'acme', x: 1 } }, neuron },
    ],
    [
      'a neuron document that does not parse',
      { organization, neuron: { ...neuron, document: { neuron: 'acme/hello', deadline: 5 } } },
    ],
    [
      'a document of a format that is not known',
      { organization, neuron: { ...neuron, document: { neuron: 'acme/hello', format: 2 } } },
    ],
    ['no document at all', { organization, neuron: { ...neuron, document: undefined } }],
  ])('refuses %s', (_name, stored) => {
    expect(toUsableSettings({ ...stored, maintenance }).usable).toBe(false);
  });
});

describe('the settings version', () => {
  it('comes back from its text', () => {
    expect(parseSettingsVersion(renderSettingsVersion({ organization: 12, neuron: 7 }))).toEqual({
      organization: 12,
      neuron: 7,
    });
  });

  it.each(['', '1', '1.', '.1', '1.2.3', '-1.2', '1e3.2', 'a.b'])('refuses %j', (text) => {
    expect(parseSettingsVersion(text)).toBeUndefined();
  });
});
