// Tests of event source mappings on the engine's own streams, with a function that is an object of the test.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readMappings } from '../../dynamodb/mapping.ts';
import { openPositions } from '../../dynamodb/positions.ts';
import { startStreams } from '../../dynamodb/streams.ts';
import type { InvokeResult } from '../../functions/index.ts';
import type { ResolvedResource } from '../../template/types.ts';
import { resource, stackOf } from '../support/resources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { applyTable, startTestEngine, tableResource } from './start-test-engine.ts';

const testEngine = await startTestEngine();
const { call } = testEngine;

interface Event {
  readonly Records: readonly {
    readonly eventName: string;
    readonly dynamodb: { readonly Keys: { readonly id: { readonly S: string } } };
    readonly [member: string]: unknown;
  }[];
}

const mapping = (table: ResolvedResource, properties: object): ResolvedResource =>
  resource('AWS::Lambda::EventSourceMapping', 'Mapping', {
    EventSourceArn: `${table.arn}/stream/1970-01-01T00:00:00.000`,
    FunctionName: 'arn:fn',
    StartingPosition: 'TRIM_HORIZON',
    ...properties,
  });

const SUCCESS = (answer: unknown): InvokeResult => ({
  outcome: 'succeeded',
  payload: Buffer.from(JSON.stringify(answer)),
  requestId: 'r',
});
const FAILURE: InvokeResult = {
  outcome: 'failed',
  error: { errorType: 'Error', errorMessage: 'boom' },
  streamed: false,
  requestId: 'r',
};

async function serve(
  name: string,
  properties: object = {},
  answer: (ids: readonly string[], call: number) => InvokeResult = () => SUCCESS(null),
  pause?: (milliseconds: number, stopped: AbortSignal) => Promise<void>,
) {
  const image = { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } };
  const table = {
    ...image,
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  };
  await applyTable(name, table, testEngine);
  const folder = temporaryFolder();
  const source = tableResource(name, table);
  const mappings = readMappings(stackOf([source, mapping(source, properties)]));
  const events: Event[] = [];
  const lines: string[] = [];
  const start = () => {
    const positions = openPositions(join(folder, 'positions.json'));
    return startStreams({
      mappings,
      call,
      positions,
      pause,
      log: (line) => lines.push(line),
      invoke: async (_arn, event) => {
        events.push(event as Event);
        return answer(idsOf(event as Event), events.length);
      },
    });
  };
  let running = start();
  onTestFinished(() => running.stop());
  const restart = async (whileDown: () => Promise<void>) => {
    await running.stop();
    await whileDown();
    running = start();
  };
  const isPositionKept = () => existsSync(join(folder, 'positions.json'));
  return { events, lines, restart, isPositionKept, ids: () => events.flatMap(idsOf) };
}

const idsOf = ({ Records }: Event) => Records.map(({ dynamodb }) => dynamodb.Keys.id.S);
const put = async (table: string, id: string, more: object = {}) => {
  await call('PutItem', { TableName: table, Item: { id: { S: id }, ...more } });
};
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000, interval: 20 });

describe('event source mappings', () => {
  it('delivers changes in the event form of Lambda, with the ARN of the template', async () => {
    const { events, ids } = await serve('shaped');
    await put('shaped', 'a', { text: { S: 'x' } });
    await call('DeleteItem', { TableName: 'shaped', Key: { id: { S: 'a' } } });
    await eventually(ids).toEqual(['a', 'a']);
    const [first, second] = events.flatMap(({ Records }) => Records);
    expect(first).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-west-1',
      eventSourceARN: 'arn:aws:dynamodb:eu-west-1:111122223333:table/shaped/stream/1970-01-01T00:00:00.000',
      dynamodb: { NewImage: { id: { S: 'a' }, text: { S: 'x' } }, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    });
    expect(second).toMatchObject({ eventName: 'REMOVE' });
    expect(second).not.toHaveProperty('userIdentity');
  });

  it('marks TTL deletions as DynamoDB does', async () => {
    const { events, ids } = await serve('expired');
    await put('expired', 'a', { expires: { N: '1700000000' } });
    await call('DeleteItem', { TableName: 'expired', Key: { id: { S: 'a' } } });
    await eventually(ids).toEqual(['a', 'a']);
    expect(events.at(-1)?.Records.at(-1)).toMatchObject({
      userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    });
  });

  it('resumes after a restart, with the changes made while it was down', async () => {
    const { ids, restart } = await serve('resumed');
    await put('resumed', 'before');
    await eventually(ids).toEqual(['before']);
    await restart(() => put('resumed', 'meanwhile'));
    await eventually(ids).toEqual(['before', 'meanwhile']);
  });

  it('keeps to the batch size and the order', async () => {
    const { events, ids, restart } = await serve('batched', { BatchSize: 2 });
    await restart(async () => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await put('batched', id);
    });
    await eventually(ids).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(events.map(({ Records }) => Records.length)).toEqual([2, 2, 1]);
  });

  it('ends a batch where an event could carry no more', async () => {
    const { events, ids, restart } = await serve('large');
    const names = Array.from({ length: 20 }, (_, index) => `large-${String(index).padStart(2, '0')}`);
    const text = { S: 'x'.repeat(350_000) };
    await restart(async () => {
      for (const id of names) await put('large', id, { text });
    });
    await eventually(ids).toEqual(names);
    // 6 MB hold 17 of them.
    expect(events.map(({ Records }) => Records.length)).toEqual([17, 3]);
  });

  it('lets records gather after a batch where the template has a batching window, and delivers the first at once', async () => {
    const gathered = Promise.withResolvers<void>();
    const pauses: number[] = [];
    const { events, ids } = await serve(
      'gathered',
      { MaximumBatchingWindowInSeconds: 5 },
      undefined,
      async (milliseconds, stopped) => {
        pauses.push(milliseconds);
        if (milliseconds === 500) await gathered.promise;
        else await sleep(20, undefined, { signal: stopped }).catch(() => undefined);
      },
    );
    await put('gathered', 'a');
    await eventually(() => pauses.includes(500)).toBe(true);
    for (const id of ['b', 'c', 'd']) await put('gathered', id);
    gathered.resolve();
    await eventually(ids).toEqual(['a', 'b', 'c', 'd']);
    expect(events.map(({ Records }) => Records.length)).toEqual([1, 3]);
  });

  it('retries the same batch after a failure', async () => {
    const { ids, lines } = await serve('failing', {}, (_ids, count) => (count < 3 ? FAILURE : SUCCESS(null)));
    await put('failing', 'a');
    await eventually(ids).toEqual(['a', 'a', 'a']);
    expect(lines).toEqual(['Stack/Mapping: the function failed and is called again: Error: boom']);
  });

  it('gives a batch up after the configured retries, and continues with the next', async () => {
    const { ids, lines } = await serve('given-up', { MaximumRetryAttempts: 1 }, ([id]) =>
      id === 'a' ? FAILURE : SUCCESS(null),
    );
    await put('given-up', 'a');
    await eventually(ids).toEqual(['a', 'a']);
    await put('given-up', 'b');
    await eventually(ids).toEqual(['a', 'a', 'b']);
    expect(lines.at(-1)).toBe('Stack/Mapping: 1 records are given up after 2 attempts: Error: boom');
  });

  it('retries a batch from the first record that the function reports as failed', async () => {
    let failed: string | undefined;
    const { events, ids, restart } = await serve(
      'partial',
      { FunctionResponseTypes: ['ReportBatchItemFailures'] },
      (batch) => {
        const record = events.at(-1)?.Records[batch.indexOf('b')];
        const sequence = (record?.dynamodb as { SequenceNumber?: string } | undefined)?.SequenceNumber;
        if (failed !== undefined || sequence === undefined) return SUCCESS({ batchItemFailures: [] });
        failed = sequence;
        return SUCCESS({ batchItemFailures: [{ itemIdentifier: sequence }] });
      },
    );
    await restart(async () => {
      for (const id of ['a', 'b', 'c']) await put('partial', id);
    });
    await eventually(ids).toEqual(['a', 'b', 'c', 'b', 'c']);
  });

  it('delivers only records that pass a filter', async () => {
    const Filters = [{ Pattern: JSON.stringify({ eventName: ['REMOVE'] }) }];
    const { events } = await serve('filtered', { FilterCriteria: { Filters } });
    await put('filtered', 'a');
    await call('DeleteItem', { TableName: 'filtered', Key: { id: { S: 'a' } } });
    await eventually(() =>
      events.flatMap(({ Records }) => Records.map(({ eventName }) => eventName)),
    ).toEqual(['REMOVE']);
  });

  it('delivers only new changes when the template says LATEST', async () => {
    const table = { StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } };
    await applyTable('latest', table, testEngine);
    await put('latest', 'old');
    const { ids, restart, isPositionKept } = await serve('latest', { StartingPosition: 'LATEST' });
    // The place where it began is on disk before anything new is written.
    await eventually(isPositionKept).toBe(true);
    await restart(() => put('latest', 'new'));
    await eventually(ids).toEqual(['new']);
  });

  it('refuses a source that is not a stream of the template', async () => {
    const table = tableResource('plain');
    const read = (properties: object) => readMappings(stackOf([table, mapping(table, properties)]));
    expect(() => read({})).toThrow('plain has no stream.');
    expect(() => read({ EventSourceArn: 'arn:aws:sqs:eu-west-1:1:queue' })).toThrow(
      'is no stream of a table of this template',
    );
  });
});
