// Opens what `neuron usage` reads: the rollups, and the entries that they are made of.

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createEntryReader } from '../../adapters/dynamodb/usage-entries.ts';
import { createUsageReader } from '../../adapters/dynamodb/usage-reader.ts';
import { systemClock } from '../../adapters/platform/clock.ts';
import type { OutputValues } from '../../core/contract/outputs.ts';
import type { EntryReader, UsageReader } from '../../core/ports/usage.ts';

/** The ports on usage. */
export interface UsagePorts {
  /** The rollups. */
  readonly usage: UsageReader;
  /** What they are made of, for a recount. */
  readonly entries: EntryReader;
}

/** Opens them; nothing is read yet. */
export function composeUsagePorts(
  documents: DynamoDBDocumentClient,
  { usageTable, logsTable, logShards }: OutputValues,
): UsagePorts {
  return {
    usage: createUsageReader(documents, usageTable, systemClock),
    entries: createEntryReader(documents, logsTable, { clock: systemClock, shards: Number(logShards) }),
  };
}
