// Settings of the neuron that a path names: found, whole, and of the organization that has the slug today.
import { describe, expect, it } from 'vitest';
import { readAccessSettings, toAccessSettings } from '../../../core/access/settings.ts';
import type { StoredNeuron, StoredOrganization, StoredSettings } from '../../../core/ports/stores.ts';

const PATH = { organization: 'acme', neuron: 'support' };

function stored(
  organization: Partial<StoredOrganization> = {},
  neuron: Partial<StoredNeuron> = {},
): StoredSettings {
  return {
    organization: {
      id: 'org-1',
      slug: 'acme',
      document: { organization: 'acme' },
      pause: undefined,
      write: 1,
      ...organization,
    },
    neuron: {
      id: 'neuron-1',
      organizationId: 'org-1',
      slug: 'support',
      document: { neuron: 'acme/support', access: { apiKey: true } },
      deployment: undefined,
      cacheGeneration: 0,
      write: 1,
      ...neuron,
    },
    maintenance: undefined,
  };
}

describe('stored settings', () => {
  it('are usable with the ids of today and the access settings as parsed', () => {
    const found = stored();
    expect(toAccessSettings(found, PATH)).toMatchObject({
      outcome: 'usable',
      organizationId: 'org-1',
      neuronId: 'neuron-1',
      access: { apiKey: true },
      settings: { neuron: 'acme/support', deadline: 60_000 },
      stored: found,
    });
  });

  it('with nothing about access enable nothing', () => {
    const found = stored({}, { document: { neuron: 'acme/support' } });
    expect(toAccessSettings(found, PATH)).toMatchObject({ outcome: 'usable', access: {} });
  });

  it.each<[string, StoredSettings, string]>([
    ['without the organization', { ...stored(), organization: undefined }, 'the organization is unknown'],
    ['without the neuron', { ...stored(), neuron: undefined }, 'the neuron is unknown'],
    ['of another organization', stored({ slug: 'other' }), 'the settings are those of another neuron'],
    ['of another neuron', stored({}, { slug: 'other' }), 'the settings are those of another neuron'],
    [
      'left behind by a deleted organization of the same slug',
      stored({ id: 'org-2' }),
      'the neuron is of another organization',
    ],
    ['that are no object', stored({}, { document: 'x' }), 'the settings of the neuron do not parse'],
    ['that are missing', stored({}, { document: undefined }), 'the settings of the neuron do not parse'],
    [
      'with a member that nobody knows',
      stored({}, { document: { neuron: 'acme/support', access: { public: true, everybody: true } } }),
      'the settings of the neuron do not parse',
    ],
    [
      'with text in place of a switch',
      stored({}, { document: { neuron: 'acme/support', access: { public: 'true' } } }),
      'the settings of the neuron do not parse',
    ],
    [
      'with text in place of a list',
      stored({}, { document: { neuron: 'acme/support', access: { ips: '203.0.113.7' } } }),
      'the settings of the neuron do not parse',
    ],
  ])('refuses those %s', (_what, found, reason) => {
    expect(toAccessSettings(found, PATH)).toEqual({ outcome: 'not_found', reason });
  });
});

describe('reading settings', () => {
  it('asks the store for the slugs of the path', async () => {
    const asked: string[][] = [];
    const read = async (...slugs: string[]) => {
      asked.push(slugs);
      return stored();
    };
    expect(await readAccessSettings({ read }, PATH)).toMatchObject({ outcome: 'usable' });
    expect(asked).toEqual([['acme', 'support']]);
  });

  it.each([
    ['', 'support'],
    ['acme', ''],
    ['acme', 'META'],
    ['acme', 'support#1'],
    ['acme#NEURON', 'support'],
    ['acme', 'NEURON#support'],
    ['acme', '../other/support'],
    ['acme', 'VERSION#neuron-1#v1'],
    ['acme', 'Support'],
    ['acme', 'support '],
    ['acme', 'súpport'],
    ['acme', '__proto__'],
    ['acme', 'a'.repeat(64)],
    ['acme', 'ping'],
    ['SERVICE', 'MAINTENANCE'],
  ])('refuses the path %j %j before it asks', async (organization, neuron) => {
    const read = () => Promise.reject(new Error('asked'));
    expect(await readAccessSettings({ read }, { organization, neuron })).toEqual({
      outcome: 'not_found',
      reason: 'the path holds no slugs',
    });
  });

  it('is unavailable, not unknown, when the store fails', async () => {
    const cause = new Error('timeout');
    expect(await readAccessSettings({ read: () => Promise.reject(cause) }, PATH)).toEqual({
      outcome: 'unavailable',
      reason: 'the settings could not be read',
      cause,
    });
  });
});
