// Opens the log of a stack: entries of calls, and of changes by operators.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createChangeLog } from '../adapters/dynamodb/change-log.ts';
import { createLogReader } from '../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../adapters/dynamodb/log-store.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import { composeUsagePorts } from './compose-usage.ts';
import type { Ports } from './ports.ts';
import type { StackOutputs } from './stack.ts';

/** Nothing is sent before one of them is used. */
export function composeLogPorts(
  documents: DynamoDBDocumentClient,
  outputs: StackOutputs,
): Pick<Ports, 'logReader' | 'logStore' | 'changes' | 'usage' | 'entries'> {
  const { logsTable, logShards } = outputs;
  const shards = Number(logShards);
  return {
    logReader: createLogReader(documents, logsTable, { clock: systemClock, shards }),
    logStore: createLogStore(documents, logsTable, shards),
    changes: createChangeLog(documents, logsTable, systemClock),
    ...composeUsagePorts(documents, outputs),
  };
}
