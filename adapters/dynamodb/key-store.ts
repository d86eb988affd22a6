// Reads API keys for the authorizer: one strongly consistent GetItem, however many keys there are.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type KeyStore, parseStoredKey } from '../../core/ports/keys.ts';

/** The partition key of a key's item; the key itself is stored nowhere. */
export function keyItemKey(digest: string): { readonly pk: string } {
  return { pk: `KEY#${digest}` };
}

/** Keys of the keys table. Nothing is cached, so that a revocation holds for the next request. */
export function createKeyStore(client: DynamoDBDocumentClient, table: string): KeyStore {
  return {
    async read(digest) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyItemKey(digest), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : parseStoredKey(Item);
    },
  };
}
