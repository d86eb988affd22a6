// Production: data outlives the stacks, and neither tables nor stacks can be deleted by mistake.
import type { StageSettings } from '../config.ts';

export const prod: StageSettings = {
  name: 'prod',
  transferMode: 'STREAM',
  maxDeadline: '4m',
  settingsFresh: '15s',
  settingsStale: '60s',
  secretsFresh: '5m',
  keySetsFresh: '10m',
  keySetsStale: '1h',
  keySetsRefetch: '30s',
  keySetsFailed: '10s',
  logShards: 1,
  memoryMegabytes: 1024,
  throttle: { requestsPerSecond: 1000, burst: 2000 },
  logRetentionDays: 90,
  // An account that never logged from API Gateway refuses a stage with logs; the role is kept on removal, so other APIs go on.
  accountLogRole: true,
  protectData: true,
  pointInTimeRecovery: true,
};
