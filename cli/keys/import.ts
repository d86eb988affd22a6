// `neuron keys import`: takes over API keys of another system by their digests, until an end date. No text of a key is stored.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { generateApiKey } from '../../core/access/api-key.ts';
import type { OrganizationRecord } from '../../core/ports/administration.ts';
import { toIso } from '../../core/time/iso.ts';
import { ORGANIZATION, parseDurationMs } from '../command/arguments.ts';
import { argument, command, option } from '../command/command.ts';
import { CommandFailure } from '../output/failure.ts';
import { count } from '../output/print.ts';
import type { Column } from '../output/table.ts';
import { requireOrganization } from '../session/require-stored.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';
import { readForeignKeys } from './foreign-keys.ts';

/** A key that was taken over, or that was there before. */
interface ImportedKey {
  readonly name: string;
  readonly keyId: string | null;
  readonly expiresAt: string;
  readonly outcome: 'imported' | 'exists';
}

const COLUMNS: readonly Column<ImportedKey>[] = [
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'KEY', cell: ({ keyId }) => keyId ?? undefined },
  { head: 'EXPIRES', cell: ({ expiresAt }) => expiresAt },
  {
    head: 'OUTCOME',
    cell: ({ outcome }) => (outcome === 'imported' ? 'taken over' : 'was there before, unchanged'),
  },
];

export const keysImport = command({
  name: 'import',
  description: 'Takes over API keys of another system by their digests, until an end date.',
  arguments: {
    organization: ORGANIZATION,
    file: argument('<file>', 'keys as JSON, one on each line (docs/migrate.md)'),
  },
  options: {
    lifetimeMs: option('--expires <duration>', 'when they end, such as 90d', parseDurationMs, {
      required: true,
    }),
  },
  result: { columns: COLUMNS, none: () => 'The file has no keys.' },
  async run({ organization: slug, file, lifetimeMs }, { out, terminal, connect }) {
    const text = await readFile(resolve(terminal.folder, file), 'utf8').catch(() => {
      throw new CommandFailure({ what: `${file} cannot be read.`, remedy: 'Check its path.' });
    });
    const ports = await connect();
    const organization = await requireOrganization(ports.store, slug);
    const { since: createdAt, by: createdBy } = await createAuditStamp(ports);
    const expiresAt = toIso(Date.parse(createdAt) + lifetimeMs);
    const read = readForeignKeys(text, file, {
      neurons: await ports.store.listNeurons(organization),
      expiresAt,
    });
    await out.confirm(`Take over ${count(read.length, 'key')} for ${slug}?`);
    const imported: ImportedKey[] = [];
    for (const { digest, rest } of read) {
      const stamp = { createdAt, createdBy };
      const stored = { ...toStored(organization, generateApiKey(ports.random).keyId), ...stamp, ...rest };
      const isNew = await ports.keys.create(digest, stored);
      const keyId = isNew ? stored.keyId : null;
      imported.push({
        name: rest.name,
        keyId,
        expiresAt: rest.expiresAt,
        outcome: isNew ? 'imported' : 'exists',
      });
    }
    return imported;
  },
});

/** Neither prefix nor end of a foreign key is known: its id is shown in their place. */
function toStored({ id }: OrganizationRecord, keyId: string) {
  return { keyId, prefix: `nrn_${keyId}`, lastFour: '', organizationId: id, imported: true };
}
