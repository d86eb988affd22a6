// Reads log entries for a recount of usage: the organization's index names the partitions, the table has the entries.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isCountable } from '../../core/ports/countable-entry.ts';
import type { EntryReader, PlacedEntry, UsageQuery } from '../../core/ports/usage.ts';
import type { Clock } from '../../core/time/clock.ts';
import { chunksOf, type Item } from './client.ts';
import { toLogEntry } from './log-items.ts';
import { HOUR_MS, hourOf } from './log-keys.ts';
import { createHourReader } from './stored/hour-partitions.ts';
import { daysBetween, logShardOf } from './usage-items.ts';

const HOURS_AT_ONCE = 16;

/** Members that are counted, every one of them (the compiler checks it); projecting them saves the transfer of texts. */
const COUNTED = Object.keys({
  executionId: true,
  timeMs: true,
  organization: true,
  organizationId: true,
  neuron: true,
  neuronId: true,
  version: true,
  rollout: true,
  shadow: true,
  branch: true,
  feedback: true,
  cache: true,
  outcome: true,
  username: true,
  keyId: true,
  tags: true,
  tokensInput: true,
  tokensOutput: true,
  costMicrodollars: true,
  savingsMicrodollars: true,
  infrastructureNanodollars: true,
  modelCalls: true,
  latencyMs: true,
  count: true,
  expiresAt: true,
  // The partition names the shard.
  pk: true,
} satisfies Record<Exclude<keyof PlacedEntry, 'logShard'> | 'pk', true>);
const PROJECTION = COUNTED.map((_, index) => `#a${index}`).join(', ');
const PROJECTED = Object.fromEntries(COUNTED.map((name, index) => [`#a${index}`, name]));

/** `shards`: the most that an hour has had. */
interface EntryReaderSettings {
  readonly clock: Pick<Clock, 'now'>;
  readonly shards: number;
}

/** Reads every entry that was counted once, those of deleted neurons included, which the organization's index still names. */
export function createEntryReader(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: EntryReaderSettings,
): EntryReader {
  const isCurrent = (item: Item) => Number(item['expiresAt']) * 1000 > clock.now();
  const reader = createHourReader(client, table, {
    shards,
    selection: { ProjectionExpression: PROJECTION, ExpressionAttributeNames: PROJECTED },
  });
  return {
    async *entries(query) {
      for (const hours of chunksOf(listHours(query, clock.now()), HOURS_AT_ONCE)) {
        for await (const { Items = [] } of reader.pages(query, hours))
          yield* Items.filter(isCurrent)
            .map((item) => ({ ...toLogEntry(item), logShard: logShardOf(item['pk']) }))
            .filter(isCountable);
      }
    },
  };
}

/** Up to the current hour: most of a month may lie ahead. */
function listHours({ fromDay, toDay }: UsageQuery, nowMs: number): readonly string[] {
  return daysBetween(fromDay, toDay)
    .flatMap((day) => Array.from({ length: 24 }, (_, hour) => Date.parse(day) + hour * HOUR_MS))
    .filter((startMs) => startMs <= nowMs)
    .map(hourOf);
}
