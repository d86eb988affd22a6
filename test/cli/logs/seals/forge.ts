// Forges exports: an organization with sealed calls is exported, its files are changed, and counts and digests are made anew.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type ExportedEntry, renderLine } from '../../../../cli/logs/export/exported-entry.ts';
import { makeSeal, renderHead } from '../../../../core/logs/seals/seal.ts';
import { toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import type { Seal } from '../../../../core/ports/seals.ts';
import type { StoredEntry } from '../../../../core/ports/stored-entries.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { createMemoryPorts, logEntry, NOW_MS, organizationRecord, runWith } from '../../memory-ports.ts';

export const DAY_MS = 86_400_000;
export const iso = (timeMs: number) => new Date(timeMs).toISOString();

export type Line = Record<string, unknown>;
export interface Files {
  manifest: Record<string, unknown> & { seals: Record<string, unknown> & { heads: Record<string, unknown> } };
  lines: Line[];
  seals: { chain: string; sequence: number; seal: Seal | null }[];
}

/** A call before the period, one of a short retention that has expired, and four that are exported; three seals. */
export async function exported(format = 'jsonl') {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  const times = [
    NOW_MS - 3 * DAY_MS,
    NOW_MS - 2 * DAY_MS + 1_000,
    ...[1, 2, 3, 4].map((n) => NOW_MS - n * 3_600_000),
  ];
  const ids = ['before', 'expired', 'd', 'c', 'b', 'a'];
  for (const [index, executionId] of ids.entries())
    await ports.logStore.put(
      logEntry({
        ...{ executionId, timeMs: times[index] ?? 0, username: 'ann' },
        expiresAt: (NOW_MS + 5 * DAY_MS) / 1000,
      }),
    );
  const query = { organizationId: 'id-acme', organization: 'acme', fromMs: 0, toMs: NOW_MS, nowMs: 0 };
  const all: StoredEntry[] = [];
  for await (const entry of ports.storedEntries.list(query)) all.push(entry);
  const packed = {
    $binary: gzipSync('{"output":{"kind":"full","text":"true","bytes":4}}').toString('base64'),
  };
  const expiresAt = (NOW_MS - 3_600_000) / 1000;
  const stored = all.map((entry) => {
    if (entry.sk.endsWith('#c')) return { ...entry, record: { ...entry.record, packed } };
    return entry.sk.endsWith('#expired') ? { ...entry, record: { ...entry.record, expiresAt } } : entry;
  });
  const seals: Seal[] = [];
  for (const some of [stored.slice(0, 2), stored.slice(2, 4), stored.slice(4)]) {
    const lines = some.map(
      ({ sk, record }) => toEntryToSeal(record, Date.parse(sk.slice(0, 24)) / 1000 + 1).line,
    );
    seals.push(makeSeal('id-acme', seals.at(-1), lines, NOW_MS - 60_000));
  }
  for (const seal of seals) await ports.usage.add([], [], [seal]);
  const storedEntries = {
    ...ports.storedEntries,
    async *list({ fromMs }: { fromMs: number }) {
      yield* stored.filter(({ sk }) => sk >= iso(fromMs) && !sk.endsWith('#expired'));
    },
  };
  const path = join(temporaryFolder(), 'log');
  const words = ['logs', 'export', 'acme', '--since', '2d', '--format', format, '--out', path];
  expect(await runWith({ ...ports, storedEntries }, words)).toMatchObject({ exitCode: 0 });
  return { path, head: renderHead(seals[2]!) };
}

export const verify = (path: string, ...words: string[]) =>
  runWith(createMemoryPorts(), ['logs', 'verify', `${path}.manifest.json`, ...words]);

const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as never);

/** As the export writes it, which a forger can do too. */
function renderAsExported(line: ExportedEntry): string {
  return typeof line === 'object' ? renderLine(line) : JSON.stringify(line);
}

/** The files of an export, and the head of its seals; made once, kept as text. */
let untouched: Promise<{ manifest: string; lines: string; seals: string; head: string }> | undefined;

async function readExport() {
  const { path, head } = await exported();
  const read = (end: string) => readFileSync(`${path}${end}`, 'utf8');
  return { manifest: read('.manifest.json'), lines: read(''), seals: read('.seals.jsonl'), head };
}

/** Forges the files; counts, lengths and digests are made anew before `last` is applied. */
export async function forge(change: (files: Files) => void, last: (files: Files) => void = () => undefined) {
  untouched ??= readExport();
  const { head, ...texts } = await untouched;
  const path = join(temporaryFolder(), 'log');
  const files: Files = {
    manifest: JSON.parse(texts.manifest) as Files['manifest'],
    lines: jsonLines(texts.lines),
    seals: jsonLines(texts.seals),
  };
  change(files);
  const write = (
    to: string,
    values: readonly unknown[],
    render = JSON.stringify as (value: never) => string,
  ) => {
    const text = values.map((value) => `${render(value as never)}\n`).join('');
    writeFileSync(to, text);
    return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
  };
  const { manifest, lines, seals } = files;
  const newest = seals.filter(({ seal }) => seal !== null).at(-1)?.seal;
  const count = (type: string) => lines.filter((line) => line['type'] === type).length;
  Object.assign(manifest, write(path, lines, renderAsExported), {
    entries: { call: count('call'), change: count('change'), outcome: count('outcome') },
  });
  Object.assign(manifest.seals, write(`${path}.seals.jsonl`, seals));
  manifest.seals.heads[String(manifest['organizationId'])] = newest ? renderHead(newest) : null;
  last(files);
  writeFileSync(`${path}.manifest.json`, JSON.stringify(manifest));
  return { path, head };
}
