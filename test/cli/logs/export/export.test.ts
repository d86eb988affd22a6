// `neuron logs export`: the same file however often it was interrupted, and no other than the one that was asked for.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  comparePositions,
  type StoredEntries,
  type StoredEntry,
} from '../../../../core/ports/stored-entries.ts';
import { queryDuckDb } from '../../../support/duckdb.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  createMemoryPorts,
  type MemoryPorts,
  NOW_MS,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';
import { storedCall } from './stored-call.ts';

const PERIOD = ['--from', '2026-11-20', '--to', '2026-11-21'] as const;
const FORMATS = ['jsonl', 'csv', 'parquet'] as const;

/** Calls of two hours, every thousandth followed by a change and its outcome. */
function storedEntries(number: number): StoredEntry[] {
  return Array.from({ length: number }, (_, index): StoredEntry[] => {
    const timeMs = NOW_MS - 7_200_000 + index * 500;
    const time = new Date(timeMs).toISOString();
    const call = storedCall(index, timeMs, { username: `user-${index % 7}` });
    if (index % 1_000 !== 0) return [call];
    const change = { pk: 'CHANGES#acme', sk: `${time}#chg-${index}` };
    const result = { ...change, sk: `${change.sk}#result` };
    const described = {
      id: `chg-${index}`,
      timeMs,
      by: 'local',
      actions: ['deploy'],
      before: 'null',
      after: '{"version":"v2"}',
    };
    return [
      call,
      { type: 'change', ...change, record: { ...change, ...described, expiresAt: 2_000_000_000 } },
      {
        type: 'outcome',
        ...result,
        record: { ...result, outcome: 'made', endedAtMs: timeMs, expiresAt: 2_000_000_000 },
      },
    ];
  })
    .flat()
    .toSorted(comparePositions);
}

/** Gives these entries, and fails once before the one at `failAt`. */
function portsWith(entries: readonly StoredEntry[], failAt: number[] = []): MemoryPorts {
  const ports = createMemoryPorts();
  const stored: StoredEntries = {
    find: ports.storedEntries.find,
    async *list({ after }) {
      const start =
        after === undefined ? 0 : entries.findIndex((entry) => comparePositions(entry, after) > 0);
      const end = failAt.shift();
      if (start === -1) return;
      for (const [index, entry] of entries.slice(start).entries()) {
        if (end !== undefined && start + index >= end) throw new Error('the connection was lost');
        yield entry;
      }
    },
  };
  const store = { ...ports.store, readOrganization: async () => organizationRecord('acme') };
  return { ...ports, store, storedEntries: stored };
}

const exportTo = (ports: MemoryPorts, path: string, ...words: string[]) =>
  runWith(ports, ['logs', 'export', 'acme', ...PERIOD, '--out', path, ...words]);

describe('an export', () => {
  const entries = storedEntries(6_000);

  it.each(FORMATS)('as %s that was interrupted has the bytes of one that was not', async (format) => {
    const folder = temporaryFolder();
    const whole = join(folder, 'whole');
    const parts = join(folder, 'parts');
    expect(await exportTo(portsWith(entries), whole, '--format', format)).toMatchObject({ exitCode: 0 });
    // Within the first checkpoint, right after one, and at the very end.
    const ports = portsWith(entries, [300, 5_000, 5_500, entries.length - 1]);
    for (let run = 0; run < 4; run += 1) {
      expect((await exportTo(ports, parts, '--format', format)).exitCode).toBe(1);
      expect(existsSync(parts)).toBe(false);
      // What a kill leaves behind: bytes that no checkpoint knows of.
      appendFileSync(`${parts}.part`, '{"type":"call","ti');
    }
    const last = await exportTo(ports, parts, '--format', format);
    expect(last.exitCode).toBe(0);
    expect(last.stderr).toContain('Continuing the export begun at 2026-11-21T12:00:00.000Z');
    expect(readFileSync(parts).equals(readFileSync(whole))).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual([
      'parts',
      'parts.manifest.json',
      'parts.seals.jsonl',
      'whole',
      'whole.manifest.json',
      'whole.seals.jsonl',
    ]);
  });

  it('has a manifest with its counts and its digest', async () => {
    const path = join(temporaryFolder(), 'november.jsonl');
    const { stdout } = await exportTo(portsWith(entries), path, '--json');
    const manifest = JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8'));
    expect(JSON.parse(stdout)).toEqual({ ...manifest, path });
    expect(manifest).toEqual({
      version: 1,
      ...{ organization: 'acme', organizationId: 'id-acme' },
      ...{
        from: '2026-11-20T00:00:00.000Z',
        to: '2026-11-21T12:00:00.000Z',
        startedAt: '2026-11-21T12:00:00.000Z',
      },
      ...{ format: 'jsonl', file: 'november.jsonl', bytes: readFileSync(path).length },
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
      entries: { call: 6_000, change: 6, outcome: 6 },
      seals: {
        file: 'november.jsonl.seals.jsonl',
        bytes: 0,
        sha256: createHash('sha256').digest('hex'),
        heads: { 'id-acme': null, SERVICE: null },
      },
    });
  });

  it('is finished by the next run when it was killed between its last steps', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'log.jsonl');
    await exportTo(portsWith(entries), path);
    const whole = readFileSync(path);
    const { startedAt, entries: counts } = JSON.parse(readFileSync(`${path}.manifest.json`, 'utf8'));
    const request = {
      ...{ table: 'logs', organization: 'acme', organizationId: 'id-acme', format: 'jsonl' },
      ...{ fromMs: Date.UTC(2026, 10, 20), toMs: NOW_MS },
    };
    const checkpoint = {
      version: 1,
      request,
      startedMs: Date.parse(startedAt),
      counts,
      bytes: whole.length,
      isComplete: true,
    };
    writeFileSync(`${path}.checkpoint`, JSON.stringify(checkpoint));
    const none = portsWith([], [0]);
    expect(await exportTo(none, path)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(path).equals(whole)).toBe(true);
    expect(readdirSync(folder).toSorted()).toEqual([
      'log.jsonl',
      'log.jsonl.manifest.json',
      'log.jsonl.seals.jsonl',
    ]);
  });

  it('is read by DuckDB, the same in every format', async () => {
    const folder = temporaryFolder();
    const answers = [];
    for (const format of FORMATS) {
      const path = join(folder, `log.${format}`);
      await exportTo(portsWith(entries), path, '--format', format);
      const reader = { jsonl: 'read_json', csv: 'read_csv', parquet: 'read_parquet' }[format];
      answers.push(
        await queryDuckDb(
          `SELECT type, count(*) AS entries, min(time::TIMESTAMP) AS first, sum(tokensInput)::BIGINT AS tokens,
             count(DISTINCT username) AS users
           FROM ${reader}('${path}'${format === 'jsonl' ? ", format = 'newline_delimited'" : ''}) GROUP BY type ORDER BY type`,
        ),
      );
    }
    expect(answers[0]).toEqual([
      { type: 'call', entries: 6_000n, first: new Date(NOW_MS - 7_200_000), tokens: 66_000n, users: 7n },
      { type: 'change', entries: 6n, first: new Date(NOW_MS - 7_200_000), tokens: null, users: 0n },
      { type: 'outcome', entries: 6n, first: new Date(NOW_MS - 7_200_000), tokens: null, users: 0n },
    ]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });
});

describe('an export refuses', () => {
  const entries = storedEntries(6_000);

  it('a file that is there already', async () => {
    const path = join(temporaryFolder(), 'there');
    writeFileSync(path, 'of somebody else');
    const { exitCode, stderr } = await exportTo(portsWith(entries), path);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('exists already');
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  });

  it.each([
    ['another format', ['--format', 'csv'], 'differs from this one in --format'],
    ['another period', ['--to', '2026-11-20'], 'differs from this one in the time range'],
  ])('to continue as %s', async (_name, words, message) => {
    const path = join(temporaryFolder(), 'log');
    const ports = portsWith(entries, [5_500]);
    expect((await exportTo(ports, path)).exitCode).toBe(1);
    const before = readFileSync(`${path}.part`);
    const { exitCode, stderr } = await exportTo(ports, path, ...words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(message);
    expect(readFileSync(`${path}.part`).equals(before)).toBe(true);
  });

  it('to continue a file that is shorter than its checkpoint', async () => {
    const path = join(temporaryFolder(), 'log');
    const ports = portsWith(entries, [5_500]);
    await exportTo(ports, path);
    writeFileSync(`${path}.part`, '');
    const { exitCode, stderr } = await exportTo(ports, path);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('shorter than its checkpoint');
  });

  it('to continue from what is no checkpoint', async () => {
    const path = join(temporaryFolder(), 'log');
    writeFileSync(`${path}.checkpoint`, '{"version":1');
    expect(await exportTo(portsWith(entries), path)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is not a checkpoint'),
    });
  });

  it('to share its file with another process', async () => {
    const path = join(temporaryFolder(), 'log');
    const ports = portsWith(entries);
    const { list, find } = ports.storedEntries;
    const storedEntries: StoredEntries = {
      find,
      async *list(query) {
        for await (const entry of list(query)) {
          if (entry.sk.includes('exec-10=')) appendFileSync(`${path}.part`, 'x');
          yield entry;
        }
      },
    };
    const { exitCode, stderr } = await exportTo({ ...ports, storedEntries }, path);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Something else writes to');
  });

  it.each([
    [['--user', 'ann'], '--user does not apply'],
    [['--changes'], '--changes does not apply'],
  ])('%s, which it could only ignore', async (words, message) => {
    const path = join(temporaryFolder(), 'log');
    const { exitCode, stderr } = await exportTo(portsWith(entries), path, ...words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(existsSync(`${path}.checkpoint`)).toBe(false);
  });

  it('no period at all', async () => {
    const path = join(temporaryFolder(), 'log');
    const { exitCode, stderr } = await runWith(portsWith(entries), ['logs', 'export', 'acme', '--out', path]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Neither --from nor --since was given.');
  });
});
