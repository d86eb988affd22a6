// Where texts of a person go beside the tables: spans, events, providers, lines in CloudWatch Logs, and batches of the stream that Lambda gave up.
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { createLineReader } from '../../adapters/cloudwatch/line-reader.ts';
import { readLogStream } from '../../adapters/dynamodb/log-stream.ts';
import { createOpenaiProvider } from '../../adapters/providers/openai/index.ts';
import type { FeedbackDetail } from '../../core/contract/feedback-event.ts';
import { userMessage } from '../../core/conversation/conversation.ts';
import { sendFeedback } from '../../lambdas/rollup/feedback.ts';
import { exportSpans } from '../../lambdas/traces/export-spans.ts';
import { createFakeHttp } from '../adapters/providers/fake-http.ts';
import type { TestDynamoDb } from './dynamodb.ts';
import { ADA, createErasableLog } from './erasable-log.ts';
import { createMemoryClock } from './memory/clock.ts';
import { createMemoryLines } from './memory/lines.ts';
import { createMemorySecretReader } from './memory/secrets.ts';
import { type RawItem, toRecord } from './sealed-log.ts';

/** The bodies that the traces function posts for items of the log table that were put, or put over. Throws where it lost some. */
export async function postSpans(
  items: readonly RawItem[],
  content: boolean,
  eventName: 'INSERT' | 'MODIFY' = 'INSERT',
): Promise<string> {
  const { http, requests } = createFakeHttp({ status: 200, body: {} });
  const lines = createMemoryLines();
  await exportSpans(
    { Records: items.map((item) => ({ ...toRecord(item, 0), eventName })) },
    {
      ...{ http, lines, content, stage: 'test', url: 'https://otlp.example.com/v1/traces' },
      ...{ clock: { sleep: async () => undefined }, headers: async () => ({}) },
    },
  );
  if (lines.lines.length > 0) throw new Error(`spans were lost: ${lines.lines.join()}`);
  return requests.map(({ body }) => String(body)).join('\n');
}

/** The events that the rollup function sends for new items of the log table. */
export async function sendEvents(items: readonly RawItem[]): Promise<string> {
  const sent: FeedbackDetail[] = [];
  const { entries } = readLogStream({ Records: items.map((item) => toRecord(item, 0)) });
  const feedbackEvents = { send: async (detail: FeedbackDetail) => void sent.push(detail) };
  const ports = { feedbackEvents, lines: createMemoryLines(), clock: createMemoryClock(0), stage: 'test' };
  if ((await sendFeedback(entries, ports)) !== undefined) throw new Error('an event was not sent');
  return JSON.stringify(sent);
}

/** The request that a provider gets for a prompt, with its headers. */
export async function askProvider(prompt: string): Promise<string> {
  const { http, openHttp, requests } = createFakeHttp({ status: 500, body: {} });
  const secrets = createMemorySecretReader(new Map([['org-1/providers/key', 'sk-one']]));
  const ports = { organizationId: 'org-1', secrets, http, openHttp, clock: createMemoryClock(0) };
  const settings = {
    type: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    apiKey: { secret: 'key' },
  } as const;
  const request = { model: 'm-1', system: [], messages: [userMessage(prompt)], maxTokens: 5 };
  await createOpenaiProvider(settings, ports)
    .generate({ ...request, signal: new AbortController().signal })
    .catch(() => undefined);
  return JSON.stringify(requests.map(({ headers, body }) => ({ headers, body })));
}

/** Log groups of which each has these lines, with a reader as the command has it, and the names of the requests that came. */
export function createLogGroups(messages: readonly string[]) {
  const client = new CloudWatchLogsClient({ region: 'us-east-1' });
  const requests: string[] = [];
  mockClient(client)
    .onAnyCommand()
    .callsFake((input: object) => {
      throw new Error(`not a request of a reader: ${JSON.stringify(input)}`);
    })
    .on(FilterLogEventsCommand)
    .callsFake(({ logGroupName }: { readonly logGroupName: string }) => {
      requests.push(logGroupName);
      return { events: messages.map((message) => ({ message })) };
    });
  return { lines: createLineReader(client), messages, requests };
}

/**
 * A batch with an entry of the person that Lambda gave up, whose person is erased more than a day later; then an operator hands the batch to
 * the function after all. `object`: as Lambda puts it in the bucket; its `payload` is the event that the function was to get.
 */
export async function handDropped(dynamoDb: TestDynamoDb) {
  const log = await createErasableLog(dynamoDb, 'given-up');
  await log.putOf(ADA, 'given-up');
  const Records = (await log.items()).flatMap((item) =>
    item['organizationId']?.S === 'given-up' ? [toRecord(item, log.clock.now())] : [],
  );
  const object = JSON.stringify({ version: '1.0', payload: JSON.stringify({ Records }) });
  await log.seal({ skip: true });
  await log.clock.advance(25 * 3_600_000);
  const erase = () => log.run(['users', 'erase', log.slug, ADA, '--reason', 'request 18', '--yes']);
  const textOf = async () => {
    const all = await Promise.all([dynamoDb.tables.logs, dynamoDb.tables.usage].map((one) => log.items(one)));
    return JSON.stringify(all.flat().filter((item) => JSON.stringify(item).includes('given-up')));
  };
  const erased = [await erase()];
  const before = await textOf();
  const { payload } = JSON.parse(object) as { readonly payload: string };
  const answer = await log.hand(JSON.parse(payload) as DynamoDBStreamEvent);
  const handed = await textOf();
  erased.push(await erase());
  const after = await textOf();
  const verified = await log.run(['logs', 'verify', log.slug, '--since', '3d']);
  return { object, answer, erased, verified, tables: { before, handed, after } };
}
