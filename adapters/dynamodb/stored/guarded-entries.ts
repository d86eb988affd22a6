// Reads the entries in which guards found something, newest hours first. No index has the finds: the entries of a period are read for them.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { GuardedEntries, GuardedEntry, GuardedQuery } from '../../../core/ports/guarded-entries.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { chunksOf, type Item } from '../client.ts';
import { toReadableEntry } from '../log-items.ts';
import { HOUR_MS, hourOf } from '../log-keys.ts';
import { createHourReader } from './hour-partitions.ts';

const HOURS_AT_ONCE = 6;

/** Members that a report needs; texts stay where they are. */
const MEMBERS = ['sk', 'timeMs', 'neuron', 'outcome', 'count', 'guards', 'expiresAt'];
const SELECTION = {
  FilterExpression: 'attribute_exists(#a5)',
  ProjectionExpression: MEMBERS.map((_, index) => `#a${index}`).join(', '),
  ExpressionAttributeNames: Object.fromEntries(MEMBERS.map((name, index) => [`#a${index}`, name])),
};

/** `shards`: the most that an hour has had. */
export function createGuardedEntries(
  client: DynamoDBDocumentClient,
  table: string,
  { clock, shards }: { readonly clock: Pick<Clock, 'now'>; readonly shards: number },
): GuardedEntries {
  const reader = createHourReader(client, table, { shards, selection: SELECTION });
  const isCurrent = (item: Item) => Number(item['expiresAt']) * 1000 > clock.now();
  return {
    async *parts(query) {
      for (const hours of chunksOf(hoursDownwards(query), HOURS_AT_ONCE)) {
        const entries: GuardedEntry[] = [];
        let scanned = 0;
        for await (const { Items = [], ScannedCount = 0 } of reader.pages(query, hours.map(hourOf))) {
          scanned += ScannedCount;
          for (const item of Items.filter(isCurrent)) {
            const { timeMs, neuron, outcome, count, guards } = toReadableEntry(item);
            if (guards !== undefined && timeMs >= query.fromMs && timeMs < query.toMs)
              entries.push({ timeMs, neuron, outcome, count, guards });
          }
        }
        yield { fromMs: Math.max(query.fromMs, hours.at(-1) ?? query.fromMs), scanned, entries };
      }
    },
  };
}

/** The starts of the hours of a period, newest first. */
function hoursDownwards({ fromMs, toMs }: GuardedQuery): readonly number[] {
  if (fromMs >= toMs) return [];
  const first = Math.floor(fromMs / HOUR_MS);
  const last = Math.floor((toMs - 1) / HOUR_MS);
  return Array.from({ length: last - first + 1 }, (_, back) => (last - back) * HOUR_MS);
}
