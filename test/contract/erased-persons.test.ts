// A person who was erased stays away: restores of lines and tables, and exports that are made later.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toStoredRecord } from '../../adapters/dynamodb/seals/stored-record.ts';
import { readErasedPersons } from '../../cli/users/erased-persons.ts';
import { selectUnerased } from '../../core/admin/restore/select-items.ts';
import { renderLine } from '../../core/logs/line.ts';
import { writeLog } from '../cli/logs/restore/restore-log.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `erased-${tests}`);
});
afterEach(() => dynamoDb.stop());

const eraseAda = () => ['users', 'erase', log.slug, ADA, '--reason', 'request 17', '--yes'];

async function fill(): Promise<void> {
  for (const id of ['a', 'b', 'c']) await log.putOf(ADA, id, { tags: { of: `of ${ADA}!` } });
  await log.putOf('bob', 'd');
  await log.seal();
}

describe('what would bring a person back', () => {
  it('is left out by logs restore: entries that were erased, and those that were lost before', async () => {
    await fill();
    const lineOf = (executionId: string, username: string) => {
      const caller = { sourceIp: ADDRESS, refererHost: undefined, username, authentication: 'jwt' as const };
      return renderLine(log.entry(executionId, { timeMs: log.clock.now(), caller }), { stage: 'test' });
    };
    const file = writeLog(lineOf('lost', ADA), lineOf('of-bob', 'bob'));
    const [line] = (await log.items()).filter(({ executionId }) => executionId?.S === 'a');
    expect(line?.['username']?.S).toBe(ADA);
    await log.clock.advance(1_000);
    await log.run(eraseAda());
    const later = writeLog(lineOf('later', ADA));
    const { stdout } = await log.run(['logs', 'restore', file, later, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ entries: 3, restored: 2, erased: 1, failed: 0 });
    const ids = (await log.items()).map(({ executionId }) => executionId?.S);
    expect(ids).toContain('of-bob');
    // She calls again, and that is hers to ask about anew.
    expect(ids).toContain('later');
    expect(ids).not.toContain('lost');
  });

  it.each(['logs', 'usage'] as const)('is left out of a restored table of %s', async (table) => {
    await fill();
    const before = await log.items(dynamoDb.tables[table]);
    await log.clock.advance(1_000);
    await log.run(eraseAda());
    const ofLog = await readErasedPersons({ id: `erased-${tests}`, slug: log.slug }, log.ports);
    const select = selectUnerased(
      () => undefined,
      (_id, ...asked) => ofLog(...asked),
    );
    const nameOf = (item: (typeof before)[number]) => item['username']?.S ?? item['value']?.S;
    const reasons = before.map((item) => [nameOf(item), select(toStoredRecord(item))]);
    expect(reasons.filter(([name]) => name === ADA).length).toBeGreaterThan(0);
    if (table === 'usage') expect(reasons.map(([name]) => name)).toContain(`of ${ADA}!`);
    for (const [name, reason] of reasons) expect(reason).toBe(name?.includes(ADA) ? 'erased' : undefined);
  });

  it.each([
    ['ada@example.com', 'ADA@Example.COM'],
    ['Ada.Lovelace', 'ada.lovelace'],
    ['Jos\u00e9', 'jose\u0301'],
    ['Ada Lovelace', 'ada lovelace, of ada lovelace'],
    [ADA, `team/${ADA.toUpperCase()}`],
  ])('is left out of a restored table of usage: %s, whom a tag names as %s', async (username, value) => {
    await log.putOf(username, 'a', { tags: { of: value } });
    await log.putOf('bob', 'b', { tags: { of: `x${value}x` } });
    await log.seal();
    const before = await log.items(dynamoDb.tables.usage);
    await log.clock.advance(1_000);
    await log.run(['users', 'erase', log.slug, username, '--reason', 'request 17', '--yes']);
    const ofLog = await readErasedPersons({ id: `erased-${tests}`, slug: log.slug }, log.ports);
    const select = selectUnerased(
      () => undefined,
      (_id, ...asked) => ofLog(...asked),
    );
    const reasons = before
      .filter(({ tag }) => tag?.S === 'of')
      .map((item) => [item['value']?.S, select(toStoredRecord(item))]);
    expect(reasons).toContainEqual([value, 'erased']);
    expect(reasons).toContainEqual([`x${value}x`, undefined]);
  });

  it('cannot be told where the key of the log is gone, and stays out', async () => {
    await fill();
    await log.clock.advance(1_000);
    await log.run(eraseAda());
    const secretReader = { read: async () => undefined };
    const ofLog = await readErasedPersons(
      { id: `erased-${tests}`, slug: log.slug },
      { ...log.ports, secretReader },
    );
    expect(ofLog('bob', log.clock.now() - 60_000)).toBeUndefined();
    expect(ofLog('bob', log.clock.now() + 60_000)).toBe(false);
  });
});

describe('an export of the log', () => {
  it.each(['jsonl', 'csv', 'parquet'])(
    'made as %s after the erasure, of a time before it, is intact',
    async (format) => {
      await fill();
      await log.clock.advance(60_000);
      const to = new Date(log.clock.now()).toISOString();
      await log.clock.advance(3_600_000);
      await log.run(eraseAda());
      await log.clock.advance(60_000);
      const out = join(temporaryFolder(), `export.${format}`);
      const words = [
        'logs',
        'export',
        log.slug,
        '--from',
        '2026-11-21T12:00:00Z',
        '--to',
        to,
        '--format',
        format,
      ];
      expect((await log.run([...words, '--out', out])).exitCode).toBe(0);
      for (const path of [out, `${out}.seals.jsonl`, `${out}.manifest.json`])
        expect(readFileSync(path, 'latin1')).not.toContain(ADA);
      const verified = await log.run(['logs', 'verify', `${out}.manifest.json`]);
      expect(verified.stdout).toContain('3 of a person erased at ');
      expect(verified.stdout).toContain('is intact: 1 whole, 3 erased;');
      expect(verified.exitCode).toBe(0);
    },
  );
});
