// Opens the log of a stack: entries of calls, and of changes by operators.
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createLineReader } from '../../adapters/cloudwatch/line-reader.ts';
import { createChangeLog } from '../../adapters/dynamodb/change-log.ts';
import { createLogReader } from '../../adapters/dynamodb/log-reader.ts';
import { createLogStore } from '../../adapters/dynamodb/log-store.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import { clientSettings } from './aws-settings.ts';
import { composeUsagePorts } from './compose-usage.ts';
import type { Ports } from './ports.ts';
import type { Stack } from './stack.ts';

/** Nothing is sent before one of them is used. */
export function composeLogPorts(
  documents: DynamoDBDocumentClient,
  stack: Stack,
): Pick<Ports, 'logReader' | 'logStore' | 'changes' | 'lines' | 'usage' | 'entries'> {
  const { logsTable, logShards } = stack.outputs;
  const shards = Number(logShards);
  return {
    logReader: createLogReader(documents, logsTable, { clock: systemClock, shards }),
    logStore: createLogStore(documents, logsTable, shards),
    changes: createChangeLog(documents, logsTable, systemClock),
    lines: createLineReader(new CloudWatchLogsClient(clientSettings(stack))),
    ...composeUsagePorts(documents, stack.outputs),
  };
}
