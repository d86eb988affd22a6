// Changes of erasures that were copied: what one change erased, no other may claim to have erased. In the table, and in exports.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, createErasableLog } from '../support/erasable-log.ts';
import { createForger, type Forger, MEDIA } from '../support/forged-changes.ts';

const HOUR_MS = 3_600_000;
const ADDED = { B: new Uint8Array() };

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
let forger: Forger;
/** Before the erasure, and after every entry. */
let beforeErasure = '';
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

beforeEach(async () => {
  tests += 1;
  log = await createErasableLog(dynamoDb, `copied-${tests}`);
  forger = createForger(log, `copied-${tests}`);
  for (const id of ['a', 'b']) await log.putOf(ADA, id);
  await log.putOf('bob', 'c');
  await log.seal();
  beforeErasure = new Date(log.clock.now()).toISOString();
  await log.clock.advance(60_000);
  const words = ['users', 'erase', log.slug, ADA, '--reason', 'request 17', '--yes'];
  expect((await log.run(words)).exitCode).toBe(0);
});

const bytesOf = async () => (await forger.changeItem())['erased']?.B ?? ADDED.B;

describe.each([...MEDIA, 'export of a time before'] as const)('in the %s', (where) => {
  const verify = () =>
    where === 'export of a time before'
      ? forger.verify('export', { to: beforeErasure })
      : forger.verify(where);

  it('the erasure alone is intact', async () => {
    const { stdout, exitCode } = await verify();
    expect(stdout).toContain('2 of a person erased at ');
    expect(exitCode).toBe(0);
  });

  it.each<[string, number, string | undefined]>([
    ['another name, at once', 1_000, 'eve'],
    ['another name, later', 3 * HOUR_MS, 'eve'],
    ['the same name, more than an hour later', HOUR_MS + 1, ADA],
  ])('finds a copy under %s', async (_what, laterMs, person) => {
    await log.clock.advance(laterMs);
    const id = await forger.putChange([], { person, erased: await bytesOf() });
    const { stdout, exitCode } = await verify();
    expect(stdout).toContain(`the erasure ${id} names entries that an earlier change had erased: 2\n`);
    // The lawful one is told as before.
    expect(stdout).toMatch(/2 of a person erased at \S+ by \S+ \(chg-\S+\): request 17/);
    expect(stdout).toContain(' is NOT intact: ');
    expect(exitCode).toBe(1);
  });

  it('finds a copy of one entry among others that are there', async () => {
    const erased = (await bytesOf()).slice(0, 24);
    const id = await forger.putChange([], { person: 'eve', erased });
    const { stdout, exitCode } = await verify();
    expect(stdout).toContain(`the erasure ${id} names entries that an earlier change had erased: 1\n`);
    expect(exitCode).toBe(1);
  });

  it('lets two runs for one name, which began at once, name the same', async () => {
    await forger.putChange([], { erased: await bytesOf() });
    const { stdout, exitCode } = await verify();
    expect(stdout).toMatch(/2 of a person erased at \S+ by \S+ \(chg-\S+\): request 17/);
    expect(stdout).toMatch(/0 of a person erased at \S+ by local \(chg-\S+\): request 18/);
    expect(exitCode).toBe(0);
  });

  it('finds a copy that was put beside the stream, in no seal', async () => {
    await log.clock.advance(1_000);
    await forger.copyItem(await forger.changeItem());
    await log.seal({ skip: true });
    const { stdout, exitCode } = await verify();
    expect(stdout).toMatch(/the erasure chg-\S+ is in no seal/);
    expect(exitCode).toBe(1);
  });
});
