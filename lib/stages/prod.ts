// Production: data outlives the stacks, and neither tables nor stacks can be deleted by mistake.
import type { StageSettings } from '../config/config.ts';
import { DEPLOYED } from '../config/deployed.ts';

export const prod: StageSettings = {
  name: 'prod',
  ...DEPLOYED,
  memoryMegabytes: 1024,
  // Reserves 816 of the usual quota of an account, 1,000; a new account may have less: docs/deploy.md.
  peak: { callsPerSecond: 200, secondsPerCall: 2 },
  // Half of the 600 that the peak reserves for runs: whatever one organization does, the others have the other half.
  organizationConcurrency: 300,
  // Empty: the alarms only show in CloudWatch. Add the addresses of the team.
  alarms: { addresses: [] },
  // Only heads that are kept elsewhere show a log that was made anew. Add the bucket of another account: { bucket: NAME }.
  logHeads: {},
  managedPolicies: {},
  dashboard: true,
  // X-Ray's own rule takes the first request of each second: 4.16 dollars of a million at 0.4 calls a second.
  xray: { percent: 1 },
  logRetentionDays: 90,
  // An account that never logged from API Gateway refuses a stage with logs; the role is kept on removal, so other APIs go on.
  accountLogRole: true,
  protectData: true,
  pointInTimeRecovery: true,
};
