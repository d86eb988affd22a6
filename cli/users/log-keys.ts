// Digests of names of erased persons, under the keys of an organization's log.
import type { NameToErase } from '../../core/admin/erase/erase-user.ts';
import { findUnfinished, listErased } from '../../core/admin/erase/unfinished.ts';
import { digestUsername, type ErasedName, toErasedName } from '../../core/logs/erasure/erased-name.ts';
import { LOG_KEY_NAME, logKeyId } from '../../core/ports/log-key.ts';
import type { Person } from '../../core/ports/personal-data.ts';
import type { SecretReader } from '../../core/ports/stores.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Ports } from '../session/ports.ts';

/** The name as a change has it, under the present key. Throws `CommandFailure` where the organization has no such key. */
export async function nameUser(
  username: string,
  organization: { readonly id: string; readonly slug: string },
  secrets: SecretReader,
): Promise<ErasedName> {
  const key = await secrets.read(organization.id, 'providers', LOG_KEY_NAME);
  if (key !== undefined) return toErasedName(username, key);
  throw new CommandFailure({
    what: `The name cannot be recorded: the log of ${organization.slug} lacks its key.`,
    remedy: `Run \`neuron logs rotate-key ${organization.slug}\` to make one.`,
  });
}

/** By key id; a key that is not there is left out. Throws what the store throws. */
export async function readLogKeys(
  organizationId: string,
  ids: Iterable<string>,
  secrets: SecretReader,
): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>();
  const current = await secrets.read(organizationId, 'providers', LOG_KEY_NAME);
  if (current !== undefined) keys.set(logKeyId(current), current);
  for (const id of new Set(ids)) {
    if (keys.has(id)) continue;
    const key = await secrets.read(organizationId, 'providers', `${LOG_KEY_NAME}-${id}`);
    if (key !== undefined && logKeyId(key) === id) keys.set(id, key);
  }
  return keys;
}

/** Whether a name of a change is this username; undefined where its key is gone. */
export function isNameOf(
  { digest, key: id }: ErasedName,
  username: string,
  keys: ReadonlyMap<string, string>,
): boolean | undefined {
  const key = keys.get(id);
  return key === undefined ? undefined : digestUsername(username, key) === digest;
}

/** The name of a person with its earlier erasures, whatever key of the log was in use then. Throws `CommandFailure` without a log key. */
export async function findErasures(
  person: Person,
  organization: { readonly id: string; readonly slug: string },
  ports: Pick<Ports, 'changes' | 'storedEntries' | 'secretReader' | 'clock'>,
): Promise<NameToErase> {
  const { id: organizationId, slug } = organization;
  const query = { organization: slug, organizationId, nowMs: ports.clock.now() };
  const erased: ErasedName[] = [];
  for await (const { name } of listErased(query, ports.changes)) erased.push(name);
  const ids = erased.map(({ key }) => key);
  const keys = await readLogKeys(organizationId, ids, ports.secretReader);
  const isPerson = (name: ErasedName) => isNameOf(name, person.username, keys) === true;
  return {
    person,
    name: await nameUser(person.username, organization, ports.secretReader),
    unfinished: await findUnfinished(query, isPerson, ports),
    isRecorded: erased.some(isPerson),
  };
}
