// A corpus of forged items, put by hand and sealed in their time: `verify` names each by its kind, in the table and in an export.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Discrepancy } from '../../core/admin/verify-log/discrepancies.ts';
import { verifyLog } from '../../core/admin/verify-log/verify-log.ts';
import { NOON_MS } from '../core/logs/entries.ts';
import { startDynamoDb, type TestDynamoDb } from '../support/dynamodb.ts';
import { someOf } from '../support/every-case.ts';
import { createSealedLog, type RawItem, slugOf } from '../support/sealed-log.ts';

let dynamoDb: TestDynamoDb;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const DAY_MS = 86_400_000;
const ATTRIBUTES = [
  ...['pk', 'sk', 'organizationHour', 'usernameHour', 'failureHour'],
  ...['organizationId', 'organization', 'neuronId', 'executionId', 'timeMs', 'expiresAt'],
];
const HOWS = ['absent', 'foreign', 'earlier', 'later', 'huge'] as const;
const corpus = ATTRIBUTES.flatMap((name) => HOWS.map((how) => [name, how] as const)).filter(
  // DynamoDB takes no item without a key, nor with a huge one; a call that did not fail has no `failureHour`.
  ([name, how]) =>
    !(['pk', 'sk', 'failureHour'].includes(name) && how === 'absent') &&
    !(
      ['pk', 'sk', 'organizationHour', 'usernameHour', 'failureHour', 'executionId'].includes(name) &&
      how === 'huge'
    ),
);

function forged(
  name: string,
  how: (typeof HOWS)[number],
  { S = '', N }: { S?: string; N?: string },
): RawItem[string] {
  if (N !== undefined) {
    const step = name === 'timeMs' ? 400 * DAY_MS : 400 * 86_400;
    if (how === 'earlier') return { N: String(Number(N) - step) };
    return { N: how === 'later' ? String(Number(N) + step) : how === 'huge' ? '9e124' : '7' };
  }
  // Further back than an entry may wait for its seal, within the period: a longer one asks for each of its hours.
  if (how === 'earlier') return { S: S.replace('2026-11-21T12', '2026-11-20T06').concat('0') };
  if (how === 'later') return { S: S.replace('2026-11-21T12', '2026-12-01T12').concat('9') };
  return { S: how === 'huge' ? 'x'.repeat(20_000) : 'zzz' };
}

let tests = 0;

it.each(someOf(corpus, 3))('%s that is %s', async (name, how) => {
  tests += 1;
  const organizationId = `organization-${tests}`;
  const log = createSealedLog(dynamoDb, organizationId, NOON_MS);
  await log.seal({ skip: true });
  await log.store.put(log.entry('forged', { timeMs: log.clock.now() }));
  const item = await log.itemOf('forged');
  await log.remove(item);
  const { [name]: value, ...rest } = item;
  await log.put(how === 'absent' ? rest : ({ ...rest, [name]: forged(name, how, value ?? {}) } as RawItem));
  await log.fill(['whole']);
  // A period is read hour by hour: it begins an hour before what is forged furthest back.
  const fromMs = NOON_MS - 31 * 3_600_000;
  const inTable = await log.verify({ fromMs });
  const kinds = inTable.discrepancies.map(({ kind }) => kind);
  expect(kinds.length).toBeGreaterThan(0);
  expect(['inconsistent', 'foreign', 'early', 'late']).toEqual(expect.arrayContaining(kinds));
  expect(inTable.summary.intact).toBe(false);

  // The same files of an export, whose manifest and digests are right.
  const period = { fromMs, toMs: log.clock.now() };
  const nowMs = log.clock.now();
  const query = { organizationId, organization: slugOf(organizationId), ...period, nowMs };
  const exported = new Map<string, Awaited<ReturnType<typeof log.storedEntries.find>>>();
  for await (const { pk, sk, record } of log.storedEntries.list(query)) exported.set(`${pk} ${sk}`, record);
  const run = verifyLog(
    {
      chain: organizationId,
      organization: slugOf(organizationId),
      ...period,
      nowMs,
      exportedMs: nowMs,
      heads: [],
    },
    {
      seals: log.seals.seals(organizationId),
      entries: log.storedEntries.list(query),
      find: async ({ pk, sk }) => exported.get(`${pk} ${sk}`),
    },
  );
  const found: Discrepancy[] = [];
  for (;;) {
    const { done, value: one } = await run.next();
    if (done) {
      expect(one.intact).toBe(false);
      break;
    }
    found.push(one);
  }
  expect(found).not.toEqual([]);
});
