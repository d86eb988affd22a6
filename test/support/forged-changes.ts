// Erasures as a program of somebody's own could make them, with all rights to the tables and the key of the log.
import { join } from 'node:path';
import { toChangeId } from '../../core/contract/change-entry.ts';
import { digestUsername } from '../../core/logs/erasure/erased-name.ts';
import { toErasedRecord } from '../../core/logs/erasure/erased-record.ts';
import { packTags, tagEntry, tagRest } from '../../core/logs/erasure/erased-tags.ts';
import { digestRecord } from '../../core/logs/seals/entry-digest.ts';
import { logKeyId } from '../../core/ports/log-key.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import type { StoredPosition } from '../../core/ports/stored-entries.ts';
import { toIso } from '../../core/time/iso.ts';
import type { MemoryPorts } from '../cli/memory-ports.ts';
import { ADA, type createErasableLog, LOG_KEY } from './erasable-log.ts';
import type { RawItem } from './sealed-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Forged changes have no outcome: an export waits for an hour until they are no erasures that go on. */
const EXPORTED_MS = 62 * 60_000;

type ErasableLog = Awaited<ReturnType<typeof createErasableLog>>;

/** Where `verify` looks. */
export const MEDIA = ['table', 'export'] as const;
export type Medium = (typeof MEDIA)[number];

/** What a change names: entries by their execution ids, and how many that never were. */
interface Forgery {
  readonly person?: string | undefined;
  readonly invented?: number;
  /** The tags of the change instead, as a copy of them. */
  readonly erased?: Uint8Array;
}

export type Forger = ReturnType<typeof createForger>;

export function createForger(log: ErasableLog, organizationId: string) {
  let made = 0;

  async function positionOf(id: string): Promise<StoredPosition> {
    const { pk, sk } = await log.itemOf(id);
    return { pk: pk?.S ?? '', sk: sk?.S ?? '' };
  }

  async function tagsOf(ids: readonly string[], invented: number): Promise<Uint8Array> {
    const tags = [];
    for (const one of ids) {
      const position = await positionOf(one);
      const record = (await log.storedEntries.find(position)) ?? {};
      const entry = tagEntry({ ...position, digest: digestRecord(record).digest });
      tags.push({ entry, rest: tagRest(toErasedRecord(record, ADA)) });
    }
    for (let at = 0; at < invented; at += 1)
      tags.push({ entry: tagEntry({ pk: 'x', sk: 'y', digest: String(at) }), rest: tagRest({}) });
    return packTags(tags);
  }

  return {
    /** Puts the change of an erasure, and seals it. */
    async putChange(
      ids: readonly string[],
      { person = ADA, invented = 0, erased }: Forgery = {},
    ): Promise<string> {
      const timeMs = log.clock.now();
      made += 1;
      const id = toChangeId(timeMs, new Uint8Array(8).fill(made));
      const user = { digest: digestUsername(person, LOG_KEY), key: logKeyId(LOG_KEY) };
      await log.changes.begin({
        ...{ id, timeMs, by: 'local', actions: ['erase_user'], organization: log.slug },
        ...{ organizationId, before: undefined, expiresAt: Math.floor(timeMs / 1000) + 86_400 },
        after: { user, entries: ids.length + invented, reason: 'request 18' },
        erased: erased ?? (await tagsOf(ids, invented)),
      });
      await log.seal();
      await log.clock.advance(1_000);
      return id;
    },
    /** Puts the rest of an entry in its place; false where it is gone or erased. */
    async eraseEntry(id: string, username: string, changeId: string): Promise<boolean> {
      const person = { organizationId, username, fromMs: 0, toMs: 0 };
      return log.ports.personalData.erase(person, await positionOf(id), {
        changeId,
        of: (record: StoredRecord) => toErasedRecord(record, username),
        lostUsage: () => [],
      });
    },
    /** The item of the first erasure of the organization. */
    async changeItem(): Promise<RawItem> {
      const items = await log.items();
      const found = items.find((item) => item['erased'] && item['organizationId']?.S === organizationId);
      if (found === undefined) throw new Error('nobody was erased');
      return found;
    },
    /** Puts a copy of a change under an id and a time of its own. */
    async copyItem(item: RawItem): Promise<string> {
      const id = toChangeId(log.clock.now(), new Uint8Array(8).fill(99));
      await log.put({ ...item, id: { S: id }, sk: { S: `${toIso(log.clock.now())}#${id}` } });
      return id;
    },
    /** Of the table; or of an export that is made when no erasure can be going on any more. `to`: the end of its period. */
    async verify(medium: Medium, { to, ...over }: Partial<MemoryPorts> & { readonly to?: string } = {}) {
      if (medium === 'table') return log.run(['logs', 'verify', log.slug, '--since', '2d'], over);
      await log.clock.advance(EXPORTED_MS);
      const out = join(temporaryFolder(), 'export.jsonl');
      const period = to === undefined ? ['--since', '2d'] : ['--from', '2026-11-20', '--to', to];
      const exported = await log.run(['logs', 'export', log.slug, ...period, '--out', out], over);
      if (exported.exitCode !== 0) throw new Error(exported.stderr);
      return log.run(['logs', 'verify', `${out}.manifest.json`], over);
    },
  };
}
