// Rules across stage settings: combinations that are invalid although each value is valid.
import { errorAt, type PartDiagnostic } from '../../core/admin/diagnostic.ts';
import { isHostPattern, rejectProviderHost, toBedrockHost } from '../../core/settings/provider-hosts.ts';
import { parseDuration } from '../../core/settings/scalars.ts';
import { MIN_MEGABYTES } from './compute.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Validates settings as written; values of the wrong type are skipped, since the schema refuses them. */
export function validateTogether(written: unknown): readonly PartDiagnostic[] {
  if (!isSettings(written)) return [];
  return [
    ...validateAges(written),
    ...validateRegions(written),
    ...validateAlarms(written),
    ...validateHeads(written),
    ...validateObjectives(written),
    ...validateCompute(written),
    ...validateProtection(written),
    ...validateBedrockHosts(written),
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
    [['alarms', 'topicKeyArn'], member(settings['alarms'], 'topicKeyArn')],
    [['alertEventBus'], settings['alertEventBus']],
    [['logHeads', 'keyArn'], member(settings['logHeads'], 'keyArn')],
    [['archive', 'keyArn'], member(settings['archive'], 'keyArn')],
  ];
  return arns.flatMap(([path, arn]) => {
    const region = typeof arn === 'string' ? arn.split(':')[3] : undefined;
    return region === undefined ? [] : [{ path, region }];
  });
}

function validateAlarms(settings: Settings): PartDiagnostic[] {
  const key = member(settings['alarms'], 'topicKeyArn');
  if (key !== undefined && member(settings['alarms'], 'topicArn') === undefined) {
    const lonely =
      'is the key of the topic that topicArn names, and there is none. Set topicArn, or remove it.';
    return [errorAt(['alarms', 'topicKeyArn'], lonely)];
  }
  const addresses = member(settings['alarms'], 'addresses');
  if (!Array.isArray(addresses) || addresses.length === 0) return [];
  if (member(settings['alarms'], 'topicArn') === undefined) return [];
  const reason = 'must be empty where topicArn names a topic, which has subscriptions of its own';
  const message = `${reason}. Subscribe the addresses to that topic, or leave topicArn out.`;
  return [errorAt(['alarms', 'addresses'], message)];
}

function validateObjectives({ slo, alarms }: Settings): PartDiagnostic[] {
  if (!isSettings(slo)) return [];
  const diagnostics: PartDiagnostic[] = [];
  if (slo['availability'] === undefined && slo['latencyP99'] === undefined) {
    const message = 'must have an objective: availability or latencyP99. Add one, or remove slo.';
    diagnostics.push(errorAt(['slo'], message));
  }
  if (alarms === undefined)
    diagnostics.push(
      errorAt(['slo'], 'is watched by alarms, and the stage has none. Set alarms, or remove slo.'),
    );
  return diagnostics;
}

function validateHeads({ logHeads }: Settings): PartDiagnostic[] {
  if (member(logHeads, 'keyArn') === undefined || member(logHeads, 'bucket') !== undefined) return [];
  const message = "is the key of the heads' bucket, and no bucket is set. Set logHeads.bucket, or remove it.";
  return [errorAt(['logHeads', 'keyArn'], message)];
}

/** Managed instances have no provisioned concurrency, no shifting between versions, and environments of 2 GiB at least. */
function validateCompute({
  compute,
  canary,
  provisionedConcurrency,
  memoryMegabytes,
}: Settings): PartDiagnostic[] {
  if (member(compute, 'shared') === undefined) return [];
  const diagnostics: PartDiagnostic[] = [];
  if (typeof memoryMegabytes === 'number' && memoryMegabytes < MIN_MEGABYTES) {
    const message = `must be at least ${MIN_MEGABYTES} where compute is shared, which is the least of Lambda Managed Instances; it is ${memoryMegabytes}. Raise it, or remove compute.`;
    diagnostics.push(errorAt(['memoryMegabytes'], message));
  }
  for (const [name, value] of Object.entries({ canary, provisionedConcurrency })) {
    if (value === undefined) continue;
    const message =
      'cannot be set where compute is shared: environments are always started there, and serve one version. Remove one of them.';
    diagnostics.push(errorAt([name], message));
  }
  return diagnostics;
}

/** With protectData, data must have backups. */
function validateProtection(settings: Settings): PartDiagnostic[] {
  if (settings['protectData'] !== true || settings['pointInTimeRecovery'] !== false) return [];
  const message = 'must be true where protectData is. Turn it on, or protectData off.';
  return [errorAt(['pointInTimeRecovery'], message)];
}

/** A model on Bedrock in a region whose endpoint is not listed could never be called. */
function validateBedrockHosts({ bedrock, providerHosts }: Settings): PartDiagnostic[] {
  if (!Array.isArray(bedrock) || !Array.isArray(providerHosts)) return [];
  const hosts = providerHosts.filter((host) => typeof host === 'string' && isHostPattern(host));
  return bedrock.flatMap((entry, index) => {
    const region = member(entry, 'region');
    const message = typeof region === 'string' ? rejectProviderHost(hosts, toBedrockHost(region)) : undefined;
    return message === undefined ? [] : [errorAt(['bedrock', index, 'region'], `${message}.`)];
  });
}
