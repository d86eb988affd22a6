// Selects the items of a restored table that may come back. Whatever is not known to be safe stays out.
import type { RecordedChange } from '../../contract/change-entry.ts';
import { parseStoredKey, type StoredKey } from '../../ports/keys.ts';
import type { StoredRecord } from '../../ports/seals.ts';
import { listNames } from '../../text/names-person.ts';

/**
 * Why an item stays out. `deleted`, `revoked`: by a command, as the log of changes says. `other_organization`: of one that is not here,
 * or whose slug has another owner now. `restarted`: of a chain of seals that began anew. `erased`: of a person who was erased since;
 * `unchecked`: perhaps. `state`: what was going on then.
 */
export type SkipReason =
  | 'expired'
  | 'unknown'
  | 'deleted'
  | 'revoked'
  | 'other_organization'
  | 'restarted'
  | 'erased'
  | 'unchecked'
  | 'state';

/** Undefined for an item to copy. */
export type SelectItem = (record: StoredRecord) => SkipReason | undefined;

/** Ids of organizations and neurons by their slugs: `acme`, `acme/support`. */
export interface SettingsIndex {
  readonly organizations: ReadonlyMap<string, string>;
  readonly neurons: ReadonlyMap<string, string>;
}

/** Keeps out what has expired by now; readers would pass it over. */
export function selectUnexpired(select: SelectItem, nowMs: number): SelectItem {
  return (record) => {
    const { expiresAt } = record;
    const isExpired = typeof expiresAt === 'number' && expiresAt * 1000 <= nowMs;
    return isExpired ? 'expired' : select(record);
  };
}

/** Reads the index of a table of settings. */
export function indexSettings(records: Iterable<StoredRecord>): SettingsIndex {
  const organizations = new Map<string, string>();
  const neurons = new Map<string, string>();
  for (const { pk, sk, id } of records) {
    const slug = slugOf(pk);
    if (slug === undefined || typeof id !== 'string') continue;
    if (sk === 'META') organizations.set(slug, id);
    const [, neuron] = NEURON.exec(String(sk)) ?? [];
    if (neuron !== undefined) neurons.set(`${slug}/${neuron}`, id);
  }
  return { organizations, neurons };
}

/** `deleted`: ids of organizations and neurons that a command deleted. */
export function selectSettings(
  restored: SettingsIndex,
  present: SettingsIndex,
  deleted: ReadonlySet<string>,
): SelectItem {
  const usable = new Set(present.neurons.values());
  for (const [name, id] of restored.neurons) if (!present.neurons.has(name)) usable.add(id);
  return ({ pk, sk, id, organizationId }) => {
    const slug = slugOf(pk);
    if (slug === undefined) return pk === 'SERVICE' ? 'state' : 'unknown';
    const owner = restored.organizations.get(slug);
    // Without its organization nobody can say whose it is.
    if (owner === undefined) return 'unknown';
    const now = present.organizations.get(slug);
    if (now !== undefined && now !== owner) return 'other_organization';
    if (now === undefined && deleted.has(owner)) return 'deleted';
    if (sk === 'META') return undefined;
    if (NEURON.test(String(sk))) {
      if (organizationId !== owner) return 'other_organization';
      return deleted.has(String(id)) ? 'deleted' : undefined;
    }
    const [, neuronId] = VERSION.exec(String(sk)) ?? [];
    if (neuronId === undefined) return 'unknown';
    return deleted.has(neuronId) || !usable.has(neuronId) ? 'deleted' : undefined;
  };
}

/** Ids of organizations and neurons that these changes deleted. One of unknown outcome may have been made. */
export async function findDeleted(changes: AsyncIterable<RecordedChange>): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>();
  for await (const { actions, outcome, organizationId, neuronId } of changes) {
    if (outcome === 'failed') continue;
    if (actions.includes('delete_organization') && organizationId !== undefined) deleted.add(organizationId);
    if (actions.includes('delete_neuron') && neuronId !== undefined) deleted.add(neuronId);
  }
  return deleted;
}

/** Undefined for an item that is no API key. */
export function readKey(record: StoredRecord): StoredKey | undefined {
  if (!KEY.test(String(record['pk']))) return undefined;
  try {
    return parseStoredKey(record);
  } catch {
    return undefined;
  }
}

/** `revoked`: ids of keys that the log says are revoked. `organizations`: ids of those that are here. */
export function selectKeys(organizations: ReadonlySet<string>, revoked: ReadonlySet<string>): SelectItem {
  return (record) => {
    const key = readKey(record);
    if (key === undefined) return 'unknown';
    if (!organizations.has(key.organizationId)) return 'other_organization';
    return key.revokedAt === undefined && revoked.has(key.keyId) ? 'revoked' : undefined;
  };
}

/** Entries and changes. */
export function selectLog({ pk, sk }: StoredRecord): SkipReason | undefined {
  return typeof sk === 'string' && LOG_PARTITION.test(String(pk)) ? undefined : 'unknown';
}

/** Keeps out what is of a person who was erased since. `isErased`: undefined where nobody can tell. */
export function selectUnerased(
  select: SelectItem,
  isErased: (
    organizationId: string,
    username: string,
    timeMs: number,
    isFolded: boolean,
  ) => boolean | undefined,
): SelectItem {
  return (record) => {
    const { organizationId } = record;
    const reason = select(record);
    const isOfTag = typeof record['username'] !== 'string';
    const names = reason === undefined ? namesIn(record) : [];
    if (names.length === 0) return reason;
    const [, ofDay, day] = USAGE_DAY.exec(String(record['pk'])) ?? [];
    const timeMs = Date.parse(day ?? String(record['sk']).split('#')[0] ?? '');
    const found = names.map((name) => isErased(ofDay ?? String(organizationId), name, timeMs, isOfTag));
    if (found.includes(true)) return 'erased';
    return found.includes(undefined) ? 'unchecked' : undefined;
  };
}

/** The username, or what a row of usage by a tag may name. */
function namesIn({ username, tag, value }: StoredRecord): readonly string[] {
  if (typeof username === 'string') return [username];
  return typeof tag === 'string' && typeof value === 'string' ? [...listNames(value)] : [];
}

/** `chains`: those whose seals continue the restored ones. */
export function selectUsage(chains: ReadonlySet<string>): SelectItem {
  return ({ pk, sk }) => {
    const [kind, name] = String(pk).split('#');
    // An alert that was unsent then has been sent since.
    if (pk === 'ALERTS') return 'state';
    if (pk === 'SEALS') return chains.has(String(sk)) ? undefined : 'restarted';
    if (kind === 'SEAL' && name !== undefined) return chains.has(name) ? undefined : 'restarted';
    return name !== undefined && USAGE_KINDS.includes(kind ?? '') ? undefined : 'unknown';
  };
}

const NEURON = /^NEURON#([a-z0-9-]+)$/;
const VERSION = /^VERSION#([^#]+)#[^#]+$/;
const KEY = /^KEY#[0-9a-f]{64}$/;
const LOG_PARTITION = /^(?:[^#]{24}#\d{4}-\d\d-\d\dT\d\d#.+|CHANGES(?:#[a-z0-9-]+)?)$/;
const USAGE_DAY = /^ORG#([^#]+)#DAY#(\d{4}-\d\d-\d\d)$/;
const USAGE_KINDS = ['ORG', 'ENTRIES', 'ITEM', 'ALERTS'];

function slugOf(pk: unknown): string | undefined {
  return /^ORG#([a-z0-9-]+)$/.exec(String(pk))?.[1];
}
