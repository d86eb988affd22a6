// Reads API keys for the authorizer: one strongly consistent GetItem, however many keys there are.
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type KeyStore, parseStoredKey, type StoredKey } from '../../core/ports/keys.ts';
import { pauseAt } from '../../core/settings/blocks/pause.ts';
import type { Clock } from '../../core/time/clock.ts';
import { systemClock } from '../platform/clock.ts';

/** The partition key of a key's item; the key itself is stored nowhere. */
export function keyItemKey(digest: string): { readonly pk: string } {
  return { pk: `KEY#${digest}` };
}

/** Without a pause that has ended. */
function endPause({ pause, ...key }: StoredKey, nowMs: number): StoredKey {
  const left = pauseAt(pause, nowMs);
  return left === undefined ? key : { ...key, pause: left };
}

/** Keys of the keys table. Nothing is cached, so that a revocation holds for the next request. */
export function createKeyStore(
  client: DynamoDBDocumentClient,
  table: string,
  clock: Pick<Clock, 'now'> = systemClock,
): KeyStore {
  return {
    async read(digest) {
      const { Item } = await client.send(
        new GetCommand({ TableName: table, Key: keyItemKey(digest), ConsistentRead: true }),
      );
      return Item === undefined ? undefined : endPause(parseStoredKey(Item), clock.now());
    },
  };
}
