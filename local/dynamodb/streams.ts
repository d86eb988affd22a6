// Delivers the changes of tables to the functions that are mapped to them: each at least once, in order.

import { setTimeout as sleep } from 'node:timers/promises';
import type { InvokeResult } from '../functions/index.ts';
import type { CallDynamoDb } from './call.ts';
import type { StreamMapping } from './mapping.ts';
import type { Positions } from './positions.ts';
import { createShardReader, type ShardReader, type StreamRecord } from './shard-reader.ts';

interface StreamSettings {
  readonly mappings: readonly StreamMapping[];
  readonly call: CallDynamoDb;
  readonly positions: Positions;
  readonly invoke: (functionArn: string, event: unknown) => Promise<InvokeResult>;
  readonly log: (line: string) => void;
  /** Waits; for tests. */
  readonly pause?: typeof pause | undefined;
}

/** Pause after an empty read; a change is delivered within about this time. */
const IDLE_MS = 200;
/**
 * Max. pause after a batch, if the template lets records wait for others. The first record after a quiet time is delivered at once;
 * under load there are fewer and larger batches.
 */
const MAX_GATHERING_MS = 500;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 10_000;
const ERROR_PAUSE_MS = 1_000;

/** Serves the mappings until stopped. A batch under way is finished, or delivered again at the next start. */
export function startStreams(settings: StreamSettings): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loops = settings.mappings.map((mapping) => serve(mapping, settings, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function serve(mapping: StreamMapping, settings: StreamSettings, stopped: AbortSignal): Promise<void> {
  const reader = createShardReader(mapping, settings.call, settings.positions);
  const wait = settings.pause ?? pause;
  const gatheringMs = Math.min(mapping.batchingWindowMs, MAX_GATHERING_MS);
  while (!stopped.aborted) {
    try {
      const found = await serveOnce(mapping, reader, settings, stopped);
      if (found === 'none') await wait(IDLE_MS, stopped);
      else if (found === 'few' && gatheringMs > 0) await wait(gatheringMs, stopped);
    } catch (error) {
      if (stopped.aborted) return;
      settings.log(`${mapping.id}: the stream cannot be read: ${(error as Error).message}`);
      reader.reset();
      await wait(ERROR_PAUSE_MS, stopped);
    }
  }
}

/** `few`: no shard had a whole batch. */
async function serveOnce(
  mapping: StreamMapping,
  reader: ShardReader,
  settings: StreamSettings,
  stopped: AbortSignal,
): Promise<'none' | 'few' | 'many'> {
  let maxRecords = 0;
  for (const shard of await reader.listShards()) {
    const records = await reader.read(shard);
    const last = records.at(-1);
    if (last === undefined) continue;
    maxRecords = Math.max(maxRecords, records.length);
    const passing = records.filter((record) => mapping.passes(record));
    const done = passing.length === 0 || (await deliver(mapping, passing, settings, stopped));
    if (!done) return 'none';
    reader.markDone(shard, last);
  }
  if (maxRecords === 0) return 'none';
  return maxRecords < mapping.batchSize ? 'few' : 'many';
}

/** Invokes the function until it accepts the batch or the retries are used up; false if stopped before. */
async function deliver(
  mapping: StreamMapping,
  batch: readonly StreamRecord[],
  { invoke, log }: StreamSettings,
  stopped: AbortSignal,
): Promise<boolean> {
  let records = batch;
  for (let attempt = 0; !stopped.aborted; attempt += 1) {
    const result = await invoke(mapping.functionArn, { Records: records });
    const remaining = unprocessed(mapping, records, result);
    if (remaining.length === 0) return true;
    records = remaining;
    if (mapping.maxRetries >= 0 && attempt >= mapping.maxRetries) {
      log(
        `${mapping.id}: ${records.length} records are given up after ${attempt + 1} attempts: ${reason(result)}`,
      );
      return true;
    }
    if (attempt === 0) log(`${mapping.id}: the function failed and is called again: ${reason(result)}`);
    await pause(Math.min(FIRST_RETRY_MS * 2 ** attempt, MAX_RETRY_MS), stopped);
  }
  return false;
}

// Lambda Developer Guide, "Configuring partial batch response with DynamoDB": all records from the first failed one on are retried.
function unprocessed(
  mapping: StreamMapping,
  batch: readonly StreamRecord[],
  result: InvokeResult,
): readonly StreamRecord[] {
  if (result.outcome === 'streamed') return [];
  if (result.outcome !== 'succeeded') return batch;
  if (!mapping.reportsItemFailures) return [];
  const failed = readItemFailures(result.payload);
  if (failed === undefined) return batch;
  const positions = failed.map((id) => batch.findIndex((record) => record.dynamodb.SequenceNumber === id));
  if (positions.length === 0) return [];
  // An identifier that names no record counts as a failure of the whole batch.
  return positions.includes(-1) ? batch : batch.slice(Math.min(...positions));
}

function readItemFailures(payload: Buffer): readonly (string | undefined)[] | undefined {
  try {
    const answer = JSON.parse(payload.toString()) as {
      batchItemFailures?: readonly { itemIdentifier?: string }[] | null;
    } | null;
    return (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  } catch {
    return undefined;
  }
}

function reason(result: InvokeResult): string {
  if (result.outcome === 'failed') return `${result.error.errorType}: ${result.error.errorMessage}`;
  return result.outcome === 'rejected' ? result.message : 'it reported failed records';
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
