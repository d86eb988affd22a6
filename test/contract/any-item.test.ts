// Any item that DynamoDB takes, put by hand into the log table: it is sealed, listed, verified and exported.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createSealReader } from '../../adapters/dynamodb/seals/seal-reader.ts';
import { createStoredEntries } from '../../adapters/dynamodb/stored/stored-entries.ts';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import { createUsageLedger } from '../../adapters/dynamodb/usage-ledger.ts';
import { fromCells, toCells } from '../../cli/logs/export/columns.ts';
import { renderLine, toExportedEntry, toStoredRecord } from '../../cli/logs/export/exported-entry.ts';
import { toLine } from '../../cli/logs/export/write-csv.ts';
import { renderChange, toChangeJson } from '../../cli/logs/list/list-changes.ts';
import { LOG_COLUMNS, renderEntry, toLogJson } from '../../cli/logs/list/log-view.ts';
import { verifyLog } from '../../core/admin/verify-log/verify-log.ts';
import { createSealing } from '../../core/logs/seals/sealing.ts';
import { rollUp } from '../../lambdas/rollup/roll-up.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { NO_ALERTS, NO_FEEDBACK } from '../support/memory/alerts.ts';
import { createMemoryClock } from '../support/memory/clock.ts';
import { createMemoryLines } from '../support/memory/lines.ts';
import { createMemoryRandom } from '../support/memory/random.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const NOON_MS = Date.parse('2026-11-21T12:00:00.000Z');
const TIME = '2026-11-21T12:00:00.000Z';
const HOUR = TIME.slice(0, 13);

/** Binary as base64, as on the wire and in the stream. */
type WireItem = Record<string, AttributeValue>;

/** Without the SDK, which cannot send every name. The engine checks no signature. */
async function put(table: string, item: object): Promise<Response> {
  return fetch(dynamoDb.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.PutItem',
      'x-amz-date': '20261121T120000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=local/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x',
    },
    body: JSON.stringify({ TableName: table, Item: item }),
  });
}

const number = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom('1e125', '-1e125', '1e-130', '0.1', '9007199254740991', '9007199254740993', '1e12'),
  fc.constantFrom('12345678901234567890123456789012345678', '-0.12345678901234567890123456789012345678'),
);
const binary = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc
    .constantFrom('null', '[1]', '"text"', '{"status":1,"input":{"kind":"full","text":5},"__proto__":1}')
    .map((text) => gzipSync(text).toString('base64')),
);
const { value } = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((S) => ({ S })),
    fc.constantFrom('=1', 'x;=1', '\u2028', "'", TIME).map((S) => ({ S })),
    number.map((N) => ({ N })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true }),
    binary.map((B) => ({ B })),
    fc
      .uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((SS) => ({ SS })),
    fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 3 }).map((NS) => ({ NS })),
    fc.uniqueArray(binary, { minLength: 1, maxLength: 3 }).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 3 }).map((L) => ({ L })),
    fc.array(fc.tuple(nameOf(), tie('value')), { maxLength: 3 }).map((M) => ({ M: Object.fromEntries(M) })),
  ),
}));

/** Names of members, of other members of an export, and those that JavaScript or our notation treats apart. */
function nameOf() {
  const entry = ['status', 'username', 'modelCalls', 'trace', 'input', 'output', 'costMicrodollars', 'count'];
  const more = ['outcome', 'latencyMs', 'expiresAt', 'timeMs', 'packed', 'before', 'after', 'actions', 'by'];
  const apart = [
    '__proto__',
    '\uE000__proto__',
    'constructor',
    '$number',
    '$$binary',
    'type',
    'time',
    'record',
  ];
  return fc.oneof(
    fc.constantFrom(...entry, ...more, ...apart, 'other', 'id', 'toJSON', 'organization', 'neuron', 'cut'),
    fc.string({ minLength: 1, maxLength: 5 }),
  );
}

const members = fc.array(fc.tuple(nameOf(), value), { maxLength: 12 });
/** Model calls whose sums no table takes. */
const calls = fc.array(fc.tuple(number, number, number), { maxLength: 3 }).map((all) => ({
  L: all.map(([tokensInput, tokensOutput, costMicrodollars]) => ({
    M: {
      ...{ provider: { S: 'p' }, model: { S: 'm' }, tokensInput: { N: tokensInput } },
      ...{ tokensOutput: { N: tokensOutput }, costMicrodollars: { N: costMicrodollars } },
    },
  })),
}));

/** An item of the organization that lists find, as an entry or a change, with any other attributes. */
function keysOf(kind: 'call' | 'change' | 'outcome', id: string, organizationId: string): WireItem {
  if (kind === 'call')
    return {
      ...{ pk: { S: `neuron-${organizationId}#${HOUR}#0` }, sk: { S: `${TIME}#${id}` } },
      organizationHour: { S: `${organizationId}#${HOUR}#0` },
      executionId: { S: id },
    };
  const sk = `${TIME}#chg-${NOON_MS.toString(36)}-${id}${kind === 'outcome' ? '#result' : ''}`;
  return { pk: { S: `CHANGES#${organizationId}` }, sk: { S: sk }, organizationId: { S: organizationId } };
}

const COUNTED: WireItem = {
  ...{ neuron: { S: 'hello' }, outcome: { S: 'success' }, count: { N: '1' }, latencyMs: { N: '1' } },
  ...{ tokensInput: { N: '1' }, tokensOutput: { N: '1' }, savingsMicrodollars: { N: '0' } },
  ...{ costMicrodollars: { N: '1' }, timeMs: { N: String(NOON_MS) } },
  expiresAt: { N: String(NOON_MS / 1000 + 86_400) },
};

it('is sealed, listed, verified and exported, whatever stands in it', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('call', 'change', 'outcome'), members, calls, fc.boolean()), {
        minLength: 1,
        maxLength: 4,
      }),
      async (forged) => {
        const organizationId = `org${randomBytes(6).toString('hex')}`;
        const { tables, client } = dynamoDb;
        const records: DynamoDBRecord[] = [];
        for (const [index, [kind, some, modelCalls, isCounted]] of forged.entries()) {
          const id = `${index}`.padStart(16, '0');
          const ids = { organizationId: { S: organizationId }, neuronId: { S: `neuron-${organizationId}` } };
          const base = isCounted && kind === 'call' ? { ...COUNTED, ...ids, modelCalls } : {};
          const item = Object.fromEntries([
            ...Object.entries(base),
            ...some,
            ...Object.entries(keysOf(kind, id, organizationId)),
          ]);
          if ((await put(tables.logs, item)).status !== 200) continue;
          records.push({
            eventName: 'INSERT',
            dynamodb: {
              ...{ SequenceNumber: id, ApproximateCreationDateTime: NOON_MS / 1000 },
              NewImage: JSON.parse(JSON.stringify(item)) as object,
            },
          } as DynamoDBRecord);
        }
        const clock = createMemoryClock(NOON_MS + 5_000);
        const seals = createSealReader(client, tables.usage);
        const environment = {
          ledger: createUsageLedger(client, tables.usage),
          sealing: createSealing(seals, clock),
          alerts: NO_ALERTS,
          ...NO_FEEDBACK,
          ...{ clock, random: createMemoryRandom(), lines: createMemoryLines() },
        };
        // Sealed, whatever it is.
        expect(await rollUp({ Records: records }, environment)).toEqual({ batchItemFailures: [] });
        await verifyAndExport(organizationId, records.length);
        await listAll(organizationId);
      },
    ),
  );
});

/** No item is missing, and none differs from what was sealed. */
async function verifyAndExport(organizationId: string, sealed: number): Promise<void> {
  const { tables, client } = dynamoDb;
  const stored = createStoredEntries(client, tables.logs, { clock: createMemoryClock(NOON_MS), shards: 1 });
  const period = { fromMs: NOON_MS - 3_600_000, toMs: NOON_MS + 60_000, nowMs: NOON_MS };
  const run = verifyLog(
    { chain: organizationId, organization: organizationId, heads: [], ...period },
    {
      seals: createSealReader(client, tables.usage).seals(organizationId),
      entries: stored.list({ organizationId, organization: organizationId, foreign: true, ...period }),
      find: stored.find,
    },
  );
  for (;;) {
    const { done, value: found } = await run.next();
    if (done) {
      expect(found).toMatchObject({ sealed, whole: sealed, changed: 0, missing: 0, unsealed: 0 });
      break;
    }
    expect(['inconsistent', 'foreign']).toContain(found.kind);
  }
  for await (const entry of stored.list({ organizationId, organization: organizationId, ...period })) {
    const exported = toExportedEntry(entry);
    const line = JSON.parse(renderLine(exported)) as typeof exported;
    expect(toStoredRecord(line)).toEqual(entry.record);
    expect(toStoredRecord(fromCells(toCells(line)))).toEqual(entry.record);
    expect(toLine(toCells(line))).toMatch(/\r\n$/);
  }
}

/** Every list and page that shows the items, and the recount of usage. */
async function listAll(organizationId: string): Promise<void> {
  const { tables, client } = dynamoDb;
  const clock = createMemoryClock(NOON_MS);
  const reader = createLogReader(client, tables.logs, { clock, shards: 1 });
  const period = { fromMs: NOON_MS - 3_600_000, toMs: NOON_MS + 60_000 };
  const paint = (_format: unknown, text: string) => text;
  for await (const listed of reader.list({ organizationId, ...period })) {
    const named = { ...listed, keyName: undefined };
    expect(JSON.parse(JSON.stringify(toLogJson(named)))).toMatchObject({ time: TIME });
    for (const { cell } of LOG_COLUMNS) String(cell(named));
    const whole = await reader.find(listed.executionId);
    if (whole !== undefined) expect(renderEntry({ ...whole, keyName: undefined }, paint)).toContain(TIME);
  }
  for await (const change of createChangeLog(client, tables.logs, clock).list(
    organizationId,
    period.fromMs,
    period.toMs,
  )) {
    expect(toChangeJson(change)).toMatchObject({ time: TIME });
    expect(renderChange(change, paint)).toContain(TIME);
  }
  const entries = createEntryReader(client, tables.logs, { clock, shards: 1 });
  for await (const entry of entries.entries({ organizationId, fromDay: '2026-11-21', toDay: '2026-11-21' }))
    expect(Number.isFinite(entry.tokensInput)).toBe(true);
}

it('keeps a name that JavaScript treats apart, and tells it from the mark with which it is read', async () => {
  const { tables, client } = dynamoDb;
  const item = Object.fromEntries([
    ...Object.entries({ pk: { S: 'p' }, sk: { S: `${TIME}#x` } }),
    ['__proto__', { S: 'a' }],
    ['\uE000__proto__', { M: Object.fromEntries([['__proto__', { N: '1' }]]) }],
  ]);
  expect((await put(tables.logs, item)).status).toBe(200);
  const stored = createStoredEntries(client, tables.logs, { clock: createMemoryClock(NOON_MS), shards: 1 });
  const found = await stored.find({ pk: 'p', sk: `${TIME}#x` });
  expect(Object.entries(found ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))).toEqual([
    ['__proto__', 'a'],
    ['pk', 'p'],
    ['sk', `${TIME}#x`],
    ['\uE000__proto__', Object.fromEntries([['__proto__', 1]])],
  ]);
});
