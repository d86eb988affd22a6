// Erasures that somebody forged by hand: each is found by `verify` and named for what it is, in the table and in an export.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digestUsername } from '../../core/logs/erasure/erased-name.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, createErasableLog, LOG_KEY } from '../support/erasable-log.ts';
import { createForger, type Forger, MEDIA } from '../support/forged-changes.ts';
import type { RawItem } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
let forger: Forger;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

beforeEach(async () => {
  tests += 1;
  log = await createErasableLog(dynamoDb, `forged-${tests}`);
  forger = createForger(log, `forged-${tests}`);
  for (const id of ['a', 'b']) await log.putOf(ADA, id);
  for (const id of ['c', 'd']) await log.putOf('bob', id);
  await log.seal();
  await log.clock.advance(60_000);
});

const erase = (name = ADA) => log.run(['users', 'erase', log.slug, name, '--reason', 'request 17', '--yes']);

describe.each(MEDIA)('found in the %s:', (medium) => {
  it('a deletion without a change, with or without something in its place', async () => {
    expect(await forger.eraseEntry('a', ADA, 'chg-none')).toBe(true);
    await log.remove(await log.itemOf('b'));
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(/ a was erased, and no sealed change names it: chg-none does not\n/);
    expect(stdout).toMatch(/ b is missing: /);
    expect(stdout).toContain('is NOT intact: 2 whole, 1 missing, 1 problem of erasures;');
    expect(exitCode).toBe(1);
  });

  it('a change without the deletion that it names', async () => {
    const id = await forger.putChange(['a', 'b']);
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toContain(`the erasure ${id} names entries that are there, 2 of them`);
    expect(exitCode).toBe(1);
  });

  it('a change that names what was never in the log', async () => {
    const id = await forger.putChange([], { invented: 3 });
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toContain(`the erasure ${id} names entries that were never in the log: 3`);
    expect(exitCode).toBe(1);
  });

  it('other ids in the place of those that a change named', async () => {
    await erase();
    const id = /Recorded as (\S+)\./.exec((await erase('bob')).stdout)?.[1] ?? '';
    // The rest of another entry, under the id of a lawful erasure.
    const item = await log.itemOf('a');
    await log.put({ ...item, erasedBy: { S: id } });
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(new RegExp(` a was erased, and no sealed change names it: ${id} does not`));
    expect(exitCode).toBe(1);
  });

  it.each<[string, (item: RawItem) => RawItem]>([
    ['an amount', (item) => ({ ...item, tokensInput: { N: '9' } })],
    ['a text', (item) => ({ ...item, input: { S: 'what she said' } })],
    ['a name', (item) => ({ ...item, username: { S: ADA } })],
  ])('%s that was changed in what is left of an entry', async (_what, change) => {
    await erase();
    await log.put(change(await log.itemOf('b')));
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(/ b was erased, and no sealed change names it/);
    expect(exitCode).toBe(1);
  });

  it('what is left of an entry, deleted, and the entry itself, put back', async () => {
    const [a, b] = [await log.itemOf('a'), await log.itemOf('b')];
    await erase();
    await log.remove(a);
    await log.put(b);
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(/ a is missing/);
    expect(stdout).toContain('names entries that are there, 1 of them');
    expect(exitCode).toBe(1);
  });

  it.each<[string, (after: string) => string]>([
    ['name', (after) => after.replace(digestUsername(ADA, LOG_KEY), digestUsername('eve', LOG_KEY))],
    ['reason', (after) => after.replace('request 17', 'request 99')],
  ])('a change whose %s was changed', async (_what, change) => {
    await erase();
    const item = await forger.changeItem();
    const after = item?.['after']?.S ?? '';
    expect(change(after)).not.toBe(after);
    await log.put({ ...item, after: { S: change(after) } });
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(/ was changed: after\n/);
    expect(stdout).toContain('is in no seal, and would explain 2 erased');
    expect(exitCode).toBe(1);
  });

  it.each<[string, (item: RawItem) => RawItem, number]>([
    [
      'cut short',
      (item) => ({ ...item, erased: { B: item['erased']?.B?.slice(0, 24) ?? new Uint8Array() } }),
      1,
    ],
    [
      'cut within an entry',
      (item) => ({ ...item, erased: { B: item['erased']?.B?.slice(0, 30) ?? new Uint8Array() } }),
      2,
    ],
    ['of another organization', (item) => ({ ...item, organizationId: { S: 'another' } }), 2],
  ])('a change that is %s', async (_what, change, unexplained) => {
    await erase();
    const item = await forger.changeItem();
    await log.put(change(item));
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout.match(/was erased, and no sealed change names it/g)).toHaveLength(unexplained);
    expect(stdout).toMatch(/chg-\S+ was changed|is missing/);
    expect(exitCode).toBe(1);
  });

  it('a change that was replayed to explain what somebody deleted since', async () => {
    await erase();
    const first = await forger.changeItem();
    const id = await forger.copyItem(first);
    await forger.eraseEntry('c', 'bob', id);
    await log.seal();
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(new RegExp(` c was erased, and no sealed change names it: ${id} does not`));
    expect(exitCode).toBe(1);
  });

  it('a change that was deleted', async () => {
    await erase();
    await log.remove(await forger.changeItem());
    const { stdout, exitCode } = await forger.verify(medium);
    expect(stdout).toMatch(/ a was erased, and no sealed change names it/);
    expect(stdout).toMatch(/chg-\S+ is missing/);
    expect(exitCode).toBe(1);
  });
});

describe('found in the table alone, by the keys of the log:', () => {
  it('entries of others under the name of a person who is there', async () => {
    const id = await forger.putChange(['c', 'd']);
    for (const one of ['c', 'd']) expect(await forger.eraseEntry(one, 'bob', id)).toBe(true);
    const { stdout, exitCode } = await forger.verify('table');
    expect(stdout).toContain(` a is of the person whom ${id} erased, and is there\n`);
    expect(stdout).toContain(` b is of the person whom ${id} erased, and is there\n`);
    expect(exitCode).toBe(1);
    // Nobody who checks an export has the keys of the log.
    const exported = await forger.verify('export');
    expect(exported.stdout).toContain('2 of a person erased at ');
    expect(exported.exitCode).toBe(0);
  });

  it('is not looked for by the name without the keys of the log, and says so', async () => {
    const id = await forger.putChange(['c']);
    await forger.eraseEntry('c', 'bob', id);
    const secretReader = { read: () => Promise.reject(new Error('denied')) };
    const { stderr, exitCode } = await forger.verify('table', { secretReader });
    expect(stderr).toContain('The keys of the log cannot be read');
    expect(exitCode).toBe(0);
  });
});
