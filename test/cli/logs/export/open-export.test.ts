// An export opened by its manifest: its entries have the digests that were sealed, and its chain is the one that the table had.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openExport, readManifest } from '../../../../cli/logs/export/open-export.ts';
import { digestRecord } from '../../../../core/logs/seals/entry-digest.ts';
import { hashOf, makeSeal, renderHead } from '../../../../core/logs/seals/seal.ts';
import { parseSealedEntries, toEntryToSeal } from '../../../../core/logs/seals/sealed-entry.ts';
import { SERVICE_CHAIN, type Seal } from '../../../../core/ports/seals.ts';
import type { StoredEntry } from '../../../../core/ports/stored-entries.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  createMemoryPorts,
  type MemoryPorts,
  NOW_MS,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';
import { storedCall } from './stored-call.ts';

const FORMATS = ['jsonl', 'csv', 'parquet'] as const;

const call = (index: number) =>
  storedCall(index, NOW_MS - 3_600_000 + index * 1_000, { salt: `s${index}`, username: '=1+1' });

/** Ten entries for each link; the last one was sealed when the export began. */
function chainOf(entries: readonly StoredEntry[]): Seal[] {
  const seals: Seal[] = [];
  for (let at = 0; at < entries.length; at += 10) {
    const lines = entries
      .slice(at, at + 10)
      .map(({ record }) => toEntryToSeal(record, NOW_MS / 1000 - 60).line);
    seals.push(makeSeal('id-acme', seals.at(-1), lines, NOW_MS - (at + 10 < entries.length ? 60_000 : 0)));
  }
  return seals;
}

const entries = Array.from({ length: 35 }, (_, index) => call(index));
const chain = chainOf(entries);

function sealedPorts(): MemoryPorts {
  const ports = createMemoryPorts();
  return {
    ...ports,
    store: { ...ports.store, readOrganization: async () => organizationRecord('acme') },
    storedEntries: {
      ...ports.storedEntries,
      async *list() {
        yield* entries;
      },
    },
    seals: {
      read: ports.seals.read,
      async *seals(of) {
        if (of !== 'id-acme') return;
        for (const seal of chain) yield { sequence: seal.sequence, seal };
      },
    },
  };
}

async function exported(format: string) {
  const path = join(temporaryFolder(), 'log');
  const words = ['logs', 'export', 'acme', '--since', '1d', '--format', format, '--out', path];
  expect(await runWith(sealedPorts(), words)).toMatchObject({ exitCode: 0 });
  return path;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function open(path: string) {
  const { manifest, problems } = await readManifest(`${path}.manifest.json`, NOW_MS);
  expect(problems).toEqual([]);
  return openExport(`${path}.manifest.json`, manifest!);
}

describe.each(FORMATS)('an export as %s', (format) => {
  it('has entries with the digests of their seals', async () => {
    const opened = await open(await exported(format));
    const read = await all(opened.entries());
    expect(read).toEqual(entries);
    const sealed = chain.flatMap(({ lines }) => parseSealedEntries(lines) ?? []);
    expect(read.map(({ record }) => digestRecord(record).digest)).toEqual(sealed.map(({ digest }) => digest));
    expect(await opened.find(entries[20]!)).toEqual(entries[20]!.record);
    expect(await opened.find({ pk: 'none', sk: 'none' })).toBeUndefined();
    expect(await opened.findOtherFiles()).toEqual([]);
  });
});

describe('an export', () => {
  it('has every seal that was made before it began, and the head of them', async () => {
    const opened = await open(await exported('jsonl'));
    const seals = await all(opened.seals('id-acme'));
    expect(seals.map(({ seal }) => seal)).toEqual(chain.slice(0, 3));
    for (const { seal } of seals) expect(hashOf(seal!)).toBe(seal!.hash);
    expect(opened.manifest.seals.heads).toEqual({ 'id-acme': renderHead(chain[2]!), [SERVICE_CHAIN]: null });
    expect(await all(opened.seals(SERVICE_CHAIN))).toEqual([]);
  });

  it('names the files that are not what its manifest says', async () => {
    const path = await exported('csv');
    appendFileSync(path, 'call,later\r\n');
    expect(await (await open(path)).findOtherFiles()).toMatchObject([{ file: 'log' }, { file: 'log' }]);
    appendFileSync(`${path}.seals.jsonl`, '\n');
    const opened = await open(path);
    expect(await opened.findOtherFiles()).toEqual([
      { file: 'log', problem: 'its SHA-256 differs' },
      { file: 'log', problem: expect.stringMatching(/^it has \d+ bytes, not \d+$/) },
      { file: 'log.seals.jsonl', problem: 'its SHA-256 differs' },
      { file: 'log.seals.jsonl', problem: expect.stringMatching(/^it has \d+ bytes, not \d+$/) },
    ]);
  });

  it.each([
    ['no JSON', 'call,'],
    ['another JSON', '{"version":1,"file":"x"}'],
    ['a manifest of another release', '{"version":2,"file":"x","seals":{"file":"y"}}'],
  ])('is refused by a manifest that is %s', async (_name, text) => {
    const path = join(temporaryFolder(), 'x.manifest.json');
    writeFileSync(path, text);
    await expect(readManifest(path, NOW_MS)).rejects.toThrow('is not the manifest of an export');
    await expect(readManifest(`${path}.none`, NOW_MS)).rejects.toThrow('cannot be read');
  });
});
