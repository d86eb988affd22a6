// What the functions are told by their environment: names of tables, and the stage's waiting times.
import type { FunctionEnvironment } from '../../../lambdas/environment.ts';
import type { Stage } from '../../config/config.ts';
import { secretPrefix } from '../data/secrets-access.ts';
import type { Tables } from '../data/tables.ts';
import { toCounterShards } from './counter-shards.ts';

/** Every variable of every function; each construct takes its own. */
export function functionEnvironment(stage: Stage, { byName }: Tables): FunctionEnvironment {
  return {
    stage: stage.name,
    configTable: byName.config.tableName,
    keysTable: byName.keys.tableName,
    countersTable: byName.counters.tableName,
    cacheTable: byName.cache.tableName,
    logsTable: byName.logs.tableName,
    usageTable: byName.usage.tableName,
    counterShards: toCounterShards(stage),
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
  };
}
