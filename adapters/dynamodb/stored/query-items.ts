// Reads every item of a query.
import { type DynamoDBDocumentClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../client.ts';

/** All at once, for queries of which everything is needed: an item at a time costs two turns of the event loop each. */
export async function queryAll(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
): Promise<readonly Item[]> {
  const pages: Item[][] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query)) pages.push(Items);
  return pages.flat();
}

/** Page by page. */
export async function* queryItems(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
): AsyncGenerator<Item> {
  for await (const { Items = [] } of paginateQuery({ client }, query)) yield* Items;
}
