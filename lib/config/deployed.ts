// Settings that the stages on AWS have in common: how long what was read is used.
import type { StageSettings } from './config.ts';

export const DEPLOYED = {
  transferMode: 'STREAM',
  maxDeadline: '4m',
  settingsTtl: '15s',
  settingsMaxStale: '60s',
  secretsTtl: '5m',
  keySetsTtl: '10m',
  keySetsMaxStale: '1h',
  keySetsRefetchAfter: '30s',
  keySetsErrorBackoff: '10s',
} as const satisfies Partial<StageSettings>;
