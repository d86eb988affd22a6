// Development: `cdk destroy` leaves the secrets of organizations and the account's role for logs, and nothing else.
import type { StageSettings } from '../config/config.ts';
import { DEPLOYED } from '../config/deployed.ts';

export const dev: StageSettings = {
  name: 'dev',
  ...DEPLOYED,
  logShards: 1,
  logHeads: {},
  managedPolicies: {},
  memoryMegabytes: 1024,
  throttle: { requestsPerSecond: 100, burst: 200 },
  dashboard: false,
  logRetentionDays: 14,
  // An account that never logged from API Gateway refuses a stage with logs; the role is kept on removal, so other APIs go on.
  accountLogRole: true,
  protectData: false,
  pointInTimeRecovery: false,
};
