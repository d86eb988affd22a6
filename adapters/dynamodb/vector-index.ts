// Inputs by their vectors, in the native vector index of the cache table (amazondynamodb/latest/developerguide/VectorSearch.html).
import { type DynamoDBDocumentClient, PutCommand, SearchVectorsCommand } from '@aws-sdk/lib-dynamodb';
import { TABLES } from '../../core/contract/tables.ts';
import type { VectorIndex } from '../../core/ports/response-cache.ts';

const { name: INDEX, partition: PARTITION, vector: VECTOR } = TABLES.cache.vectorIndex;

/** Each vector is an item of its own, so that reading an answer does not pay for it. */
export function createVectorIndex(client: DynamoDBDocumentClient, table: string): VectorIndex {
  return {
    async search(scope, vector, limit) {
      const { SearchResults } = await client.send(
        new SearchVectorsCommand({
          TableName: table,
          IndexName: INDEX,
          SearchVector: [...vector],
          TopK: limit,
          SearchConditionExpression: `#partition = :scope`,
          ExpressionAttributeNames: { '#partition': PARTITION },
          ExpressionAttributeValues: { ':scope': scope },
        }),
      );
      const prefix = vectorKey(scope, '');
      return (SearchResults ?? []).flatMap(({ Item, Score }) => {
        const key: unknown = Item?.['pk'];
        // Drops results of other scopes, should the index ever return one.
        if (typeof key !== 'string' || !key.startsWith(prefix) || typeof Score !== 'number') return [];
        return [{ inputHash: key.slice(prefix.length), distance: Score }];
      });
    },
    async write(scope, inputHash, { vector, expiresAt }) {
      const Item = {
        pk: vectorKey(scope, inputHash),
        [PARTITION]: scope,
        [VECTOR]: [...vector],
        expiresAt,
      };
      await client.send(new PutCommand({ TableName: table, Item }));
    },
  };
}

function vectorKey(scope: string, inputHash: string): string {
  return `S#${scope}#${inputHash}`;
}
