// The local run: as every other stage, with short waiting times so that a change is seen at once.
import type { StageSettings } from '../config.ts';

export const local: StageSettings = {
  name: 'local',
  transferMode: 'STREAM',
  maxDeadline: '4m',
  settingsFresh: '1s',
  settingsStale: '60s',
  secretsFresh: '5s',
  keySetsFresh: '5s',
  keySetsStale: '1h',
  keySetsRefetch: '5s',
  keySetsFailed: '1s',
  logShards: 1,
  memoryMegabytes: 1024,
  // API Gateway's own default per account and region: what a laptop can do stays below it.
  throttle: { requestsPerSecond: 10_000, burst: 5000 },
  dashboard: false,
  logRetentionDays: 7,
  accountLogRole: false,
  protectData: false,
  pointInTimeRecovery: false,
};
