// The ports to what the functions have written: counters of limits and log entries.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createCounterStore } from '../adapters/dynamodb/counters.ts';
import { createLogReader } from '../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../adapters/dynamodb/log-store.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** Of one stack. */
export function composeRecordPorts(
  documents: DynamoDBDocumentClient,
  outputs: Stack['outputs'],
): Pick<Ports, 'counterReader' | 'logReader' | 'logStore'> {
  return {
    counterReader: createCounterStore(documents, outputs.countersTable),
    logReader: createLogReader(documents, outputs.logsTable, systemClock),
    logStore: createLogStore(documents, outputs.logsTable),
  };
}
