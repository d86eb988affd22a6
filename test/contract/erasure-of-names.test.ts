// Names that are hard to tell apart, or would break a key: each is erased alone, and all of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { createErasableLog } from '../support/erasable-log.ts';
import { someOf } from '../support/every-case.ts';

let dynamoDb: TestDynamoDb;
let tests = 0;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

async function createLog() {
  tests += 1;
  const log = await createErasableLog(dynamoDb, `names-${tests}`);
  const namesOf = async (table: string) =>
    (await log.items(table)).flatMap(({ pk, username, organizationId }) => {
      const isOwn = organizationId?.S === `names-${tests}` || pk?.S?.startsWith(`ORG#names-${tests}#`);
      return isOwn && username?.S !== undefined ? [username.S] : [];
    });
  return {
    ...log,
    erase: (name: string) =>
      log.run(['users', 'erase', log.slug, '--reason', 'request 17', '--yes', '--', name]),
    /** Usernames in the log and in the usage, each once. */
    async names() {
      const { logs, usage } = dynamoDb.tables;
      return [...new Set([...(await namesOf(logs)), ...(await namesOf(usage))])].toSorted();
    },
  };
}

/** A name, and others that are not the same person. */
const NAMES: readonly (readonly [what: string, name: string, others: readonly string[]])[] = [
  ['a prefix', 'ada', ['ada@example.com', 'ada ', ' ada', 'adb']],
  ['a longer name', 'ada@example.com', ['ada', 'ada@example.co', 'x-ada@example.com']],
  ['another case', 'Ada', ['ada', 'ADA']],
  ['composed letters', 'Jos\u00e9', ['Jose\u0301', 'Jose']],
  ['decomposed letters', 'Jose\u0301', ['Jos\u00e9', 'Jose']],
  ['a separator of keys', 'ada#0', ['ada', '0', 'ada#0#0']],
  ['a key of an hour', '2026-11-21T12#0#ada', ['ada', '0#ada']],
  ['a path', '../ada/..', ['ada', '..']],
  ['a percent sign', 'ada%23', ['ada#', 'ada%2523']],
  ['a line end', 'ada\nbob', ['ada', 'bob', 'ada\r\nbob']],
  ['a member of every object', '__proto__', ['constructor', 'toString']],
  ['a number', '0', ['00', '-0']],
  ['an option', '--all', ['all', '--al']],
  ['1,024 characters', 'x'.repeat(1_024), ['x'.repeat(1_023), 'x']],
  ['512 characters of two bytes', '\u00e9'.repeat(512), ['\u00e9'.repeat(511)]],
];

describe('a name that is', () => {
  it.each(someOf(NAMES, 3))('%s is erased alone', async (_what, name, others) => {
    const log = await createLog();
    for (const [index, one] of [name, ...others].entries()) await log.putOf(one, `call-${index}`);
    await log.seal();
    expect(await log.names()).toEqual([name, ...others].toSorted());
    const counted = await log.run(['users', 'erase', log.slug, '--dry-run', '--json', '--', name]);
    expect(JSON.parse(counted.stdout)).toMatchObject({ entries: 1, usage: 1 });
    const { stdout, stderr, exitCode } = await log.erase(name);
    expect([stderr, exitCode]).toEqual(['', 0]);
    expect(stdout).toContain('1 log entries, 1 rows of usage,');
    expect(await log.names()).toEqual([...others].toSorted());
    const verified = await log.run(['logs', 'verify', log.slug, '--since', '2d']);
    expect(verified.stdout).toContain('1 of a person erased at ');
    expect(verified.exitCode).toBe(0);
    expect((await log.run(['usage', log.slug, '--verify'])).exitCode).toBe(0);
  });
});

describe('a tag that has the name', () => {
  it('and is used by others as well leaves usage that adds up', async () => {
    const log = await createLog();
    await log.putOf('ada', 'a', { tags: { team: 'ada' } });
    await log.putOf('bob', 'b', { tags: { team: 'ada' } });
    await log.seal();
    const counted = await log.run(['users', 'erase', log.slug, 'ada', '--dry-run', '--json']);
    // The row of the tag stays, since it counts others as well.
    expect(JSON.parse(counted.stdout)).toMatchObject({ entries: 1, usage: 1 });
    expect((await log.erase('ada')).stdout).toContain('1 log entries, 1 rows of usage,');
    const clock = { ...log.clock, sleep: (ms: number) => log.clock.advance(ms) };
    const { stdout, exitCode } = await log.run(['usage', log.slug, '--verify'], { clock });
    expect([stdout, exitCode]).toEqual([expect.stringContaining('matches its log entries'), 0]);
    // Nothing is left to do.
    expect((await log.erase('ada')).stdout).toContain('Nothing is kept of this person');
  });
});
