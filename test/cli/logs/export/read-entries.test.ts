// An export read back: every format gives the stored items back exactly, those that someone put by hand included.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXPORT_COLUMNS } from '../../../../cli/logs/export/columns.ts';
import { renderLine, toExportedEntry, toStoredRecord } from '../../../../cli/logs/export/exported-entry.ts';
import { readEntries } from '../../../../cli/logs/export/read-entries.ts';
import { readSpool } from '../../../../cli/logs/export/read-spool.ts';
import { writeCsv } from '../../../../cli/logs/export/write-csv.ts';
import { writeParquet } from '../../../../cli/logs/export/write-parquet.ts';
import type { Json, StoredRecord } from '../../../../core/ports/seals.ts';
import type { StoredEntry, StoredType } from '../../../../core/ports/stored-entries.ts';
import { anyFacts, entryOf } from '../../../core/logs/entries.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const SK = '2026-11-21T12:30:00.000Z#exec-1';

function stored(record: object, type: StoredType = 'call'): StoredEntry {
  const sk = type === 'outcome' ? `${SK}#result` : SK;
  const whole = JSON.parse(JSON.stringify({ pk: 'neu#2026-11-21T12#0', sk, ...record })) as StoredRecord;
  return { type, pk: 'neu#2026-11-21T12#0', sk, record: whole };
}

/** What each format gives back. */
async function roundTrip(entries: readonly StoredEntry[]): Promise<Record<string, StoredRecord[]>> {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, entries.map((entry) => `${renderLine(toExportedEntry(entry))}\n`).join(''));
  await writeCsv(readSpool(path), `${path}.csv`);
  await writeParquet(readSpool(path), `${path}.parquet`);
  const read = async (file: string, format: string) => {
    const records: StoredRecord[] = [];
    for await (const entry of readEntries(file, format)) records.push(toStoredRecord(entry));
    return records;
  };
  return {
    jsonl: await read(path, 'jsonl'),
    csv: await read(`${path}.csv`, 'csv'),
    parquet: await read(`${path}.parquet`, 'parquet'),
  };
}

async function expectExact(entries: readonly StoredEntry[]): Promise<void> {
  const records = entries.map(({ record }) => record);
  const options = await roundTrip(entries);
  for (const format of ['jsonl', 'csv', 'parquet'])
    expect({ format, records: options[format] }).toEqual({ format, records });
}

const packed = (value: object) => ({ $binary: gzipSync(JSON.stringify(value)).toString('base64') });

/** DynamoDB keeps texts as UTF-8, which has no half of a surrogate pair. */
const wellFormed = (value: object): object =>
  JSON.parse(JSON.stringify(value), (_name, member) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );

const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
/** Names that columns and lines have, and others. */
const anyName = fc.oneof(
  fc.constantFrom(
    'type',
    'time',
    'id',
    'record',
    'other',
    'packed',
    'status',
    'before',
    'after',
    'input',
    'cut',
    'latencyMs',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'),
);

it('a replay is exported with the execution that it repeats', async () => {
  const facts = { run: undefined, replay: { executionId: 'exec-0', executionStopped: false } };
  const replay = stored(entryOf(facts));
  expect(replay.record).toMatchObject({ replayOf: 'exec-0' });
  await expectExact([replay]);
  expect(EXPORT_COLUMNS).toContainEqual({ name: 'replayOf', kind: 'text' });
});

describe('an export read back', () => {
  it('gives entries of every kind as they are stored', async () => {
    const { input, output, trace, ...rest } = entryOf();
    await expectExact([
      stored(entryOf()),
      stored({ ...rest, packed: packed({ input, output, trace }) }),
      stored(
        { id: 'chg-1', by: 'local', actions: ['deploy'], before: 'null', after: '{"b":1,"a":[2]}' },
        'change',
      ),
      stored({ id: 'chg-1', packed: packed({ before: '{"x":"y"}', after: 'null' }) }, 'change'),
      stored({ outcome: 'made', endedAtMs: 1, expiresAt: 2 }, 'outcome'),
    ]);
  });

  it('gives texts of callers as they are stored', async () => {
    const texts = [
      '=cmd|x',
      "'=1",
      '"',
      'a,"b",\r\nc',
      '\r',
      '\n',
      '\u2028',
      '',
      '😀',
      '\t',
      '＝1',
      'null',
      '1',
      'true',
    ];
    await expectExact(texts.map((username) => stored({ username, reason: username })));
  });

  it('gives numbers as they are stored', async () => {
    const numbers = [
      0,
      1,
      -1,
      0.1,
      1e21,
      9_007_199_254_740_991,
      -2.5e-7,
      { $number: '12345678901234567890e0' },
    ];
    await expectExact(
      numbers.map((number) => stored({ status: number, latencyMs: number, expiresAt: number })),
    );
  });

  it('gives what someone put by hand as it is stored', async () => {
    await expectExact([
      stored({ type: 'mine', time: 5, id: 'own' }),
      stored({ type: 'mine', id: 'own' }, 'outcome'),
      stored({ record: { a: 1 }, other: { b: 2 } }),
      stored({ packed: { $binary: 'bm90IGd6aXA=' }, input: 'kept' }),
      stored({ packed: packed({ pk: 'other', input: 1 }), input: 'kept' }),
      stored({ before: { not: 'text' }, input: null, modelCalls: 'text', restored: 'yes' }),
    ]);
  });

  it('gives any item as it is stored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.dictionary(anyName, anyJson), fc.constantFrom('call', 'change', 'outcome')), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.array(anyFacts, { maxLength: 3 }),
        async (items, facts) => {
          const byHand = items.map(([record, type]) => stored(record, type as StoredType));
          await expectExact([...byHand, ...facts.map((one) => stored(wellFormed(entryOf(one))))]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('names the entry that cannot be read', async () => {
    const path = join(temporaryFolder(), 'log');
    writeFileSync(path, `${renderLine(toExportedEntry(stored({})))}\n{"type":"ca`);
    const reading = (async () => {
      for await (const _ of readEntries(path, 'jsonl'));
    })();
    await expect(reading).rejects.toThrow(`Entry 2 of ${path} cannot be read.`);
  });
});
