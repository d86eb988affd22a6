// Files of an export are for the user who makes them alone, and an export is a change of the log.
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
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

it.each(['jsonl', 'csv', 'parquet'])('takes no file over whose mode is another, as %s', async (format) => {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.logStore.put(logEntry({ timeMs: NOW_MS - 60_000, expiresAt: NOW_MS / 1000 + 60 }));
  const folder = temporaryFolder();
  const out = join(folder, 'log');
  for (const ending of ['.part', '.tmp', '.checkpoint.tmp', '.manifest.json.tmp', '.seals.jsonl.tmp']) {
    writeFileSync(`${out}${ending}`, 'left behind');
    chmodSync(`${out}${ending}`, 0o666);
  }
  const words = ['logs', 'export', 'acme', '--since', '1d', '--format', format, '--out', out];
  expect(await runWith(ports, words)).toMatchObject({ exitCode: 0 });
  for (const name of ['log', 'log.manifest.json', 'log.seals.jsonl'])
    expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

it('records an export among the changes, with the digests of its files', async () => {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const path = join(temporaryFolder(), 'log');
  const words = ['logs', 'export', 'acme', '--since', '1d', '--out', path];
  expect(await runWith(ports, words)).toMatchObject({ exitCode: 0 });
  const changes: unknown[] = [];
  for await (const change of ports.changes.list('acme', 0, NOW_MS + 60_000)) changes.push(change);
  const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  expect(changes).toMatchObject([
    {
      ...{ actions: ['export_log'], organizationId: 'id-acme', outcome: 'made' },
      by: 'arn:aws:iam::123456789012:user/ada',
      after: {
        ...{ format: 'jsonl', startedAt: '2026-11-21T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z' },
        ...{ sha256: digest(path), sealsSha256: digest(`${path}.seals.jsonl`) },
        manifestSha256: digest(`${path}.manifest.json`),
      },
    },
  ]);
});

it('leaves no manifest of an export that could not be recorded', async () => {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const folder = temporaryFolder();
  const begin = () => Promise.reject(new Error('denied'));
  const words = ['logs', 'export', 'acme', '--since', '1d', '--out', join(folder, 'log')];
  const denied = { ...ports, changes: { ...ports.changes, begin } };
  expect(await runWith(denied, words)).toMatchObject({ exitCode: 1 });
  expect(readdirSync(folder)).not.toContain('log.manifest.json');
  expect(await runWith(ports, words)).toMatchObject({ exitCode: 0 });
});
