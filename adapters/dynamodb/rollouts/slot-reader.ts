// Reads the counts of rollouts by time, for the function that watches them.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SLOTS_PARTITION } from '../../../core/contract/tables.ts';
import type { SlotReader, SlotRow } from '../../../core/ports/rollout-watch.ts';
import type { UsageRow } from '../../../core/ports/usage.ts';
import { queryItems } from '../stored/query-items.ts';
import { toUsageRow } from '../usage-items.ts';

export function createSlotReader(client: DynamoDBDocumentClient, table: string): SlotReader {
  return {
    async *slots(after, before) {
      if (after >= before) return;
      const query = {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :after AND :before',
        // A key goes on after its time: `~` comes after every character that does.
        ExpressionAttributeValues: { ':pk': SLOTS_PARTITION, ':after': `${after}~`, ':before': before },
      };
      for await (const item of queryItems(client, query)) {
        const row = toUsageRow(item, '', String(item['slot']).slice(0, 10));
        if (isSlot(row)) yield row;
      }
    },
  };
}

function isSlot(row: UsageRow): row is SlotRow {
  return row.subject.kind === 'slot';
}
