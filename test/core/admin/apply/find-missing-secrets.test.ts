// Which secrets settings name that nobody has set.
import { expect, it } from 'vitest';
import type { SettingsInput, StoredOrganizationState } from '../../../../core/admin/apply/changes.ts';
import { findMissingSecrets } from '../../../../core/admin/apply/find-missing-secrets.ts';

const provider = (secret: string) => ({ type: 'openai' as const, apiKey: { secret } });
const input: SettingsInput = {
  organizations: [
    {
      slug: 'acme',
      document: {
        organization: 'acme',
        providers: { a: provider('set'), b: provider('unset'), c: provider('unset') },
      },
    },
    { slug: 'fresh', document: { organization: 'fresh', providers: { a: provider('set') } } },
  ],
  neurons: [
    {
      organization: 'acme',
      slug: 'hello',
      settings: {
        neuron: 'acme/hello',
        access: { jwt: { sharedSecret: { secret: 'set', previous: 'old' } } },
      },
      flow: undefined,
    },
  ],
};

it('finds each once, by purpose, and all of an organization that is not stored yet', async () => {
  const asked: string[] = [];
  const stored = [
    { record: { id: 'id-1', slug: 'acme' }, neurons: [] },
  ] as unknown as StoredOrganizationState[];
  const missing = await findMissingSecrets(input, stored, {
    async list(organizationId, purpose) {
      asked.push(`${organizationId}/${purpose}`);
      return purpose === 'providers' ? ['set', 'other'] : [];
    },
  });
  expect(missing).toEqual([
    { organization: 'acme', name: 'unset', purpose: 'providers' },
    { organization: 'fresh', name: 'set', purpose: 'providers' },
    { organization: 'acme', name: 'set', purpose: 'jwt' },
    { organization: 'acme', name: 'old', purpose: 'jwt' },
  ]);
  expect(asked).toEqual(['id-1/providers', 'id-1/jwt']);
});
