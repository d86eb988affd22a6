// Opens the stores of API keys and of the counters table, which holds their last use and what limits count.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createCounterStore } from '../../adapters/dynamodb/counters.ts';
import { createKeyAdmin } from '../../adapters/dynamodb/key-admin.ts';
import { createKeyStore } from '../../adapters/dynamodb/key-store.ts';
import { createKeyUseStore } from '../../adapters/dynamodb/key-use-store.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** The ports of a stack's keys and counters. */
export function composeKeyPorts(
  documents: DynamoDBDocumentClient,
  { keysTable, countersTable }: Stack['outputs'],
): Pick<Ports, 'keys' | 'keyReader' | 'keyUses' | 'counterReader'> {
  return {
    keys: createKeyAdmin(documents, keysTable),
    keyReader: createKeyStore(documents, keysTable),
    counterReader: createCounterStore(documents, countersTable),
    keyUses: createKeyUseStore(documents, countersTable),
  };
}
