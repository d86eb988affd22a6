// The optional settings of a stage, each with an example, for tests that try them alone and together.
import type { StageSettings } from '../../lib/config/config.ts';

export const REGION = 'eu-central-1';
const ID = '0a1b2c3d-0000-4000-8000-000000000000';
const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:111122223333:${resource}`;
const host = { name: 'neurons.example.com', certificateArn: arn('acm', `certificate/${ID}`) };

/** Each way to use an optional setting, beside the settings of `dev`. Two of the same setting exclude each other. */
export const OPTIONS: Readonly<Record<string, Partial<StageSettings>>> = {
  buffered: { transferMode: 'BUFFERED' },
  // Without a peak, as development is.
  reserved: {
    peak: undefined,
    throttle: { requestsPerSecond: 20, burst: 20 },
    logShards: 1,
    reservedConcurrency: { authorizer: 5, execution: 5, rollup: 5, traces: 2 },
    organizationConcurrency: 4,
  },
  peak: {
    peak: { callsPerSecond: 300, secondsPerCall: 0.5 },
    throttle: undefined,
    reservedConcurrency: { rollup: 12 },
  },
  // So many calls that tables are warmed.
  busy: {
    peak: { callsPerSecond: 5000, secondsPerCall: 0.2, organizationCallsPerSecond: 100 },
    throttle: undefined,
  },
  throughput: { throughput: { logs: { warmWrites: 8000, maxWrites: 9000 }, keys: { maxReads: 500 } } },
  perOrganization: { organizationConcurrency: 3 },
  shared: {
    compute: {
      shared: { subnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6071'], securityGroupIds: ['sg-0a1b2c3d'] },
    },
    memoryMegabytes: 2048,
  },
  // Lambda has neither where calls share an environment.
  provisioned: { provisionedConcurrency: { authorizer: 1, execution: 2 }, compute: undefined },
  canary: { canary: '10PERCENT_5MINUTES', compute: undefined },
  sampling: { xray: { percent: 0.5, perSecond: 1 } },
  bedrock: {
    bedrock: [
      {
        region: 'us-east-1',
        models: ['us.amazon.nova-lite-v1:0'],
        guardrails: ['abc123'],
        guardrailProfiles: ['us.guardrail.v1:0'],
        guardrailChecks: true,
      },
    ],
  },
  hosts: {
    providerHosts: ['api.openai.com', '*.openai.azure.com', 'bedrock-runtime.us-east-1.amazonaws.com'],
  },
  shards: { counterPeakPerSecond: 2000, logShards: 4 },
  domain: { domain: host },
  zone: { domain: { ...host, hostedZone: { id: 'Z0123456789ABC', name: 'example.com' } } },
  webAcl: { firewall: { webAclArn: arn('wafv2', `regional/webacl/own/${ID}`) } },
  perAddress: { firewall: { requestsPerAddress: 600 } },
  firewallLogs: { firewall: { requestsPerAddress: 600, logs: true } },
  tags: { tags: { costCenter: '4711', 'Data class': 'internal' } },
  key: { encryptionKeyArn: arn('kms', `key/${ID}`) },
  addresses: { alarms: { addresses: ['team@example.com'] } },
  topic: { alarms: { addresses: [], topicArn: arn('sns', 'alerts') } },
  topicKey: {
    alarms: { addresses: [], topicArn: arn('sns', 'alerts'), topicKeyArn: arn('kms', `key/${ID}`) },
  },
  slo: {
    slo: { availability: 99.9, latencyP99: '500ms' },
    alarms: { addresses: ['night@example.com'] },
  },
  eventBus: { alertEventBus: 'alerts' },
  traces: { traces: { endpoint: 'https://otlp.example.com/v1/traces' } },
  tracesSecret: {
    traces: { endpoint: 'https://otlp.example.com/v1/traces', headersSecret: 'otlp', content: true },
  },
  heads: { logHeads: {} },
  headsBucket: { logHeads: { bucket: 'audit-heads' } },
  headsKey: { logHeads: { bucket: 'audit-heads', keyArn: arn('kms', `key/${ID}`) } },
  archive: { archive: { bucket: 'audit-archive' } },
  archiveKept: {
    archive: {
      ...{ bucket: 'audit-archive', keyArn: arn('kms', `key/${ID}`) },
      ...{ mode: 'compliance', retention: '3650d', organizations: { acme: '90d' } },
    },
  },
  noPolicies: { managedPolicies: undefined },
  policies: { managedPolicies: { authors: { shopTeam: ['shop', 'shop-eu'], a1: ['acme'] } } },
  dashboard: { dashboard: true },
  backups: { pointInTimeRecovery: true },
  // It demands backups, and concurrency limits.
  protected: {
    protectData: true,
    pointInTimeRecovery: true,
    peak: { callsPerSecond: 20, secondsPerCall: 1 },
    throttle: undefined,
    organizationConcurrency: 30,
  },
  noLogRole: { accountLogRole: false },
  neurons: { neurons: 'examples/limits.yaml' },
};

/** The settings of several options; of two options with the same setting the last one holds. */
export function settingsOf(names: readonly string[], region: string | undefined): Partial<StageSettings> {
  const settings = Object.assign({}, ...names.map((name) => OPTIONS[name])) as Partial<StageSettings>;
  return region === undefined ? settings : { ...settings, region };
}

/** Settings of the same name with different values. */
function exclude(one: string, other: string): boolean {
  return Object.keys(OPTIONS[one]!).some((name) => name in OPTIONS[other]! && one !== other);
}

/** Every two options that can be set together. */
export function listPairs(): [string, string][] {
  const names = Object.keys(OPTIONS);
  return names.flatMap((one, index) =>
    names
      .slice(index + 1)
      .flatMap((other): [string, string][] => (exclude(one, other) ? [] : [[one, other]])),
  );
}

/** Few sets of options that hold every pair together: each takes a missing pair, then what adds most missing pairs to it. */
export function coverPairs(): string[][] {
  const names = Object.keys(OPTIONS);
  const key = (one: string, other: string) => [one, other].toSorted().join(' ');
  const missing = new Set(listPairs().map(([one, other]) => key(one, other)));
  const sets: string[][] = [];
  for (const pair of missing) {
    const set = pair.split(' ');
    const gain = (name: string) => set.filter((one) => missing.has(key(one, name))).length;
    for (;;) {
      const fitting = names.filter((name) => !set.includes(name) && set.every((one) => !exclude(one, name)));
      const [best] = fitting.toSorted((one, other) => gain(other) - gain(one));
      if (best === undefined) break;
      set.push(best);
    }
    for (const one of set) for (const other of set) missing.delete(key(one, other));
    sets.push(set);
  }
  return sets;
}
