// The names under which a user's calls are stored: as tokens have it, and the digest of `usernameAs: hmac`.
import { findPaths } from '../../core/admin/find-paths.ts';
import { digestUsername, isUsernameDigest, USER_KEY_NAME } from '../../core/ports/user-key.ts';
import { isDenied } from '../output/aws-failures.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from './ports.ts';

/** Ports that names are looked up with. */
export type NamePorts = Pick<Ports, 'store' | 'secretReader'>;

/** An organization by its id, and by the slug that it has now. */
interface OwnerOfNames {
  readonly organizationId: string;
  readonly organization: string;
}

/**
 * The name, and its digest where the organization has a key. With credentials that may not read the key it is the name alone, and a message
 * says so where neurons name users by digests. The key is never printed.
 */
export async function findNamesOfUser(
  username: string,
  owner: OwnerOfNames,
  ports: NamePorts,
  out: Pick<Output, 'message'>,
): Promise<readonly string[]> {
  if (isUsernameDigest(username)) return [username];
  try {
    const key = await ports.secretReader.read(owner.organizationId, 'providers', USER_KEY_NAME);
    return key === undefined ? [username] : [username, digestUsername(username, key)];
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (await hasDigests(owner, ports))
      out.message(
        'Neurons with `usernameAs: hmac` are left out: these credentials may not read the key of their usernames. Pass the digest, as the log shows it.',
      );
    return [username];
  }
}

/** The name under which a neuron with these settings knows a user. */
export async function nameAtNeuron(
  username: string,
  organizationId: string,
  document: unknown,
  { secretReader }: Pick<NamePorts, 'secretReader'>,
): Promise<string> {
  if (!namesByDigest(document) || isUsernameDigest(username)) return username;
  const key = await secretReader.read(organizationId, 'providers', USER_KEY_NAME);
  return key === undefined ? username : digestUsername(username, key);
}

async function hasDigests({ organization }: OwnerOfNames, { store }: NamePorts): Promise<boolean> {
  const record = await store.readOrganization(organization);
  const neurons = record === undefined ? [] : await store.listNeurons(record);
  return neurons.some(({ document }) => namesByDigest(document));
}

function namesByDigest(document: unknown): boolean {
  return findPaths(document, ['access', 'jwt', 'usernameAs']).some(({ value }) => value === 'hmac');
}
