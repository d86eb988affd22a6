// Finds secrets that settings name and that are not set: calls that need them are answered 500.

import { mapAtOnce } from '../../async/at-once.ts';
import type { SecretAdmin } from '../../ports/administration.ts';
import type { SecretPurpose } from '../../ports/stores.ts';
import { findPaths } from '../find-paths.ts';
import type { SettingsInput, StoredOrganizationState } from './changes.ts';

/** Requests to Secrets Manager that are under way at once. */
const SECRETS_AT_ONCE = 16;

/** A secret to be set with `neuron secrets set ORGANIZATION NAME --for PURPOSE`. */
interface NamedSecret {
  readonly organization: string;
  readonly name: string;
  readonly purpose: SecretPurpose;
}

/** Where an organization names secrets of its providers and guards. */
const OF_PROVIDERS = [
  ['providers', '*', 'apiKey', 'secret'],
  ['providers', '*', 'headers', '*', 'secret'],
  ['guards', '*', 'secret', 'secret'],
  ['guards', '*', 'apiKey', 'secret'],
] as const;

/** Every secret that the given documents name, once each. */
function findNamedSecrets({ organizations, neurons }: SettingsInput): NamedSecret[] {
  const named = [
    ...organizations.flatMap(({ slug, document }) =>
      OF_PROVIDERS.flatMap((pattern) => findPaths(document, pattern)).map(({ value }) => {
        return { organization: slug, name: String(value), purpose: 'providers' as const };
      }),
    ),
    ...neurons.flatMap(({ organization, settings }) =>
      // Its members are names: of the secret, and of the one before it.
      findPaths(settings, ['access', 'jwt', 'sharedSecret', '*']).map(({ value }) => {
        return { organization, name: String(value), purpose: 'jwt' as const };
      }),
    ),
  ];
  const unique = new Map(
    named.map((secret) => [`${secret.organization}/${secret.purpose}/${secret.name}`, secret]),
  );
  return [...unique.values()];
}

/** The secrets that documents name and that are not set. An organization that is not stored yet has none. */
export async function findMissingSecrets(
  input: SettingsInput,
  stored: readonly StoredOrganizationState[],
  secrets: Pick<SecretAdmin, 'list'>,
): Promise<NamedSecret[]> {
  const ids = new Map(stored.map(({ record }) => [record.slug, record.id]));
  const lists = new Map<string, Promise<readonly string[]>>();
  const listNames = ({ organization, purpose }: NamedSecret): Promise<readonly string[]> => {
    const id = ids.get(organization);
    if (id === undefined) return Promise.resolve([]);
    const list = lists.get(`${id}/${purpose}`) ?? secrets.list(id, purpose);
    lists.set(`${id}/${purpose}`, list);
    return list;
  };
  const named = findNamedSecrets(input);
  const names = await mapAtOnce(named, SECRETS_AT_ONCE, listNames);
  return named.filter(({ name }, index) => names[index]?.includes(name) !== true);
}
