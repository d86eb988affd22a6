// Development: `cdk destroy` leaves the secrets of organizations and the account's role for logs, and nothing else.
import type { StageSettings } from '../config/config.ts';

export const dev: StageSettings = {
  name: 'dev',
  transferMode: 'STREAM',
  maxDeadline: '4m',
  settingsTtl: '15s',
  settingsMaxStale: '60s',
  secretsTtl: '5m',
  keySetsTtl: '10m',
  keySetsMaxStale: '1h',
  keySetsRefetchAfter: '30s',
  keySetsErrorBackoff: '10s',
  logShards: 1,
  logHeads: {},
  memoryMegabytes: 1024,
  throttle: { requestsPerSecond: 100, burst: 200 },
  dashboard: false,
  logRetentionDays: 14,
  // An account that never logged from API Gateway refuses a stage with logs; the role is kept on removal, so other APIs go on.
  accountLogRole: true,
  protectData: false,
  pointInTimeRecovery: false,
};
