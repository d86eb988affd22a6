// Rules across stage settings: combinations that are invalid although each value is valid.
import { errorAt, type PartDiagnostic } from '../../core/admin/diagnostic.ts';
import { parseDuration } from '../../core/settings/scalars.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Validates settings as written; values of the wrong type are skipped, since the schema refuses them. */
export function validateTogether(written: unknown): readonly PartDiagnostic[] {
  if (!isSettings(written)) return [];
  return [
    ...validateAges(written),
    ...validateConcurrency(written),
    ...validateOrganizationConcurrency(written),
    ...validateRegions(written),
    ...validateAlarms(written),
    ...validateHeads(written),
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

function validateAges(settings: Settings): PartDiagnostic[] {
  return AGES.flatMap(([maxStale, ttl]) => {
    const [most, least] = [settings[maxStale], settings[ttl]].map((text) =>
      typeof text === 'string' ? parseDuration(text) : undefined,
    );
    if (most === undefined || least === undefined || most >= least) return [];
    const reason = `must not be shorter than ${ttl}, which is ${String(settings[ttl])}`;
    return [errorAt([maxStale], `${reason}. Make it longer, or ${ttl} shorter.`)];
  });
}

function validateConcurrency(settings: Settings): PartDiagnostic[] {
  return ['authorizer', 'execution'].flatMap((name) => {
    const provisioned = member(settings['provisionedConcurrency'], name);
    const reserved = member(settings['reservedConcurrency'], name);
    if (typeof provisioned !== 'number' || typeof reserved !== 'number' || provisioned <= reserved) return [];
    const message = `must be at most reservedConcurrency.${name}, which is ${reserved}. Lower it, or raise the reserved concurrency.`;
    return [errorAt(['provisionedConcurrency', name], message)];
  });
}

/** An organization that may take all of it leaves the others nothing. */
function validateOrganizationConcurrency(settings: Settings): PartDiagnostic[] {
  const { organizationConcurrency } = settings;
  const reserved = member(settings['reservedConcurrency'], 'execution');
  if (typeof organizationConcurrency !== 'number' || typeof reserved !== 'number') return [];
  if (organizationConcurrency < reserved) return [];
  const message = `must be less than reservedConcurrency.execution, which is ${reserved}: one organization could take all of it. Lower it, or raise the reserved concurrency.`;
  return [errorAt(['organizationConcurrency'], message)];
}

/**
 * The region of a stage: the one that it names, or else that of the first ARN in its settings. Everything that a stage names
 * by ARN must be in the stage's region, and the CDK renders a table's KMS key only where the region is known.
 */
export function regionOf(settings: Settings): string | undefined {
  const { region } = settings;
  return typeof region === 'string' ? region : regionsOfArns(settings)[0]?.region;
}

/** Every ARN must be in the region of the stage. */
function validateRegions(settings: Settings): PartDiagnostic[] {
  const region = regionOf(settings);
  return regionsOfArns(settings)
    .filter((arn) => arn.region !== region)
    .map((arn) =>
      errorAt(arn.path, `is in ${arn.region}, the stage in ${region}. Name one in the region of the stage.`),
    );
}

interface RegionOfArn {
  readonly path: PartDiagnostic['path'];
  readonly region: string;
}

function regionsOfArns(settings: Settings): RegionOfArn[] {
  const arns: readonly (readonly [PartDiagnostic['path'], unknown])[] = [
    [['encryptionKeyArn'], settings['encryptionKeyArn']],
    [['domain', 'certificateArn'], member(settings['domain'], 'certificateArn')],
    [['firewall', 'webAclArn'], member(settings['firewall'], 'webAclArn')],
    [['alarms', 'topicArn'], member(settings['alarms'], 'topicArn')],
    [['alertEventBus'], settings['alertEventBus']],
    [['logHeads', 'keyArn'], member(settings['logHeads'], 'keyArn')],
  ];
  return arns.flatMap(([path, arn]) => {
    const region = typeof arn === 'string' ? arn.split(':')[3] : undefined;
    return region === undefined ? [] : [{ path, region }];
  });
}

function validateAlarms(settings: Settings): PartDiagnostic[] {
  const addresses = member(settings['alarms'], 'addresses');
  if (!Array.isArray(addresses) || addresses.length === 0) return [];
  if (member(settings['alarms'], 'topicArn') === undefined) return [];
  const reason = 'must be empty where topicArn names a topic, which has subscriptions of its own';
  const message = `${reason}. Subscribe the addresses to that topic, or leave topicArn out.`;
  return [errorAt(['alarms', 'addresses'], message)];
}

function validateHeads({ logHeads }: Settings): PartDiagnostic[] {
  if (member(logHeads, 'keyArn') === undefined || member(logHeads, 'bucket') !== undefined) return [];
  const message = "is the key of the heads' bucket, and no bucket is set. Set logHeads.bucket, or remove it.";
  return [errorAt(['logHeads', 'keyArn'], message)];
}

/** With protectData, data must have backups, and no runaway caller may use up the concurrency of the account. */
function validateProtection(settings: Settings): PartDiagnostic[] {
  if (settings['protectData'] !== true) return [];
  const diagnostics: PartDiagnostic[] = [];
  if (settings['pointInTimeRecovery'] === false) {
    const message = 'must be true where protectData is. Turn it on, or protectData off.';
    diagnostics.push(errorAt(['pointInTimeRecovery'], message));
  }
  const { reservedConcurrency } = settings;
  if (reservedConcurrency === undefined) {
    const reason =
      'must be set where protectData is: without it a rush of calls uses up the concurrency of the whole account';
    const remedy =
      'Set it for the three functions; the account must keep 100 unreserved (`aws lambda get-account-settings`).';
    diagnostics.push(errorAt(['reservedConcurrency'], `${reason}. ${remedy}`));
  } else if (isSettings(reservedConcurrency) && reservedConcurrency['rollup'] === undefined) {
    const message = 'must be set where protectData is, as for the other functions. Set it; 10 is enough.';
    diagnostics.push(errorAt(['reservedConcurrency', 'rollup'], message));
  }
  return diagnostics;
}
