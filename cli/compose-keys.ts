// Opens the stores of API keys: the keys themselves, and the record of their last use.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createKeyAdmin } from '../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../adapters/dynamodb/key-store.ts';
import { createKeyUseStore } from '../adapters/dynamodb/key-use-store.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** The ports of a stack's keys. */
export function composeKeyPorts(
  documents: DynamoDBDocumentClient,
  { keysTable, countersTable }: Stack['outputs'],
): Pick<Ports, 'keys' | 'keyReader' | 'keyUses'> {
  return {
    keys: createKeyAdmin(documents, keysTable),
    keyReader: createKeyStore(documents, keysTable),
    keyUses: createKeyUseStore(documents, countersTable),
  };
}
