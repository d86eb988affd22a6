// Erasures while an export is under way: it is begun anew, so that no finished export holds the person or fails to verify.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RecordedChange } from '../../core/contract/change-entry.ts';
import type { StoredEntries } from '../../core/ports/stored-entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, createErasableLog } from '../support/erasable-log.ts';
import { createForger } from '../support/forged-changes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const MINUTE_MS = 60_000;

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
let folder: string;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `during-${tests}`);
  for (const id of ['a', 'b', 'c']) await log.putOf(ADA, id);
  await log.putOf('bob', 'd');
  await log.seal();
  await log.clock.advance(MINUTE_MS);
  folder = temporaryFolder();
});
afterEach(() => dynamoDb.stop());

async function erase(name = ADA): Promise<string> {
  const { stdout } = await log.run(['users', 'erase', log.slug, name, '--reason', 'request 17', '--yes']);
  return /Recorded as (\S+)\./.exec(stdout)?.[1] ?? 'not erased';
}

async function listChanges(): Promise<readonly RecordedChange[]> {
  const found: RecordedChange[] = [];
  for await (const one of log.changes.list(log.slug, 0, log.clock.now() + MINUTE_MS)) found.push(one);
  return found;
}

const outOf = (format: string) => join(folder, `export.${format}`);
const exportAs = (format: string, over = {}) =>
  log.run(['logs', 'export', log.slug, '--since', '2d', '--format', format, '--out', outOf(format)], over);

/** The entries, with a deed after the first of them. */
const entriesWith = (deed: () => Promise<unknown>): Pick<typeof log.ports, 'storedEntries'> => {
  const list: StoredEntries['list'] = async function* list(query, onHour) {
    let read = 0;
    for await (const entry of log.storedEntries.list(query, onHour)) {
      yield entry;
      read += 1;
      if (read === 1) await deed();
    }
  };
  return { storedEntries: { ...log.storedEntries, list } };
};

const interrupted = async () => {
  throw new Error('the connection was lost');
};

/** Does what the error says, and expects a whole export without the person. */
async function beginAnew(format: string, stderr: string, erased = 3): Promise<void> {
  const names = /Delete (.+), and run the command again/.exec(stderr)?.[1]?.split(', ') ?? [];
  expect(names).not.toEqual([]);
  for (const name of names) {
    expect(existsSync(name)).toBe(true);
    rmSync(name);
  }
  await log.clock.advance(MINUTE_MS);
  expect((await exportAs(format)).exitCode).toBe(0);
  for (const name of readdirSync(folder))
    expect(readFileSync(join(folder, name), 'latin1')).not.toContain(ADA);
  const { stdout, exitCode } = await log.run(['logs', 'verify', `${outOf(format)}.manifest.json`]);
  expect(stdout).toContain(`${erased} of a person erased at `);
  expect(exitCode).toBe(0);
}

describe.each(['jsonl', 'csv', 'parquet'])('an export as %s', (format) => {
  it('is not finished where somebody was erased while it read', async () => {
    let id = '';
    const { stderr, exitCode } = await exportAs(
      format,
      entriesWith(async () => {
        id = await erase();
      }),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`cannot be finished: a person was erased since (${id}).`);
    expect(existsSync(outOf(format))).toBe(false);
    await beginAnew(format, stderr);
  });

  it('does not go on where somebody was erased between its start and its resume', async () => {
    expect((await exportAs(format, entriesWith(interrupted))).exitCode).not.toBe(0);
    await log.clock.advance(3 * 86_400_000);
    const id = await erase();
    await log.clock.advance(86_400_000);
    const read = async () => expect.unreachable('no entry is read');
    const { stderr, exitCode } = await exportAs(format, entriesWith(read));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`cannot be finished: a person was erased since (${id}).`);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    expect((await exportAs(format)).exitCode).toBe(0);
  });

  it('is not finished where somebody was erased after it was complete, before its files were', async () => {
    const seals = { ...log.ports.seals, seals: () => expect.unreachable('the connection was lost') };
    expect((await exportAs(format, { seals })).exitCode).not.toBe(0);
    expect(readdirSync(folder).some((name) => readFileSync(join(folder, name), 'latin1').includes(ADA))).toBe(
      true,
    );
    await log.clock.advance(MINUTE_MS);
    await erase();
    const { stderr, exitCode } = await exportAs(format);
    expect(exitCode).toBe(1);
    await beginAnew(format, stderr);
  });
});

describe('an export', () => {
  it('is not begun within a minute after an erasure', async () => {
    const id = await erase();
    await log.clock.advance(MINUTE_MS - 1);
    const { stderr, exitCode } = await exportAs('jsonl');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`is being erased, or was within the last minute (${id}).`);
    expect(stderr).toContain('Run the command again in a minute.');
    expect(readdirSync(folder)).toEqual([]);
    await log.clock.advance(1);
    expect((await exportAs('jsonl')).exitCode).toBe(0);
  });

  it('is not begun during an erasure that was begun before, but an hour after one that was ended on the way', async () => {
    const id = await createForger(log, `during-${tests}`).putChange(['a']);
    await log.clock.advance(59 * MINUTE_MS);
    const { stderr } = await exportAs('jsonl');
    expect(stderr).toContain(`is being erased, or was within the last minute (${id}).`);
    expect(stderr).toContain('when `neuron users erase` has ended');
    await log.clock.advance(3 * MINUTE_MS);
    expect((await exportAs('jsonl')).exitCode).toBe(0);
    const { stdout } = await log.run(['logs', 'verify', `${outOf('jsonl')}.manifest.json`]);
    expect(stdout).toContain(`the erasure ${id} names entries that are there, 1 of them`);
  });

  it('is not finished where an erasure that was begun before it ended during it', async () => {
    const id = await createForger(log, `during-${tests}`).putChange(['a']);
    await log.clock.advance(62 * MINUTE_MS);
    const [change] = await listChanges();
    if (change === undefined) throw new Error('no change');
    // Ended on the way, and gone on with while the export reads: the change is the same, and its time.
    const goOn = () => log.changes.end(change, 'made');
    const { stderr, exitCode } = await exportAs('jsonl', entriesWith(goOn));
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`cannot be finished: a person was erased since (${id}).`);
  });

  it('is finished beside other changes, and erasures of other organizations', async () => {
    const other = await createErasableLog(dynamoDb, 'other-of-during');
    await other.putOf(ADA, 'x');
    await other.seal();
    const deed = async () => {
      await other.run(['users', 'erase', other.slug, ADA, '--reason', 'request 18', '--yes']);
      await log.run(['users', 'export', log.slug, ADA]);
    };
    expect((await exportAs('jsonl', entriesWith(deed))).exitCode).toBe(0);
    const changes = await listChanges();
    expect(changes.flatMap(({ actions }) => actions).toSorted()).toEqual(['export_log', 'export_user']);
    expect(JSON.stringify(await log.items())).toContain('erase_user');
  });

  it('of before an erasure brings nobody back by logs restore', async () => {
    expect((await exportAs('jsonl')).exitCode).toBe(0);
    expect(readFileSync(outOf('jsonl'), 'utf8')).toContain(ADA);
    await log.clock.advance(MINUTE_MS);
    await erase();
    const { stdout } = await log.run(['logs', 'restore', outOf('jsonl'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ restored: 0, failed: 0 });
    expect(JSON.stringify(await log.items())).not.toContain(ADA);
  });
});
