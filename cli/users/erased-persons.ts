// Tells whether something of an earlier time is of a person who was erased since: nothing that is put back may bring a person back.
import { type ErasedPerson, listErased } from '../../core/admin/erase/unfinished.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { digestUsername } from '../../core/logs/erasure/erased-name.ts';
import { CommandFailure } from '../output/failure.ts';
import type { Ports } from '../session/ports.ts';
import { readLogKeys } from './log-keys.ts';

type PersonPorts = Pick<Ports, 'changes' | 'secretReader' | 'clock'>;

/** `isFolded`: for a name in a text, in small letters. Undefined where a key is gone, so that nobody can tell. */
export type PersonTest = (username: string, timeMs: number, isFolded?: boolean) => boolean | undefined;

/** For one organization. Reads its keys only where somebody was erased. Throws what the stores throw. */
export async function readErasedPersons(
  organization: { readonly id: string; readonly slug: string },
  { changes, secretReader, clock }: PersonPorts,
): Promise<PersonTest> {
  const persons: ErasedPerson[] = [];
  const query = { organization: organization.slug, organizationId: organization.id, nowMs: clock.now() };
  for await (const person of listErased(query, changes)) persons.push(person);
  if (persons.length === 0) return () => false;
  const ids = persons.map(({ name }) => name.key);
  const keys = await readLogKeys(organization.id, ids, secretReader);
  return (username, timeMs, isFolded = false) => {
    const later = persons.filter((person) => timeMs < person.timeMs);
    const digests = new Map([...keys].map(([id, key]) => [id, digestUsername(username, key)]));
    const found = later.map(({ name: { digest, folded = digest, key } }) => {
      const own = digests.get(key);
      return own === undefined ? undefined : own === (isFolded ? folded : digest);
    });
    if (found.includes(true)) return true;
    return found.includes(undefined) ? undefined : false;
  };
}

/** The same for entries of any organization, each of which is read once. Throws `CommandFailure` where nobody can tell. */
export function createErasedEntries(ports: PersonPorts): (entry: LogEntry) => Promise<boolean> {
  const known = new Map<string, Promise<PersonTest>>();
  return async ({ organization: slug, organizationId: id, username, timeMs }) => {
    if (username === undefined) return false;
    const reading = known.get(id) ?? readErasedPersons({ id, slug }, ports);
    known.set(id, reading);
    const isErased = (await reading)(username, timeMs);
    if (isErased !== undefined) return isErased;
    throw new CommandFailure({
      what: 'Nobody can tell whether the person of the entry was erased: the key of the log that the erasure names is gone.',
    });
  };
}
