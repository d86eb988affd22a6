// Archives a day of the log: its seals in order, each followed by its entries as they are stored.
import { createHash } from 'node:crypto';
import type { Seal, SealedEntry, StoredRecord } from '../../ports/seals.ts';
import { toIso } from '../../time/iso.ts';
import { renderHead } from '../seals/seal.ts';
import { parseSealedEntries } from '../seals/sealed-entry.ts';
import {
  ARCHIVE_FORMAT,
  type ArchivedChain,
  type ArchivedObject,
  type ArchiveManifest,
  manifestName,
  PART_BYTES,
  partName,
  renderManifest,
} from './format.ts';

const DAY_MS = 86_400_000;
/** Clocks of the functions that seal differ by less: seals of so long before midnight are in both days, so that none is in neither. */
export const OVERLAP_MS = 5 * 60_000;
/** Seals are read ahead until they have so many entries, which are then read together. */
const READ_TOGETHER = 100;

export interface ArchivePorts {
  /** Every chain that has seals. */
  readonly chains: () => AsyncIterable<string>;
  /** The readable seals of a chain that were made in a period, `toMs` exclusive, in order. */
  readonly seals: (chain: string, fromMs: number, toMs: number) => AsyncIterable<Seal>;
  /** The entry at each position, in their order; undefined for one that is gone. */
  readonly find: (
    positions: readonly Pick<SealedEntry, 'pk' | 'sk'>[],
  ) => Promise<readonly (StoredRecord | undefined)[]>;
  /** Puts an object, kept for organizations of these slugs. Throws when it was not put. */
  readonly put: (name: string, body: string, organizations: ReadonlySet<string>) => Promise<void>;
  readonly nowMs: () => number;
  /** @default PART_BYTES */
  readonly partBytes?: number;
}

/** Writes every chain, then the manifest. Running it again writes the same names. */
export async function archiveDay(day: string, ports: ArchivePorts): Promise<ArchiveManifest> {
  const chains: Record<string, ArchivedChain> = {};
  const all = new Set<string>();
  for await (const chain of ports.chains()) {
    const archived = await archiveChain(chain, day, all, ports);
    if (archived !== undefined) chains[chain] = archived;
  }
  const manifest = { archive: ARCHIVE_FORMAT, day, writtenAt: toIso(ports.nowMs()), chains };
  await ports.put(manifestName(day), renderManifest(manifest), all);
  return manifest;
}

/** Undefined for a chain without a seal of that day. Adds the organizations that it saw to `all`. */
async function archiveChain(
  chain: string,
  day: string,
  all: Set<string>,
  ports: ArchivePorts,
): Promise<ArchivedChain | undefined> {
  const startMs = Date.parse(day);
  const counts = { seals: 0, entries: 0, gone: 0 };
  const part = createPart(chain, day, ports);
  let head: string | undefined;
  const seals = ports.seals(chain, startMs - OVERLAP_MS, startMs + DAY_MS);
  for await (const { seal, records } of readSealed(seals, ports)) {
    part.add(JSON.stringify({ seal }));
    head = renderHead(seal);
    counts.seals += 1;
    for (const record of records) {
      part.add(JSON.stringify({ record: record ?? null }));
      counts[record === undefined ? 'gone' : 'entries'] += 1;
      const slug = record === undefined ? undefined : organizationOf(record);
      if (slug === undefined) continue;
      part.organizations.add(slug);
      all.add(slug);
    }
    await part.flushIfFull();
  }
  const objects = await part.finish();
  return head === undefined ? undefined : { head, ...counts, objects };
}

interface SealWithRecords {
  readonly seal: Seal;
  readonly records: readonly (StoredRecord | undefined)[];
}

/** Each seal with its entries as they are stored. */
async function* readSealed(
  seals: AsyncIterable<Seal>,
  { find }: Pick<ArchivePorts, 'find'>,
): AsyncGenerator<SealWithRecords> {
  let waiting: { readonly seal: Seal; readonly entries: readonly SealedEntry[] }[] = [];
  async function* flush() {
    const records = await find(waiting.flatMap(({ entries }) => entries));
    let from = 0;
    for (const { seal, entries } of waiting) {
      yield { seal, records: records.slice(from, from + entries.length) };
      from += entries.length;
    }
    waiting = [];
  }
  let size = 0;
  for await (const seal of seals) {
    const entries = parseSealedEntries(seal.lines) ?? [];
    waiting.push({ seal, entries });
    size += entries.length;
    if (size < READ_TOGETHER) continue;
    yield* flush();
    size = 0;
  }
  yield* flush();
}

/** Calls name their organization; changes have it in their partition, `CHANGES#acme`. */
function organizationOf({ pk, organization }: StoredRecord): string | undefined {
  if (typeof organization === 'string') return organization;
  return typeof pk === 'string' ? pk.split('#')[1] : undefined;
}

/** Collects lines, and puts them when there are enough of them. */
function createPart(chain: string, day: string, { put, partBytes = PART_BYTES }: ArchivePorts) {
  const objects: ArchivedObject[] = [];
  const organizations = new Set<string>();
  let lines: string[] = [];
  let bytes = 0;
  const flush = async () => {
    if (lines.length === 0) return;
    const body = `${lines.join('\n')}\n`;
    const name = partName(chain, day, objects.length + 1);
    await put(name, body, organizations);
    const sha256 = createHash('sha256').update(body).digest('hex');
    objects.push({ name, bytes: Buffer.byteLength(body), sha256 });
    lines = [];
    bytes = 0;
  };
  return {
    organizations,
    add(line: string) {
      lines.push(line);
      bytes += Buffer.byteLength(line) + 1;
    },
    async flushIfFull() {
      if (bytes >= partBytes) await flush();
    },
    async finish() {
      await flush();
      return objects;
    },
  };
}
