// Reads the chains of seals in the usage table.
import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { HEADS_PARTITION } from '../../../core/contract/tables.ts';
import type { SealHead, SealHeads, SealReader } from '../../../core/ports/seals.ts';
import type { Item } from '../client.ts';
import { queryItems } from '../stored/query-items.ts';
import { chainPartition, headKeys, sequenceOf, toHead, toSeal } from './seal-items.ts';

/**
 * The head that sealing continues from: the later of the head's own item and the newest seal. They are written together. Sealing must
 * go on if someone changes one of them by hand; `neuron logs verify` finds that.
 */
export function createSealHeads(client: DynamoDBDocumentClient, table: string): SealHeads {
  return {
    async read(chain) {
      const [head, newest] = await Promise.all([
        client.send(new GetCommand({ TableName: table, Key: headKeys(chain), ConsistentRead: true })),
        readNewest(client, table, chain),
      ]);
      const written = toHead(chain, head.Item, head.Item?.['sequence']);
      if (written === undefined || newest === undefined) return written ?? newest;
      return written.sequence > newest.sequence ? written : newest;
    },
  };
}

/** Adds the seals of a chain, which auditors check. */
export function createSealReader(client: DynamoDBDocumentClient, table: string): SealReader {
  return {
    ...createSealHeads(client, table),
    async *seals(chain) {
      const query = {
        TableName: table,
        KeyConditionExpression: 'pk = :chain',
        ExpressionAttributeValues: { ':chain': chainPartition(chain) },
        ConsistentRead: true,
      };
      for await (const item of queryItems(client, query))
        yield { sequence: sequenceOf(item['sk']), seal: toSeal(chain, item) };
    },
  };
}

/** The newest link of every chain, for a copy of them elsewhere. */
export async function* listHeads(client: DynamoDBDocumentClient, table: string): AsyncGenerator<SealHead> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :heads',
    ExpressionAttributeValues: { ':heads': HEADS_PARTITION },
    ConsistentRead: true,
  };
  for await (const item of queryItems(client, query)) {
    const head = toHead(String(item['sk']), item, item['sequence']);
    if (head !== undefined) yield head;
  }
}

async function readNewest(client: DynamoDBDocumentClient, table: string, chain: string) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :chain',
      ExpressionAttributeValues: { ':chain': chainPartition(chain) },
      ScanIndexForward: false,
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  const [item] = Items as Item[];
  return toHead(chain, item, sequenceOf(item?.['sk']));
}
