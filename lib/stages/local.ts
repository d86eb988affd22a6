// The local run: like every other stage, with short durations so that a change takes effect at once.
import type { StageSettings } from '../config/config.ts';

export const local: StageSettings = {
  name: 'local',
  transferMode: 'STREAM',
  maxDeadline: '4m',
  settingsTtl: '1s',
  settingsMaxStale: '60s',
  secretsTtl: '5s',
  keySetsTtl: '5s',
  keySetsMaxStale: '1h',
  keySetsRefetchAfter: '5s',
  keySetsErrorBackoff: '1s',
  logShards: 1,
  memoryMegabytes: 1024,
  // API Gateway's own default per account and region: what a laptop can do stays below it.
  throttle: { requestsPerSecond: 10_000, burst: 5000 },
  logHeads: {},
  dashboard: false,
  logRetentionDays: 7,
  accountLogRole: false,
  protectData: false,
  pointInTimeRecovery: false,
};
