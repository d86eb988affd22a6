// An archive in memory: days of entries of two organizations, sealed and archived as the functions do it.
import type { ArchiveSource } from '../../../../core/admin/verify-archive/verify-archive.ts';
import { archiveDay } from '../../../../core/logs/archive/write-day.ts';
import { makeSeal } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import type { Seal, StoredRecord } from '../../../../core/ports/seals.ts';

export const HOUR_MS = 3_600_000;
export const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'] as const;
/** Three hours into the day after the last one. */
export const NOW_MS = Date.parse('2026-11-23T03:00:01Z');
const CHAINS = ['org-a', 'org-b'] as const;

interface ArchiveWorld {
  /** By name, within the archive's folder. */
  readonly objects: Map<string, string>;
  readonly organizations: Map<string, readonly string[]>;
  readonly table: Map<string, StoredRecord>;
  readonly seals: Map<string, Seal[]>;
  readonly source: ArchiveSource;
  archive(day: string): Promise<void>;
}

function recordOf(chain: string, timeMs: number, more: object = {}): StoredRecord {
  const time = new Date(timeMs).toISOString();
  const id = `${chain}-${timeMs}`;
  return {
    pk: `neuron-${chain}#${time.slice(0, 13)}#0`,
    sk: `${time}#${id}`,
    executionId: id,
    organization: chain === 'org-a' ? 'acme' : 'beta',
    organizationId: chain,
    organizationHour: `${chain}#${time.slice(0, 13)}#0`,
    salt: { $binary: 'c2FsdA==' },
    costMicrodollars: 12,
    expiresAt: Math.floor(timeMs / 1000) + 90 * 86_400,
    ...more,
  };
}

/** `partBytes` makes objects small. */
export async function createArchiveWorld(partBytes?: number): Promise<ArchiveWorld> {
  const table = new Map<string, StoredRecord>();
  const seals = new Map<string, Seal[]>(CHAINS.map((chain) => [chain, []]));
  for (const day of DAYS)
    for (let hour = 0; hour < 24; hour += 1)
      for (const chain of CHAINS) {
        const timeMs = Date.parse(day) + hour * HOUR_MS + 60_000;
        const records = [recordOf(chain, timeMs), recordOf(chain, timeMs + 1_000)];
        for (const record of records) table.set(JSON.stringify([record['pk'], record['sk']]), record);
        const sealedMs = timeMs + 5_000;
        const lines = records.map((record) => toEntryToSeal(record, Math.floor(sealedMs / 1000)).line);
        const links = seals.get(chain) ?? [];
        links.push(makeSeal(chain, links.at(-1), lines, sealedMs));
      }
  const objects = new Map<string, string>();
  const organizations = new Map<string, readonly string[]>();
  const archive = async (day: string) => {
    await archiveDay(day, {
      async *chains() {
        yield* CHAINS;
      },
      async *seals(chain, fromMs, toMs) {
        for (const seal of seals.get(chain) ?? [])
          if (seal.sealedAtMs >= fromMs && seal.sealedAtMs < toMs) yield seal;
      },
      find: async (positions) => positions.map(({ pk, sk }) => table.get(JSON.stringify([pk, sk]))),
      put: async (name, body, slugs) => {
        objects.set(name, body);
        organizations.set(name, [...slugs].toSorted());
      },
      nowMs: () => Date.parse(day) + 25 * HOUR_MS,
      ...(partBytes === undefined ? {} : { partBytes }),
    });
  };
  return {
    ...{ objects, organizations, table, seals, archive },
    source: {
      async *names() {
        yield* objects.keys();
      },
      read: async (name) => {
        const text = objects.get(name);
        return text === undefined ? undefined : Buffer.from(text);
      },
    },
  };
}

/** All days archived. */
export async function createArchive(partBytes?: number): Promise<ArchiveWorld> {
  const world = await createArchiveWorld(partBytes);
  for (const day of DAYS) await world.archive(day);
  return world;
}
