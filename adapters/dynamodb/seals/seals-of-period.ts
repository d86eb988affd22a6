// Reads the seals of a chain that were made in a period, without those before it: a chain has those of 400 days.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Seal } from '../../../core/ports/seals.ts';
import { queryItems } from '../stored/query-items.ts';
import { chainPartition, sealKeys, sequenceOf, toSeal } from './seal-items.ts';
import { createSealHeads } from './seal-reader.ts';

/**
 * In order, `toMs` exclusive: from the first seal at or after `fromMs` to the first at or after `toMs`, found by bisection. Clocks of those
 * who sealed may differ by seconds. Throws for an item that is no seal: an archive without it would say that it is whole.
 */
export async function* listSealsOfPeriod(
  client: DynamoDBDocumentClient,
  table: string,
  { chain, fromMs, toMs }: { readonly chain: string; readonly fromMs: number; readonly toMs: number },
): AsyncGenerator<Seal> {
  const head = await createSealHeads(client, table).read(chain);
  if (head === undefined || head.sealedAtMs < fromMs) return;
  const first = await bisect(head.sequence, async (sequence) => {
    const { Item: item } = await client.send(
      new GetCommand({ TableName: table, Key: sealKeys({ chain, sequence }), ConsistentRead: true }),
    );
    // One that has expired was made before.
    return item !== undefined && Number(item['sealedAtMs']) >= fromMs;
  });
  const query = {
    TableName: table,
    KeyConditionExpression: 'pk = :chain AND sk >= :first',
    ExpressionAttributeValues: {
      ':chain': chainPartition(chain),
      ':first': sealKeys({ chain, sequence: first }).sk,
    },
    ConsistentRead: true,
  };
  for await (const item of queryItems(client, query)) {
    const seal = toSeal(chain, item);
    if (seal === undefined)
      throw new Error(
        `seal ${sequenceOf(item['sk'])} of ${chain} cannot be read; neuron logs verify says more`,
      );
    if (seal.sealedAtMs >= toMs) return;
    yield seal;
  }
}

/** The least number from 1 to `most` for which `holds`, which holds for all numbers after it, and for `most`. */
async function bisect(most: number, holds: (number: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
