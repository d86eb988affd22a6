// Copies the items of a restored table that may come back and are not there. Running it again continues.

import { compareKeys } from '../../core/admin/compare-keys.ts';
import { continuesChain, readHead } from '../../core/admin/restore/continues-chain.ts';
import { findMarks } from '../../core/admin/restore/mark-counted.ts';
import {
  findDeleted,
  indexSettings,
  readKey,
  type SelectItem,
  type SkipReason,
  selectKeys,
  selectLog,
  selectSettings,
  selectUnerased,
  selectUnexpired,
  selectUsage,
} from '../../core/admin/restore/select-items.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import { CHANGE_RETENTION_MS } from '../../core/contract/change-entry.ts';
import { HEADS_PARTITION } from '../../core/contract/tables.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import type { CopiedItem } from '../../core/ports/restoration.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import type { Ports } from '../session/ports.ts';
import { type PersonTest, readErasedPersons } from '../users/erased-persons.ts';

/** Tables whose items are copied. */
export type CopiedTable = 'config' | 'keys' | 'logs' | 'usage';

export interface CopyRequest {
  readonly table: CopiedTable;
  /** Names of tables. */
  readonly from: string;
  readonly into: string;
  readonly usageTable: string;
  /** Also settings that a command deleted. */
  readonly includeDeleted: boolean;
  /** Counts what would be done. */
  readonly isCheck: boolean;
  readonly onPage: (read: number) => void;
}

/** Numbers of items. `present`: kept as they are. */
export interface CopyCounts {
  readonly read: number;
  readonly restored: number;
  readonly present: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
}

type CopyPorts = Pick<Ports, 'tables' | 'store' | 'changes' | 'secretReader' | 'clock'>;

const WRITES_AT_ONCE = 16;
/** Operators' clocks differ. */
const SKEW_MS = 60_000;

/** Copies page by page. */
export async function copyItems(request: CopyRequest, ports: CopyPorts): Promise<CopyCounts> {
  const nowMs = ports.clock.now();
  const select = selectUnexpired(await SELECT[request.table](request, ports), nowMs);
  const skipped: Partial<Record<SkipReason, number>> = {};
  let [read, restored, present] = [0, 0, 0];
  for await (const page of ports.tables.scan(request.from)) {
    const wanted: CopiedItem[] = [];
    for (const item of page) {
      const reason = select(item.record);
      if (reason === undefined) wanted.push(item);
      else skipped[reason] = (skipped[reason] ?? 0) + 1;
    }
    const put = await mapAtOnce(wanted, WRITES_AT_ONCE, (item) => copyItem(item, request, ports, nowMs));
    read += page.length;
    restored += put.filter(Boolean).length;
    present += put.filter((isNew) => !isNew).length;
    request.onPage(read);
  }
  return { read, restored, present, skipped };
}

/** True for an item that was not there. */
async function copyItem(
  item: CopiedItem,
  { table, into, usageTable, isCheck }: CopyRequest,
  { tables }: CopyPorts,
  nowMs: number,
): Promise<boolean> {
  const { pk, sk } = item.record;
  const isNew = async () =>
    (await tables.find(into, String(pk), sk === undefined ? undefined : String(sk))) === undefined;
  if (isCheck) return isNew();
  // Before the item: its copy may reach the stream at once. An item that is there needs none.
  if (table === 'logs') {
    const marks = findMarks(item.record, item.entry, nowMs);
    if (marks.length > 0) {
      if (!(await isNew())) return false;
      await tables.addMarks(usageTable, marks);
    }
  }
  return tables.putNew(into, item);
}

type CreateSelect = (request: CopyRequest, ports: CopyPorts) => Promise<SelectItem>;

const SELECT: Readonly<Record<CopiedTable, CreateSelect>> = {
  config: async ({ from, into, includeDeleted }, ports) => {
    const restored = indexSettings(await readRecords(ports, from));
    const present = indexSettings(await readRecords(ports, into));
    const deleted = new Set<string>();
    if (!includeDeleted)
      for (const slug of restored.organizations.keys())
        for (const id of await findDeleted(listChanges(slug, ports))) deleted.add(id);
    return selectSettings(restored, present, deleted);
  },
  keys: async ({ from }, ports) => {
    const stored = new Map<string, StoredKey[]>();
    for await (const page of ports.tables.scan(from))
      for (const { record } of page) {
        const key = readKey(record);
        if (key !== undefined)
          stored.set(key.organizationId, [...(stored.get(key.organizationId) ?? []), key]);
      }
    const organizations = await ports.store.listOrganizations();
    const revoked = new Set<string>();
    for (const { id, slug } of organizations) {
      const detail = { organizationId: id, nowMs: ports.clock.now() };
      const differences = await compareKeys(stored.get(id) ?? [], listChanges(slug, ports), detail);
      for (const { keyId, difference } of differences)
        if (difference === 'revoked_in_log') revoked.add(keyId);
    }
    return selectKeys(new Set(organizations.map(({ id }) => id)), revoked);
  },
  logs: async (_request, ports) => selectUnerased(selectLog, await readAllErased(ports)),
  usage: async (request, ports) =>
    selectUnerased(selectUsage(await continueChains(request, ports)), await readAllErased(ports)),
};

/** The chains that continue the restored ones. Heads come first, so that nobody begins a chain anew meanwhile. */
async function continueChains(
  { from, into, isCheck }: CopyRequest,
  { tables }: CopyPorts,
): Promise<ReadonlySet<string>> {
  const continued = new Set<string>();
  for await (const page of tables.scan(from)) {
    for (const item of page) {
      const { pk, sk } = item.record;
      const restored = readHead(item.record);
      if (pk !== HEADS_PARTITION || typeof sk !== 'string' || restored === undefined) continue;
      const isContinued = async () =>
        continuesChain(restored, readHead(await tables.find(into, HEADS_PARTITION, sk)), (sequence) =>
          tables.find(into, `SEAL#${sk}`, String(sequence).padStart(15, '0')),
        );
      if (!(await isContinued())) continue;
      // Another head may have been written between the two.
      if (isCheck || (await tables.putNew(into, item)) || (await isContinued())) continued.add(sk);
    }
  }
  return continued;
}

/** Erased persons of all organizations that are here. */
async function readAllErased(ports: CopyPorts): Promise<Parameters<typeof selectUnerased>[1]> {
  const organizations = await ports.store.listOrganizations();
  const byId = new Map<string, PersonTest>();
  for (const { id, slug } of organizations) byId.set(id, await readErasedPersons({ id, slug }, ports));
  return (organizationId, username, timeMs, isFolded) => {
    const isErased = byId.get(organizationId);
    return isErased === undefined ? false : isErased(username, timeMs, isFolded);
  };
}

async function readRecords({ tables }: CopyPorts, table: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of tables.scan(table))
    for (const { record } of page) {
      const { pk, sk, id } = record;
      // Documents are left out: there may be many.
      records.push({ pk: pk ?? null, sk: sk ?? null, id: id ?? null });
    }
  return records;
}

function listChanges(slug: string, { changes, clock }: CopyPorts) {
  const nowMs = clock.now();
  return changes.list(slug, nowMs - CHANGE_RETENTION_MS, nowMs + SKEW_MS);
}
