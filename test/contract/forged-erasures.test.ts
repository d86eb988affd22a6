// Erasures that somebody forged by hand: each is found by `verify` and named for what it is.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toChangeId } from '../../core/contract/change-entry.ts';
import { digestUsername } from '../../core/logs/erasure/erased-name.ts';
import { toErasedRecord } from '../../core/logs/erasure/erased-record.ts';
import { packTags, tagEntry, tagRest } from '../../core/logs/erasure/erased-tags.ts';
import { digestRecord } from '../../core/logs/seals/entry-digest.ts';
import { logKeyId } from '../../core/ports/log-key.ts';
import type { StoredRecord } from '../../core/ports/seals.ts';
import type { StoredPosition } from '../../core/ports/stored-entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, createErasableLog, LOG_KEY } from '../support/erasable-log.ts';
import type { RawItem } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
let tests = 0;
let log: Awaited<ReturnType<typeof createErasableLog>>;
beforeEach(async () => {
  dynamoDb = await startDynamoDb();
  tests += 1;
  log = await createErasableLog(dynamoDb, `forged-${tests}`);
  for (const id of ['a', 'b']) await log.putOf(ADA, id);
  for (const id of ['c', 'd']) await log.putOf('bob', id);
  await log.seal();
  await log.clock.advance(60_000);
});
afterEach(() => dynamoDb.stop());

const erase = (name = ADA) => log.run(['users', 'erase', log.slug, name, '--reason', 'request 17', '--yes']);

async function verify(over = {}) {
  const { stdout, exitCode } = await log.run(['logs', 'verify', log.slug, '--since', '2d'], over);
  return { stdout, exitCode };
}

const restOf = (username: string, changeId: string) => ({
  changeId,
  of: (record: StoredRecord) => toErasedRecord(record, username),
  lostUsage: () => [],
});

async function positionOf(id: string): Promise<StoredPosition> {
  const { pk, sk } = await log.itemOf(id);
  return { pk: pk?.S ?? '', sk: sk?.S ?? '' };
}

/** The change of an erasure of these entries, sealed, as a program of its own could put it. */
async function putChange(ids: readonly string[], person = ADA, invented = 0): Promise<string> {
  const timeMs = log.clock.now();
  const id = toChangeId(timeMs, new Uint8Array(8).fill(tests));
  const tags = [];
  for (const one of ids) {
    const position = await positionOf(one);
    const record = (await log.storedEntries.find(position)) ?? {};
    const entry = tagEntry({ ...position, digest: digestRecord(record).digest });
    tags.push({ entry, rest: tagRest(toErasedRecord(record, ADA)) });
  }
  for (let at = 0; at < invented; at += 1)
    tags.push({ entry: tagEntry({ pk: 'x', sk: 'y', digest: String(at) }), rest: tagRest({}) });
  const user = { digest: digestUsername(person, LOG_KEY), key: logKeyId(LOG_KEY) };
  await log.changes.begin({
    ...{ id, timeMs, by: 'local', actions: ['erase_user'], organization: log.slug },
    ...{ organizationId: `forged-${tests}`, before: undefined },
    after: { user, entries: tags.length, reason: 'request 18' },
    erased: packTags(tags),
    expiresAt: Math.floor(timeMs / 1000) + 86_400,
  });
  await log.seal();
  await log.clock.advance(1_000);
  return id;
}

it('a deletion without a change, with or without something in its place', async () => {
  const { pk, sk } = await positionOf('a');
  const person = { organizationId: `forged-${tests}`, username: ADA, fromMs: 0, toMs: 0 };
  expect(await log.ports.personalData.erase(person, { pk, sk }, restOf(ADA, 'chg-none'))).toBe(true);
  await log.remove(await log.itemOf('b'));
  const { stdout, exitCode } = await verify();
  expect(stdout).toMatch(/ a was erased, and no sealed change names it: chg-none does not\n/);
  expect(stdout).toMatch(/ b is missing: /);
  expect(stdout).toContain('is NOT intact: 2 whole, 1 missing, 1 problem of erasures;');
  expect(exitCode).toBe(1);
});

it('a change without the deletion that it names', async () => {
  const id = await putChange(['a', 'b']);
  const { stdout, exitCode } = await verify();
  expect(stdout).toContain(`the erasure ${id} names entries that are there, 2 of them`);
  expect(exitCode).toBe(1);
});

it('a change that names what was never in the log', async () => {
  const id = await putChange([], ADA, 3);
  const { stdout, exitCode } = await verify();
  expect(stdout).toContain(`the erasure ${id} names entries that were never in the log: 3`);
  expect(exitCode).toBe(1);
});

it('entries of others under the name of a person who is there', async () => {
  const id = await putChange(['c', 'd'], ADA);
  const person = { organizationId: `forged-${tests}`, username: 'bob', fromMs: 0, toMs: 0 };
  for (const one of ['c', 'd'])
    expect(await log.ports.personalData.erase(person, await positionOf(one), restOf('bob', id))).toBe(true);
  const { stdout, exitCode } = await verify();
  expect(stdout).toContain(` a is of the person whom ${id} erased, and is there\n`);
  expect(stdout).toContain(` b is of the person whom ${id} erased, and is there\n`);
  expect(exitCode).toBe(1);
});

it('is not looked for by the name without the keys of the log, and says so', async () => {
  const id = await putChange(['c'], ADA);
  const person = { organizationId: `forged-${tests}`, username: 'bob', fromMs: 0, toMs: 0 };
  await log.ports.personalData.erase(person, await positionOf('c'), restOf('bob', id));
  const secretReader = { read: () => Promise.reject(new Error('denied')) };
  const { stderr, exitCode } = await log.run(['logs', 'verify', log.slug, '--since', '2d'], { secretReader });
  expect(stderr).toContain('The keys of the log cannot be read');
  expect(exitCode).toBe(0);
});

it('other ids in the place of those that a change named', async () => {
  await erase();
  const id = /Recorded as (\S+)\./.exec((await erase('bob')).stdout)?.[1] ?? '';
  // The rest of another entry, under the id of a lawful erasure.
  const item = await log.itemOf('a');
  await log.put({ ...item, erasedBy: { S: id } });
  const { stdout, exitCode } = await verify();
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
  const { stdout, exitCode } = await verify();
  expect(stdout).toMatch(/ b was erased, and no sealed change names it/);
  expect(exitCode).toBe(1);
});

it('what is left of an entry, deleted, and the entry itself, put back', async () => {
  const [a, b] = [await log.itemOf('a'), await log.itemOf('b')];
  await erase();
  await log.remove(a);
  await log.put(b);
  const { stdout, exitCode } = await verify();
  expect(stdout).toMatch(/ a is missing/);
  expect(stdout).toContain('names entries that are there, 1 of them');
  expect(exitCode).toBe(1);
});

it.each<[string, (after: string) => string]>([
  ['name', (after) => after.replace(digestUsername(ADA, LOG_KEY), digestUsername('eve', LOG_KEY))],
  ['reason', (after) => after.replace('request 17', 'request 99')],
])('a change whose %s was changed', async (_what, change) => {
  await erase();
  const item = (await log.items()).find(
    ({ erased, organizationId }) => erased && organizationId?.S === `forged-${tests}`,
  );
  const after = item?.['after']?.S ?? '';
  expect(change(after)).not.toBe(after);
  await log.put({ ...item, after: { S: change(after) } });
  const { stdout, exitCode } = await verify();
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
  const item = (await log.items()).find(
    ({ erased, organizationId }) => erased && organizationId?.S === `forged-${tests}`,
  );
  await log.put(change(item ?? {}));
  const { stdout, exitCode } = await verify();
  expect(stdout.match(/was erased, and no sealed change names it/g)).toHaveLength(unexplained);
  expect(stdout).toMatch(/chg-\S+ was changed|is missing/);
  expect(exitCode).toBe(1);
});

it('a change that was replayed to explain what somebody deleted since', async () => {
  await erase();
  const [first] = (await log.items()).filter(
    ({ erased, organizationId }) => erased && organizationId?.S === `forged-${tests}`,
  );
  const id = toChangeId(log.clock.now(), new Uint8Array(8).fill(99));
  const sk = `${new Date(log.clock.now()).toISOString()}#${id}`;
  await log.put({ ...first, sk: { S: sk }, id: { S: id } });
  const person = { organizationId: `forged-${tests}`, username: 'bob', fromMs: 0, toMs: 0 };
  await log.ports.personalData.erase(person, await positionOf('c'), restOf('bob', id));
  await log.seal();
  const { stdout, exitCode } = await verify();
  expect(stdout).toMatch(new RegExp(` c was erased, and no sealed change names it: ${id} does not`));
  expect(exitCode).toBe(1);
});

it('a change that was deleted', async () => {
  await erase();
  for (const item of await log.items())
    if (item['erased'] && item['organizationId']?.S === `forged-${tests}`) await log.remove(item);
  const { stdout, exitCode } = await verify();
  expect(stdout).toMatch(/ a was erased, and no sealed change names it/);
  expect(stdout).toMatch(/chg-\S+ is missing/);
  expect(exitCode).toBe(1);
});
