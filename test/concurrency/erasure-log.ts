// A log of many entries over 90 days, some of one person, with answers and counters of hers, sealed as the rollup function seals.
import { gunzipSync } from 'node:zlib';
import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { chunksOf } from '../../adapters/dynamodb/client.ts';
import { createSalt, toLogItem } from '../../adapters/dynamodb/log-items.ts';
import { mapAtOnce } from '../../core/async/at-once.ts';
import type { LogEntry } from '../../core/contract/log-entry.ts';
import { TABLES } from '../../core/contract/tables.ts';
import { subjectDigest } from '../../core/idempotency/record-key.ts';
import { subjectHash } from '../../core/limits/counter-key.ts';
import { renderLine } from '../../core/logs/line.ts';
import { FACTS, NOON_MS } from '../core/logs/entries.ts';
import { type TestDynamoDb, toCreateTable } from '../support/dynamodb.ts';
import { ADA, ADDRESS, createErasableLog } from '../support/erasable-log.ts';
import type { RawItem } from '../support/sealed-log.ts';

const DAY_MS = 86_400_000;
export const DAYS = 90;
/** Cached answers, kept answers and counters of hers, each. */
const BESIDE = 50;
const BATCH = 25;
const BATCHES_AT_ONCE = 8;
/** Entries of one seal. */
const SEALED_AT_ONCE = 1_000;
/** The id of its neuron has 24 characters then, as ids have. */
const ORGANIZATION_ID = 'org-of-erasure';

/** Of others: as with `logging.bodies: none`, so that a long log takes less time to read. */
const { run: RUN } = FACTS;
const RUN_WITHOUT_TEXTS: typeof RUN = RUN === undefined ? RUN : { ...RUN, output: undefined, trace: [] };

export type LargeLog = Awaited<ReturnType<typeof createErasableLog>>;

/** Of the person, before she was erased. */
export interface FilledLog {
  readonly log: LargeLog;
  readonly items: readonly RawItem[];
  /** Lines of the functions, as CloudWatch has them. */
  readonly lines: readonly string[];
}

/** `share`: one of so many entries is of the person. */
export interface LogSize {
  readonly entries: number;
  readonly share: number;
}

/** The clock stands a minute after the last entry, at the time of the other tests. */
export async function fillLog(dynamoDb: TestDynamoDb, { entries, share }: LogSize): Promise<FilledLog> {
  const startMs = NOON_MS - DAYS * DAY_MS;
  const log = await createErasableLog(dynamoDb, ORGANIZATION_ID, { startMs, isLarge: true });
  const { client, tables } = dynamoDb;
  const items: RawItem[] = [];
  const lines: string[] = [];
  const make = async (from: number) => {
    const made = Array.from({ length: Math.min(SEALED_AT_ONCE, entries - from) }, (_, at) =>
      entryAt(
        log,
        from + at,
        (from + at) % share === 0 ? ADA : `user-${at % 7}`,
        startMs + Math.floor(((from + at) * DAYS * DAY_MS) / entries),
      ),
    );
    const stored = made.map((entry) =>
      marshall({ ...toLogItem(entry, 1), salt: createSalt() }, { removeUndefinedValues: true }),
    );
    await putAll(client, tables.logs, stored);
    return { made, stored };
  };
  // The next ones are put while these are sealed.
  let ahead = make(0);
  for (let next = SEALED_AT_ONCE; next < entries + SEALED_AT_ONCE; next += SEALED_AT_ONCE) {
    const { made, stored } = await ahead;
    if (next < entries) ahead = make(next);
    const lastMs = made.at(-1)?.timeMs ?? startMs;
    await log.clock.advance(lastMs - log.clock.now() + 1_000);
    await log.sealItems(stored);
    for (const [index, entry] of made.entries()) {
      if (entry.username !== ADA) continue;
      items.push(stored[index] ?? {});
      lines.push(renderLine(entry, { stage: 'test' }));
    }
  }
  await putBeside(dynamoDb, log, share);
  await log.clock.advance(NOON_MS + 60_000 - log.clock.now());
  return { log, items, lines };
}

/** `timeMs`: also of lost entries, of which only the line is there. */
export function entryAt(log: LargeLog, index: number, username: string, timeMs: number): LogEntry {
  return log.entry(`exec-${index}`, {
    timeMs,
    subject: { ...log.subject, retentionMs: 2 * DAYS * DAY_MS },
    caller: {
      sourceIp: username === ADA ? ADDRESS : '203.0.113.7',
      refererHost: undefined,
      username,
      authentication: 'jwt',
    },
    ...(username === ADA ? { input: `I am ${username}` } : { input: undefined, run: RUN_WITHOUT_TEXTS }),
  });
}

async function putBeside(
  { client, tables }: TestDynamoDb,
  { subject }: LargeLog,
  share: number,
): Promise<void> {
  const { neuronId } = subject;
  const ownCounter = subjectHash({ kind: 'username', name: ADA });
  for (let index = 0; index < BESIDE; index += 1) {
    const cached = { pk: `X#scope#${index}`, executionId: `exec-${index * share}`, output: `For ${ADA}` };
    const kept = { pk: `I#${neuronId}#${subjectDigest(['username', ADA])}#${index}`, parts: 0, of: ADA };
    const counter = { pk: `${neuronId}#user#1d#${ownCounter}#${index}`, of: ADA };
    await client.send(new PutCommand({ TableName: tables.cache, Item: cached }));
    await client.send(new PutCommand({ TableName: tables.cache, Item: kept }));
    await client.send(new PutCommand({ TableName: tables.counters, Item: counter }));
  }
}

/** Names of tables that hold one of the texts anywhere, as bytes or packed. Reads the answers of the store as they come, page by page. */
export async function findTexts(
  { endpoint, tables }: TestDynamoDb,
  texts: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const TableName of Object.values(tables))
    for await (const page of scanText(endpoint, TableName)) {
      const bytes = [...page.matchAll(/"B":"([^"]{8,})"/g)].map(([, base64 = '']) => readBytes(base64));
      if (!texts.some((text) => page.includes(text) || bytes.some((one) => one.includes(text)))) continue;
      found.push(TableName);
      break;
    }
  return found;
}

/** The text of each page of a table, as the wire has it. */
async function* scanText(endpoint: string, TableName: string): AsyncGenerator<string> {
  let start = '';
  do {
    const response = await postScan(endpoint, JSON.stringify({ TableName }).replace('}', `${start}}`));
    const text = await response.text();
    if (!response.ok) throw new Error(`the scan was answered ${response.status}: ${text.slice(0, 200)}`);
    yield text;
    const [, key] = /"LastEvaluatedKey":(\{(?:[^{}]|\{[^{}]*\})*\})/.exec(text) ?? [];
    start = key === undefined ? '' : `,"ExclusiveStartKey":${key}`;
  } while (start !== '');
}

/** Again where a kept connection was closed meanwhile, as happens on a busy machine. */
async function postScan(endpoint: string, body: string): Promise<Response> {
  const request = {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.Scan',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      'X-Amz-Date': '20261121T120000Z',
    },
    body,
  };
  return fetch(endpoint, request).catch(() => fetch(endpoint, request));
}

/** As they are, and unpacked. One salt or digest of 65,536 begins as gzip does and is none. */
function readBytes(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('latin1');
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return text;
  try {
    return text + gunzipSync(bytes).toString('latin1');
  } catch {
    return text;
  }
}

/** A table as a backup of before the erasure would be restored: with these items. The name. */
export async function createBackup({ client }: TestDynamoDb, items: readonly RawItem[]): Promise<string> {
  const TableName = 'restored-logs';
  await client.send(toCreateTable(TableName, TABLES.logs));
  await putAll(client, TableName, items);
  return TableName;
}

async function putAll(
  client: TestDynamoDb['client'],
  table: string,
  items: readonly RawItem[],
): Promise<void> {
  await mapAtOnce(chunksOf(items, BATCH), BATCHES_AT_ONCE, async (some) => {
    const requests = some.map((Item) => ({ PutRequest: { Item } }));
    const answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    if (Object.keys(answer.UnprocessedItems ?? {}).length > 0) throw new Error('items were not put');
  });
}
