// The environment variables of the functions: names of tables, and the stage's durations.

import { Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { renderLock } from '../../../core/contract/archive-lock.ts';
import { type FunctionEnvironment, NO_BUCKET } from '../../../lambdas/environment.ts';
import type { Stage } from '../../config/config.ts';
import { shardsFor } from '../../config/peak.ts';
import { secretPrefix } from '../data/secrets-access.ts';
import type { Tables } from '../data/tables.ts';

/** The service that a function is part of. */
export interface FunctionContext {
  readonly stage: Stage;
  readonly tables: Tables;
  readonly environment: FunctionEnvironment;
  /** @default the bundled handler */
  readonly code?: Code | undefined;
}

/** Every account has this one. */
const DEFAULT_EVENT_BUS = 'default';

/** Every variable of every function; each construct picks its own. */
export function functionEnvironment(stage: Stage, tables: Tables): FunctionEnvironment {
  const { byName } = tables;
  return {
    stage: stage.name,
    configTable: byName.config.tableName,
    keysTable: byName.keys.tableName,
    countersTable: byName.counters.tableName,
    cacheTable: byName.cache.tableName,
    logsTable: byName.logs.tableName,
    usageTable: byName.usage.tableName,
    headsBucket: stage.logHeads?.bucket ?? NO_BUCKET,
    headsFolder: headsFolder(Stack.of(tables), stage),
    archiveBucket: stage.archive?.bucket ?? '',
    archiveFolder: archiveFolder(Stack.of(tables), stage),
    archiveLock: stage.archive === undefined ? '' : renderLock(stage.archive),
    counterShards: toCounterShards(stage),
    organizationConcurrency: stage.organizationConcurrency ?? 0,
    providerHosts: stage.providerHosts,
    logShards: stage.logShards,
    secretPrefix: secretPrefix(stage),
    transferMode: stage.transferMode,
    maxDeadlineMs: stage.maxDeadline,
    settingsTtlMs: stage.settingsTtl,
    settingsMaxStaleMs: stage.settingsMaxStale,
    secretsTtlMs: stage.secretsTtl,
    keySetsTtlMs: stage.keySetsTtl,
    keySetsMaxStaleMs: stage.keySetsMaxStale,
    keySetsRefetchAfterMs: stage.keySetsRefetchAfter,
    keySetsErrorBackoffMs: stage.keySetsErrorBackoff,
    tracesEndpoint: stage.traces?.endpoint ?? '',
    tracesHeadersSecret: stage.traces?.headersSecret,
    tracesContent: stage.traces?.content === true ? 'on' : 'off',
    alertEventBus: stage.alertEventBus ?? DEFAULT_EVENT_BUS,
    // Known only when the alarms are made, which watch the functions.
    alertTopicArn: undefined,
  };
}

/** Accounts, regions and stages may share a bucket: each has a folder of its own there, and none can write over another's heads. */
export function headsFolder({ account, region }: Stack, { name }: Stage): string {
  return `neuron-heads/${account}/${region}/${name}`;
}

/** Like that of the heads. */
export function archiveFolder({ account, region }: Stack, { name }: Stage): string {
  return `neuron-archive/${account}/${region}/${name}`;
}

/** How many items of the counters table share a limit on all requests of a neuron. */
export function toCounterShards({ counterPeakPerSecond }: Stage): number {
  return shardsFor(counterPeakPerSecond);
}
