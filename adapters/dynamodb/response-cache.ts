// Answers of the response cache in the cache table.
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { parseCachedAnswer, type ResponseCacheStore, toCachedItem } from '../../core/ports/response-cache.ts';
import type { ClientLimits } from './client.ts';

/** A late lookup is worth less than the run that it would save: one short attempt. */
export const CACHE_LIMITS: ClientLimits = { maxAttempts: 1, connectionTimeout: 400, requestTimeout: 400 };

/** One item per answer, with the scope in its key: an answer cannot be read without its scope. */
export function createResponseCacheStore(client: DynamoDBDocumentClient, table: string): ResponseCacheStore {
  return {
    async read(scope, inputHash) {
      // Eventually consistent, at half the price: a new answer may be missed for a moment, which does no harm.
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: { pk: answerKey(scope, inputHash) } }),
      );
      return Item === undefined ? undefined : parseCachedAnswer(Item);
    },
    async write(scope, inputHash, answer) {
      const Item = { pk: answerKey(scope, inputHash), ...toCachedItem(answer) };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
  };
}

function answerKey(scope: string, inputHash: string): string {
  return `X#${scope}#${inputHash}`;
}
