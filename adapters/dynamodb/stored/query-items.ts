// Reads every item of a query, page by page.
import { type DynamoDBDocumentClient, paginateQuery, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../client.ts';

export async function* queryItems(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
): AsyncGenerator<Item> {
  for await (const { Items = [] } of paginateQuery({ client }, query)) yield* Items;
}
