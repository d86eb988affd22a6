// Paths and slugs that try to reach another item: only slugs come as far as the store, and only ids count afterwards.
import { describe, expect, it } from 'vitest';
import { cacheSettings } from '../../../core/settings/settings-cache.ts';
import type { StoredSettings } from '../../../core/settings/stored-settings.ts';
import { readAccess } from '../../../lambdas/authorizer/authorize.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { requestWith } from './examples.ts';

const LIMITS = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 10 };

function stored(organizationId: string, document: unknown): StoredSettings {
  return {
    organization: {
      id: organizationId,
      slug: 'acme',
      document: { organization: 'acme' },
      pause: undefined,
      write: 1,
    },
    neuron: {
      id: 'neuron-1',
      organizationId: 'org-1',
      slug: 'support',
      document,
      deployment: undefined,
      previewKeys: {},
      cacheGeneration: 0,
      write: 1,
    },
    maintenance: undefined,
  };
}

function read(store: () => Promise<StoredSettings>, organization = 'acme', neuron = 'support') {
  const cached = cacheSettings({ read: store }, createMemoryClock(), LIMITS);
  return readAccess(requestWith({ organization, neuron }), { settings: cached });
}

describe('a path', () => {
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
    ['acme', 'sup%70ort'],
    ['acme', '__proto__'],
    ['acme', 'a'.repeat(64)],
    ['acme', 'ping'],
    ['SERVICE', 'MAINTENANCE'],
  ])('refuses %j and %j before any store is asked', async (organization, neuron) => {
    const { access } = await read(() => Promise.reject(new Error('asked')), organization, neuron);
    expect(access).toEqual({ outcome: 'not_found', reason: 'the path holds no slugs' });
  });

  it('leads to the neuron that it names', async () => {
    const { access } = await read(async () =>
      stored('org-1', { neuron: 'acme/support', access: { apiKey: true } }),
    );
    expect(access).toEqual({
      outcome: 'usable',
      organizationId: 'org-1',
      neuronId: 'neuron-1',
      slug: 'support',
      access: { apiKey: true },
      conditions: [],
    });
  });

  it('refuses a neuron that a deleted organization of the same slug left behind', async () => {
    const { access } = await read(async () =>
      stored('org-2', { neuron: 'acme/support', access: { public: true } }),
    );
    expect(access).toEqual({ outcome: 'not_found', reason: 'the neuron is of another organization' });
  });

  it.each([
    ['no object', 'public'],
    ['text in place of a switch', { neuron: 'acme/support', access: { public: 'true' } }],
    ['text in place of a list', { neuron: 'acme/support', access: { ips: '203.0.113.7' } }],
    ['a member that nobody knows', { neuron: 'acme/support', access: { public: true, everybody: true } }],
    ['null for a setting', { neuron: 'acme/support', access: { apiKey: null } }],
  ])('refuses settings with %s', async (_what, document) => {
    const { access } = await read(async () => stored('org-1', document));
    expect(access.outcome).toBe('not_found');
  });

  it('is unavailable, not unknown, when the store fails', async () => {
    const cause = new Error('timeout');
    const { access } = await read(() => Promise.reject(cause));
    expect(access).toEqual({ outcome: 'unavailable', reason: 'the settings could not be read', cause });
  });
});
