// The table of docs/logs.md#people: each row is looked up where it says, before and after an erasure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSealsOfPeriod } from '../../adapters/dynamodb/seals/seals-of-period.ts';
import { toStoredRecord } from '../../adapters/dynamodb/seals/stored-record.ts';
import { findRecords } from '../../adapters/dynamodb/stored/get-records.ts';
import { type PersonTest, readErasedPersons } from '../../cli/users/erased-persons.ts';
import { listOtherPlaces } from '../../cli/users/other-places.ts';
import { selectUnerased } from '../../core/admin/restore/select-items.ts';
import type { TableName } from '../../core/contract/tables.ts';
import { mintToken } from '../../core/feedback/token.ts';
import { subjectDigest } from '../../core/idempotency/record-key.ts';
import { subjectHash } from '../../core/limits/counter-key.ts';
import { archiveDay } from '../../core/logs/archive/write-day.ts';
import { renderLine } from '../../core/logs/line.ts';
import type { Block } from '../../core/settings/stored-settings.ts';
import { digestOfParts } from '../../core/text/digest.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';
import {
  askProvider,
  createLogGroups,
  handDropped,
  postSpans,
  sendEvents,
} from '../support/kept-elsewhere.ts';
import type { RawItem } from '../support/sealed-log.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/logs.md'), 'utf8');
const readSource = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const TABLE = PAGE.slice(PAGE.indexOf('What is kept of a person, each row'));
const ROWS = [...TABLE.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$/gm)]
  .map(([, what = '', how = '']) => ({ what, how }))
  .slice(1);

type TableTexts = Record<TableName, string>;

let dynamoDb: TestDynamoDb;
let before: TableTexts;
let after: TableTexts;
let blocksBefore: readonly Block[] = [];
let blocksAfter: readonly Block[] = [];
const RUNNING = '2026-12-21T00:00:00.000Z';
let line = '';
let groups: ReturnType<typeof createLogGroups>;
let restored = { exitCode: -1, stdout: '' };
let dropped: Awaited<ReturnType<typeof handDropped>>;
let events = '';
const spans = { plain: '', withContent: '', ofRest: '' };
let exported = '';
const NEURON = 'neuron-of-kept';
const KEPT = `I#${NEURON}#${subjectDigest(['username', ADA])}#key`;
const counterOf = (kind: 'username' | 'address', name: string) =>
  `${NEURON}#${kind === 'address' ? 'ip' : 'user'}#1d#${subjectHash({ kind, name })}#2026-11-21T00:00:00Z`;
const places = listOtherPlaces(0, false)
  .map(({ place }) => place)
  .join('\n');

/** What is made of the log, and kept elsewhere: an export, the archive of the day, and the items of a backup. */
interface Copies {
  readonly export: string;
  readonly archive: string;
  readonly backup: readonly RawItem[];
}
const copies: { before?: Copies; after?: Copies } = {};
let isErased: PersonTest;

async function copy(log: Awaited<ReturnType<typeof createErasableLog>>): Promise<Copies> {
  const { client, tables } = dynamoDb;
  const out = join(temporaryFolder(), 'export.jsonl');
  const { exitCode } = await log.run(['logs', 'export', log.slug, '--since', '2d', '--out', out]);
  expect(exitCode).toBe(0);
  const objects: string[] = [];
  await archiveDay('2026-11-21', {
    async *chains() {
      yield 'kept';
    },
    seals: (chain, fromMs, toMs) => listSealsOfPeriod(client, tables.usage, { chain, fromMs, toMs }),
    find: (positions) => findRecords(client, tables.logs, positions, log.clock),
    put: async (_name, body) => void objects.push(body),
    nowMs: log.clock.now,
  });
  return { export: readFileSync(out, 'utf8'), archive: objects.join(''), backup: await log.items() };
}

beforeAll(async () => {
  dynamoDb = await startDynamoDb();
  const { client, tables } = dynamoDb;
  const log = await createErasableLog(dynamoDb, 'kept');
  const read = async (): Promise<TableTexts> => {
    const textOf = (items: readonly RawItem[]) => JSON.stringify(items);
    const texts = Object.entries(tables).map(async ([name, one]) => [name, textOf(await log.items(one))]);
    return Object.fromEntries(await Promise.all(texts)) as TableTexts;
  };
  await log.putOf(ADA, 'a', { tags: { user: ADA } });
  await log.putOf(ADA, 'b', {
    input: JSON.stringify({ input: 'mail [EMAIL_7K3FQ2AB]', variables: { tone: 'tone of ada' } }),
  });
  const rated = log.entry('a#stars', {
    timeMs: log.clock.now(),
    caller: { sourceIp: ADDRESS, refererHost: undefined, username: ADA, authentication: 'jwt' },
  });
  await log.store.put({ ...rated, feedback: { of: 'a', metric: 'stars', value: 4, comment: 'too slow' } });
  line = renderLine(rated, { stage: 'test' });
  groups = createLogGroups([line, renderLine({ ...rated, executionId: 'lost' }, { stage: 'test' })]);
  const put = (TableName: string, Item: object) => client.send(new PutCommand({ TableName, Item }));
  await put(tables.cache, { pk: 'X#scope#one', executionId: 'a', output: 'cached' });
  await put(tables.cache, { pk: KEPT, parts: 0 });
  await put(tables.counters, { pk: counterOf('username', ADA) });
  await put(tables.counters, { pk: counterOf('address', ADDRESS) });
  await put(tables.keys, { pk: 'KEY#one', name: `key of ${ADA}` });
  await put(tables.config, { pk: 'ORG#kept', sk: 'NEURON#one', tags: { owner: ADA } });
  const block = (value: string, until: string): Block => ({
    ...{ kind: 'user', value, until },
    ...{ since: '2026-11-20T00:00:00.000Z', by: 'local' },
  });
  const ended = '2026-11-21T00:00:00.000Z';
  blocksBefore = [block(ADA, ended), block('bob', ended), block(ADA, RUNNING)];
  await log.run(['block', log.slug, '--user', ADA, '--for', '1h', '--yes']);
  const { admin } = log.ports.config;
  const stored = await admin.readOrganization(log.slug);
  if (stored === undefined) throw new Error('no organization');
  await admin.writeOrganization({ ...stored, blocks: blocksBefore }, stored.write);
  await log.seal();
  exported = (await log.run(['users', 'export', log.slug, ADA])).stdout;
  await log.clock.advance(60_000);
  copies.before = await copy(log);
  before = await read();
  const calls = copies.before.backup.filter(({ username }) => username?.S === ADA);
  events = await sendEvents(calls);
  spans.plain = await postSpans(calls, false);
  spans.withContent = await postSpans(calls, true);
  const erased = await log.run(['users', 'erase', log.slug, ADA, '--reason', 'request 17', '--yes']);
  expect(erased.exitCode).toBe(0);
  after = await read();
  await log.clock.advance(60_000);
  copies.after = await copy(log);
  isErased = await readErasedPersons({ id: 'kept', slug: log.slug }, log.ports);
  blocksAfter = (await admin.readOrganization(log.slug))?.blocks ?? [];
  spans.ofRest = await postSpans(copies.after.backup, true, 'MODIFY');
  restored = await log.run(['logs', 'restore', '--since', '2d', '--json'], { lines: groups.lines });
  dropped = await handDropped(dynamoDb);
}, 60_000);
afterAll(() => dynamoDb.stop());

/** Held by a table before, and by none after. */
const goes = (table: keyof TableTexts, text: string) => {
  expect(before[table]).toContain(text);
  expect(after[table]).not.toContain(text);
};

const PROBES: Readonly<Record<string, () => void | Promise<void>>> = {
  'entry: username, address, texts, trace': () => {
    for (const text of [ADA, ADDRESS, 'secret input', 'secret prompt']) goes('logs', text);
  },
  'feedback, with its comment': () => {
    goes('logs', 'too slow');
    expect(exported).toContain('too slow');
    expect(after.logs).toContain('stars');
  },
  'tokens of feedback that are out: signed, with the username': () => {
    const rated = { executionId: 'a', timeMs: 0, neuronId: 'n', version: 'v1', username: ADA };
    expect(Buffer.from(mintToken(rated, 'a'.repeat(44)), 'base64url').toString()).toContain(ADA);
    expect(places).toContain('tokens of feedback that are out');
  },
  'variables of a request': () => goes('logs', 'tone of ada'),
  'placeholders of guards': () => goes('logs', '[EMAIL_7K3FQ2AB]'),
  'line: the entry without texts': () => {
    for (const message of groups.messages) {
      expect(message).toContain(ADA);
      expect(message).not.toContain('secret input');
    }
    expect(groups.requests).toHaveLength(2);
    expect(restored.exitCode).toBe(0);
    expect(JSON.parse(restored.stdout)).toMatchObject({ entries: 2, restored: 0, there: 1, erased: 1 });
    expect(places).toContain('lines of the functions');
  },
  'access log: address, path, time': () => {
    const format = readSource('lib/constructs/edge/access-log.ts');
    expect(format).toContain('$context.identity.sourceIp');
    expect(format).not.toMatch(/authorizer\.(?:principalId|claims|username)|requestOverride|\.header/);
    expect(places).toContain('access log');
  },
  'usage by username': () => goes('usage', `"username":{"S":"${ADA}"}`),
  'usage by a tag that has the name': () => goes('usage', `user=${ADA}`),
  "cached answers of the person's runs": () => goes('cache', 'X#scope#one'),
  'kept answers of idempotency keys': () => goes('cache', KEPT),
  'counters of limits': () => goes('counters', counterOf('username', ADA)),
  'counters by address': () => expect(after.counters).toContain(counterOf('address', ADDRESS)),
  'blocks (`neuron block --user`)': () => {
    const values = (blocks: readonly Block[]) => blocks.map(({ value }) => value);
    expect(values(blocksBefore)).toEqual([ADA, 'bob', ADA]);
    expect(blocksAfter.map(({ value, until }) => [value, until])).toEqual([[ADA, RUNNING]]);
  },
  'seals: time and id of each entry, salted digests': () => {
    expect(after.usage).toContain('SEAL#kept');
    expect(after.usage).toContain('#a');
    expect(after.usage).not.toContain(ADA);
  },
  'changes: `erase_user`, `export_user`': () => {
    expect(after.logs).toContain('erase_user');
    expect(after.logs).not.toContain(ADA);
  },
  'changes of blocks (`block --user`, `unblock`)': () => {
    const digest = `digest ${digestOfParts([ADA]).slice(0, 16)}`;
    for (const { logs } of [before, after]) expect(logs).toContain(digest);
  },
  'exports of the log, and cases that were made of it': () => {
    expect(copies.before?.export).toContain(ADA);
    expect(copies.after?.export).toContain('erase_user');
    expect(copies.after?.export).not.toContain(ADA);
    expect(places).toContain('exports of the log');
  },
  'archive (stage setting `archive`)': () => {
    expect(copies.before?.archive).toContain(ADA);
    expect(copies.after?.archive).toContain('erase_user');
    expect(copies.after?.archive).not.toContain(ADA);
    // No port of the erasure reaches the bucket.
    expect(readSource('core/ports/personal-data.ts')).not.toMatch(/archive|bucket/i);
    expect(places).toContain('archive');
  },
  'backups (`pointInTimeRecovery`)': () => {
    const hers = copies.before?.backup.filter(({ username }) => username?.S === ADA) ?? [];
    expect(hers).toHaveLength(3);
    const select = selectUnerased(
      () => undefined,
      (_id, ...asked) => isErased(...asked),
    );
    expect(hers.map((item) => select(toStoredRecord(item)))).toEqual(hers.map(() => 'erased'));
    expect(places).toContain('point-in-time recovery');
  },
  'batches that the rollup gave up': () => {
    expect(dropped.object).toContain(ADA);
    const { before: left, handed, after: leftAgain } = dropped.tables;
    expect(left).not.toContain(ADA);
    // Usage counts what it is given.
    expect(handed).toContain(ADA);
    expect(leftAgain).not.toContain(ADA);
    expect(dropped.erased.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(dropped.verified.stdout).toContain('1 of a person erased at ');
    expect(dropped.verified.exitCode).toBe(0);
    expect(places).toContain('batches that the rollup');
  },
  'events: alerts, values of feedback': () => {
    expect(events).toContain('"metric":"stars"');
    for (const text of [ADA, ADDRESS, 'too slow']) expect(events).not.toContain(text);
    // An alert is of an organization or a key.
    expect(readSource('core/contract/alert-event.ts')).not.toMatch(/readonly (?:username|comment|sourceIp)/);
    expect(places).toContain('events on the bus');
  },
  'traces: times, models, and texts with `content`': () => {
    expect(spans.plain).toContain('"a"');
    expect(spans.withContent).toContain('secret prompt');
    for (const text of [ADA, ADDRESS, 'too slow']) expect(spans.withContent).not.toContain(text);
    expect(spans.plain).not.toContain('secret');
    expect(spans.ofRest).toBe('');
    expect(places).toContain('spans');
  },
  prompts: async () => {
    const asked = await askProvider('I am ada');
    expect(asked).toContain('I am ada');
    for (const text of [ADA, ADDRESS]) expect(asked).not.toContain(text);
    expect(places).toContain('prompts at the providers');
  },
  'names of API keys, tags of keys and neurons': () => {
    for (const { keys, config } of [before, after]) {
      expect(keys).toContain(`key of ${ADA}`);
      expect(config).toContain(`"owner":{"S":"${ADA}"}`);
    }
    expect(TABLE).toContain('by hand: `keys update`, `apply`');
  },
};

describe('a row of what is kept of a person', () => {
  it('is held by a test each', () => {
    expect(ROWS.map(({ what }) => what)).toEqual(Object.keys(PROBES));
  });

  it.each(ROWS)('$what', ({ what }) => PROBES[what]?.());
});
