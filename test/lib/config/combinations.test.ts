// Every optional stage setting synthesizes: alone, and beside every other one, with and without a region.
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../../lib/app.ts';
import { parseStage, type StageSettings } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { synthesize } from '../synthesized.ts';

const REGION = 'eu-central-1';
const ID = '0a1b2c3d-0000-4000-8000-000000000000';
const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:111122223333:${resource}`;
const host = { name: 'neurons.example.com', certificateArn: arn('acm', `certificate/${ID}`) };

/** Each way to use an optional setting, beside the settings of `dev`. Two of the same setting exclude each other. */
const OPTIONS: Readonly<Record<string, Partial<StageSettings>>> = {
  buffered: { transferMode: 'BUFFERED' },
  reserved: { reservedConcurrency: { authorizer: 5, execution: 5, rollup: 5 } },
  provisioned: { provisionedConcurrency: { authorizer: 1, execution: 2 } },
  canary: { canary: '10PERCENT_5MINUTES' },
  bedrock: { bedrock: [{ region: 'us-east-1', models: ['us.amazon.nova-lite-v1:0'] }] },
  shards: { counterPeakPerSecond: 2000, logShards: 4 },
  domain: { domain: host },
  zone: { domain: { ...host, hostedZone: { id: 'Z0123456789ABC', name: 'example.com' } } },
  webAcl: { firewall: { webAclArn: arn('wafv2', `regional/webacl/own/${ID}`) } },
  perAddress: { firewall: { requestsPerAddress: 600 } },
  key: { encryptionKeyArn: arn('kms', `key/${ID}`) },
  addresses: { alarms: { addresses: ['team@example.com'] } },
  topic: { alarms: { addresses: [], topicArn: arn('sns', 'alerts') } },
  dashboard: { dashboard: true },
  backups: { pointInTimeRecovery: true },
  // It demands the other two.
  protected: {
    protectData: true,
    pointInTimeRecovery: true,
    reservedConcurrency: { authorizer: 9, execution: 9, rollup: 9 },
  },
  noLogRole: { accountLogRole: false },
  neurons: { neurons: 'examples/limits.yaml' },
};

const NAMES = Object.keys(OPTIONS);
const REGIONS = [undefined, REGION] as const;

/** Settings of the same name with different values. */
function exclude(one: string, other: string): boolean {
  return Object.keys(OPTIONS[one]!).some(
    (name) => name in OPTIONS[other]! && one !== other && !(one === 'protected' || other === 'protected'),
  );
}

/** Few sets of options that hold every pair together: each set takes the next missing pair and all that fits beside it. */
function coverPairs(): string[][] {
  const missing = new Set(
    NAMES.flatMap((one, index) =>
      NAMES.slice(index + 1).flatMap((other) => (exclude(one, other) ? [] : [`${one} ${other}`])),
    ),
  );
  const sets: string[][] = [];
  for (const pair of missing) {
    const set = pair.split(' ');
    for (const name of NAMES)
      if (!set.includes(name) && set.every((one) => !exclude(one, name))) set.push(name);
    for (const one of set) for (const other of set) missing.delete(`${one} ${other}`);
    sets.push(set);
  }
  return sets;
}

function settingsOf(names: readonly string[], region: string | undefined): Partial<StageSettings> {
  const ordered = names.toSorted((one, other) => Number(one === 'protected') - Number(other === 'protected'));
  const settings = Object.assign({}, ...ordered.map((name) => OPTIONS[name])) as Partial<StageSettings>;
  return region === undefined ? settings : { ...settings, region };
}

describe.each(REGIONS)('in the region %s', (region) => {
  it.each(NAMES)('the optional setting %s synthesizes alone', (name) => {
    expect(synthesize('dev', settingsOf([name], region)).data.Resources).toHaveProperty('ConfigTable');
  });

  it.each(coverPairs())('synthesize together: %s, %s, …', (...names) => {
    expect(synthesize('dev', settingsOf(names, region)).data.Resources).toHaveProperty('ConfigTable');
  });
});

describe('the options of this test', () => {
  it('set every setting that a stage may leave out, or that the stages set differently', () => {
    const tried = new Set(Object.values(OPTIONS).flatMap((settings) => Object.keys(settings)));
    const stage = parseStage(dev);
    const optional = Object.keys(settingsOf(NAMES, REGION)).filter((name) => !(name in dev));
    const flags = Object.keys(dev).filter((name) => typeof stage[name as keyof typeof stage] === 'boolean');
    expect(flags.filter((name) => !tried.has(name))).toEqual([]);
    const used = Object.values(STAGES).flatMap((settings) => Object.keys(settings));
    expect(used.filter((name) => !(name in dev) && !optional.includes(name))).toEqual([]);
  });
});
