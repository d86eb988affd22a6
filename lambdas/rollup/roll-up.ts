// Counts and seals one batch of the log table's stream, raises its alerts, and says where the stream must resume.
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { ALL_DONE, beginAgainAt, readLogStream } from '../../adapters/dynamodb/log-stream.ts';
import { toEntryToSeal } from '../../core/logs/seals/sealed-entry.ts';
import { countAndSeal } from '../../core/usage/count-and-seal.ts';
import type { DeliveredEntry } from '../../core/usage/plan-transactions.ts';
import { raiseAlerts } from './alerts.ts';
import type { RollupPorts } from './compose.ts';
import { sendFeedback } from './feedback.ts';

/**
 * Counts and seals every entry of the batch once, raises the alerts of what it has used, and sends the events of its feedback. A line tells of what cannot be counted
 * now, or at all: numbers and the error's name only.
 */
export async function rollUp(event: DynamoDBStreamEvent, ports: RollupPorts): Promise<DynamoDBBatchResponse> {
  const { entries, unreadable } = readLogStream(event);
  const counting = await countAndSeal(entries.map(toDelivered), ports);
  const uncounted = unreadable + (counting.outcome === 'sealed' ? counting.uncounted : 0);
  if (uncounted > 0) ports.lines.write(JSON.stringify({ neuronUsageUnreadable: uncounted }));
  const isRaised = await raiseAlerts(
    entries.flatMap(({ entry }) => entry ?? []),
    ports,
  );
  const [first] = entries;
  // The whole batch comes again then: entries that are counted already change nothing.
  if (!isRaised && first !== undefined) return beginAgainAt(first.sequenceNumber);
  const unsent = await sendFeedback(entries, ports);
  const again = [unsent];
  if (counting.outcome === 'failed') {
    const error = counting.error instanceof Error ? counting.error.name : 'unknown';
    ports.lines.write(JSON.stringify({ neuronUsageDelayed: event.Records.length, error }));
    again.push(counting.sequenceNumber);
  }
  const earliest = entries.find(({ sequenceNumber }) => again.includes(sequenceNumber));
  return earliest === undefined ? ALL_DONE : beginAgainAt(earliest.sequenceNumber);
}

function toDelivered({
  record,
  ...streamed
}: ReturnType<typeof readLogStream>['entries'][number]): DeliveredEntry {
  const { pk, sk } = record;
  return {
    ...streamed,
    key: JSON.stringify([pk, sk]),
    toSeal: toEntryToSeal(record, Math.floor(streamed.putAtMs / 1000)),
  };
}
