// Opens what requests leave behind: the audit trail, and the counters of limits.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createCounterStore } from '../adapters/dynamodb/counters.ts';
import { createLogReader } from '../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../adapters/dynamodb/log-store.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import type { Ports } from './ports.ts';
import type { StackOutputs } from './stack.ts';

/** The ports of what requests leave behind. */
export function composeRecordPorts(
  documents: DynamoDBDocumentClient,
  { countersTable, logsTable }: StackOutputs,
): Pick<Ports, 'counterReader' | 'logReader' | 'logStore'> {
  return {
    counterReader: createCounterStore(documents, countersTable),
    logReader: createLogReader(documents, logsTable, systemClock),
    logStore: createLogStore(documents, logsTable),
  };
}
