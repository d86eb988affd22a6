// Files of an export are for the user who makes them alone.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createMemoryPorts, logEntry, NOW_MS, organizationRecord, runWith } from '../../memory-ports.ts';

it.each(['jsonl', 'csv', 'parquet'])(
  'lets nobody else read an export as %s, nor while it is made',
  async (format) => {
    const ports = createMemoryPorts();
    await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
    await ports.logStore.put(logEntry({ timeMs: NOW_MS - 60_000, expiresAt: NOW_MS / 1000 + 60 }));
    const folder = temporaryFolder();
    const modes = () =>
      Object.fromEntries(
        readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
      );
    const before: Record<string, string>[] = [];
    const { list } = ports.storedEntries;
    const storedEntries = {
      ...ports.storedEntries,
      async *list(query: Parameters<typeof list>[0]) {
        before.push(modes());
        yield* list(query);
      },
    };
    const words = [
      'logs',
      'export',
      'acme',
      '--since',
      '1d',
      '--format',
      format,
      '--out',
      join(folder, 'log'),
    ];
    expect(await runWith({ ...ports, storedEntries }, words)).toMatchObject({ exitCode: 0 });
    expect(before).toEqual([{ 'log.checkpoint': '600', 'log.part': '600' }]);
    expect(modes()).toEqual({ log: '600', 'log.manifest.json': '600', 'log.seals.jsonl': '600' });
  },
);
