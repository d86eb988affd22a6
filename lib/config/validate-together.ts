// What stage settings must not be together, though each by itself is allowed.
import { parseDuration } from '../../core/settings/scalars.ts';

/** One mistake: where, why it is one, and what to do. */
export interface StageDiagnostic {
  readonly path: string;
  readonly reason: string;
  readonly remedy: string;
}

type Settings = Readonly<Record<string, unknown>>;

/** Judges settings as written, members that are no settings at all included: those are refused elsewhere. */
export function validateTogether(written: unknown): readonly StageDiagnostic[] {
  if (!isSettings(written)) return [];
  return [
    ...validateAges(written),
    ...validateConcurrency(written),
    ...validateRegions(written),
    ...validateAlarms(written),
    ...validateProtection(written),
  ];
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null;
}

function member(value: unknown, name: string): unknown {
  return isSettings(value) ? value[name] : undefined;
}

const AGES = [
  ['settingsMaxStale', 'settingsTtl'],
  ['keySetsMaxStale', 'keySetsTtl'],
] as const;

function validateAges(settings: Settings): StageDiagnostic[] {
  return AGES.flatMap(([stale, fresh]) => {
    const [most, least] = [settings[stale], settings[fresh]].map((text) =>
      typeof text === 'string' ? parseDuration(text) : undefined,
    );
    if (most === undefined || least === undefined || most >= least) return [];
    const reason = `must not be shorter than ${fresh}, which is ${String(settings[fresh])}`;
    return [{ path: stale, reason, remedy: `Make it longer, or ${fresh} shorter.` }];
  });
}

function validateConcurrency(settings: Settings): StageDiagnostic[] {
  return ['authorizer', 'execution'].flatMap((name) => {
    const kept = member(settings['provisionedConcurrency'], name);
    const wall = member(settings['reservedConcurrency'], name);
    if (typeof kept !== 'number' || typeof wall !== 'number' || kept <= wall) return [];
    return [
      {
        path: `provisionedConcurrency.${name}`,
        reason: `must be at most reservedConcurrency.${name}, which is ${wall}`,
        remedy: 'Keep fewer environments started, or raise the wall.',
      },
    ];
  });
}

/** ARNs of what must stand in the region of the stage, where the stage names one. */
function validateRegions(settings: Settings): StageDiagnostic[] {
  const { region } = settings;
  if (typeof region !== 'string') return [];
  const arns: readonly (readonly [string, unknown])[] = [
    ['domain.certificateArn', member(settings['domain'], 'certificateArn')],
    ['firewall.webAclArn', member(settings['firewall'], 'webAclArn')],
    ['encryptionKeyArn', settings['encryptionKeyArn']],
    ['alarms.topicArn', member(settings['alarms'], 'topicArn')],
  ];
  return arns.flatMap(([path, arn]) => {
    const other = typeof arn === 'string' ? arn.split(':')[3] : undefined;
    if (other === undefined || other === region) return [];
    const reason = `is in ${other}, the stage in ${region}`;
    return [{ path, reason, remedy: 'Name one in the region of the stage.' }];
  });
}

function validateAlarms(settings: Settings): StageDiagnostic[] {
  const addresses = member(settings['alarms'], 'addresses');
  if (!Array.isArray(addresses) || addresses.length === 0) return [];
  if (member(settings['alarms'], 'topicArn') === undefined) return [];
  return [
    {
      path: 'alarms.addresses',
      reason: 'must be empty where topicArn names a topic, which has subscriptions of its own',
      remedy: 'Subscribe the addresses to that topic, or leave topicArn out.',
    },
  ];
}

/** Data that must not be lost is lost all the same without backups, and one runaway caller takes the whole account without a wall. */
function validateProtection(settings: Settings): StageDiagnostic[] {
  if (settings['protectData'] !== true) return [];
  const without: StageDiagnostic[] = [];
  if (settings['pointInTimeRecovery'] === false) {
    const reason = 'must be true where protectData is';
    without.push({ path: 'pointInTimeRecovery', reason, remedy: 'Turn it on, or protectData off.' });
  }
  const { reservedConcurrency: walls } = settings;
  if (walls === undefined) {
    const reason =
      'must be set where protectData is: without it a rush of calls takes the concurrency of the whole account';
    const remedy =
      'Set the three walls; their sum must leave 100 of the account (`aws lambda get-account-settings`).';
    without.push({ path: 'reservedConcurrency', reason, remedy });
  } else if (isSettings(walls) && walls['rollup'] === undefined) {
    const reason = 'must be set where protectData is, as the other walls';
    without.push({ path: 'reservedConcurrency.rollup', reason, remedy: 'Set it; 10 are enough.' });
  }
  return without;
}
