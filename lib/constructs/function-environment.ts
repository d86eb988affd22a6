// What the functions are told by their environment: names of tables, and the stage's waiting times.
import type { FunctionEnvironment } from '../../lambdas/environment.ts';
import type { Stage } from '../config.ts';
import { secretPrefix } from './secrets-access.ts';
import type { Tables } from './tables.ts';

/** Half of what one item takes (a partition: 1,000 writes a second), so that chance may fill one shard faster than the others. */
const WRITES_PER_SHARD = 500;

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
    counterShards: Math.ceil(stage.counterPeakPerSecond / WRITES_PER_SHARD),
    logShards: stage.logShards,
    secretPrefix: secretPrefix(stage),
    transferMode: stage.transferMode,
    maxDeadlineMs: stage.maxDeadline,
    settingsFreshMs: stage.settingsFresh,
    settingsStaleMs: stage.settingsStale,
    secretsFreshMs: stage.secretsFresh,
    keySetsFreshMs: stage.keySetsFresh,
    keySetsStaleMs: stage.keySetsStale,
    keySetsRefetchMs: stage.keySetsRefetch,
    keySetsFailedMs: stage.keySetsFailed,
  };
}
