// Stage settings: validated as a whole, with a path and a reason for every error.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../../lib/config/config.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { local } from '../../../lib/stages/local.ts';
import { prod } from '../../../lib/stages/prod.ts';

const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d-0000-4000-8000-000000000000';

function errorOf(settings: unknown): string {
  try {
    parseStage(settings);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

describe('stage settings', () => {
  it.each([dev, local, prod])('of the stage $name are accepted', (settings) => {
    expect(parseStage(settings).name).toBe(settings.name);
  });

  it('turn durations into milliseconds', () => {
    const stage = parseStage({ ...dev, maxDeadline: '90s', settingsTtl: '1m', secretsTtl: '15m' });
    expect([stage.maxDeadline, stage.settingsTtl, stage.secretsTtl]).toEqual([90_000, 60_000, 900_000]);
  });

  it.each([
    ['name', { name: 'Prod' }, 'must be 1 to 20 characters of a-z, 0-9 and -'],
    ['name', { name: 'a-very-long-stage-name' }, 'must be 1 to 20 characters'],
    ['name', { name: undefined }, 'must be text such as dev'],
    ['region', { region: 'europe' }, 'must be an AWS region such as eu-central-1'],
    ['transferMode', { transferMode: 'stream' }, 'must be STREAM or BUFFERED'],
    ['maxDeadline', { maxDeadline: '5m' }, 'must be a duration from 1s to 4m'],
    ['maxDeadline', { maxDeadline: 240 }, 'must be a duration from 1s to 4m'],
    ['settingsTtl', { settingsTtl: '0s' }, 'must be a duration from 1s to 60s'],
    ['settingsTtl', { settingsTtl: '61s' }, 'must be a duration from 1s to 60s'],
    ['settingsMaxStale', { settingsMaxStale: '1h' }, 'must be a duration from 1s to 60s'],
    ['secretsTtl', { secretsTtl: '4s' }, 'must be a duration from 5s to 15m'],
    ['secretsTtl', { secretsTtl: '16m' }, 'must be a duration from 5s to 15m'],
    ['keySetsTtl', { keySetsTtl: '4s' }, 'must be a duration from 5s to 1h'],
    ['keySetsTtl', { keySetsTtl: '61m' }, 'must be a duration from 5s to 1h'],
    ['keySetsMaxStale', { keySetsMaxStale: '2h' }, 'must be a duration from 5s to 1h'],
    ['keySetsRefetchAfter', { keySetsRefetchAfter: '4s' }, 'must be a duration from 5s to 10m'],
    ['keySetsRefetchAfter', { keySetsRefetchAfter: '11m' }, 'must be a duration from 5s to 10m'],
    ['keySetsErrorBackoff', { keySetsErrorBackoff: '61s' }, 'must be a duration from 1s to 1m'],
    ['memoryMegabytes', { memoryMegabytes: 128 }, 'must be a whole number from 256 to 10240'],
    [
      'reservedConcurrency.execution',
      { reservedConcurrency: { authorizer: 5, execution: 0 } },
      'must be a whole number from 1 to 100000',
    ],
    ['reservedConcurrency', { reservedConcurrency: 5 }, 'must have members: authorizer, execution, rollup'],
    [
      'throttle.burst',
      { throttle: { requestsPerSecond: 1, burst: 0.5 } },
      'must be a whole number from 1 to 100000',
    ],
    [
      'logRetentionDays',
      { logRetentionDays: 8 },
      'must be a number of days that CloudWatch Logs keeps: 1, 3, 5',
    ],
    ['bedrock[0].region', { bedrock: [{ region: 'us', models: ['a.b'] }] }, 'must be an AWS region'],
    ['bedrock[0].models', { bedrock: [{ region: 'us-east-1', models: [] }] }, 'must name at least one model'],
    [
      'bedrock[0].models[0]',
      { bedrock: [{ region: 'us-east-1', models: ['*'] }] },
      'must be the id of a foundation model',
    ],
    ['accountLogRole', { accountLogRole: 'yes' }, 'must be true or false'],
    ['protectData', { protectData: 1 }, 'must be true or false'],
    ['pointInTimeRecovery', { pointInTimeRecovery: undefined }, 'must be true or false'],
    ['dashboard', { dashboard: 'yes' }, 'must be true or false'],
    [
      'traces.endpoint',
      { traces: { endpoint: 'http://otlp.example.com/v1/traces' } },
      'must be an https URL',
    ],
    ['traces.endpoint', { traces: { endpoint: 'https://u:p@otlp.example.com' } }, 'must be an https URL'],
    ['traces.endpoint', { traces: {} }, 'must be an https URL'],
    [
      'traces.headersSecret',
      { traces: { endpoint: 'https://o.example.com/', headersSecret: 'Bearer x' } },
      'must be the name of a secret',
    ],
    [
      'traces.headersSecret',
      { traces: { endpoint: 'https://o.example.com/', headersSecret: '*' } },
      'must be the name of a secret',
    ],
    [
      'traces.content',
      { traces: { endpoint: 'https://o.example.com/', content: 'yes' } },
      'must be true or false',
    ],
    ['alertEventBus', { alertEventBus: 'two words' }, 'must be the name or the ARN of an event bus'],
    ['alertEventBus', { alertEventBus: 'arn:aws:sns:eu-central-1:111122223333:alerts' }, 'must be the name'],
    ['alarms', { alarms: true }, 'must be an object of settings, such as { addresses: [] }'],
    ['alarms.addresses', { alarms: {} }, 'must be a list of e-mail addresses'],
    [
      'alarms.addresses[0]',
      { alarms: { addresses: ['team'] } },
      'must be an e-mail address such as team@example.com',
    ],
    ['alarms.topicArn', { alarms: { addresses: [], topicArn: 'alerts' } }, 'must be the ARN of a topic'],
    [
      'alarms.unavailablePercent',
      { alarms: { addresses: [], unavailablePercent: 101 } },
      'must be a number from 0 to 100',
    ],
    [
      'alarms.latencyP99',
      { alarms: { addresses: [], latencyP99: '6m' } },
      'must be a duration from 1s to 5m',
    ],
    [
      'alarms.dailySpending',
      { alarms: { addresses: [], dailySpending: -1 } },
      'must be an amount in US dollars',
    ],
    [
      'alarms.addresses',
      {
        alarms: { addresses: ['team@example.com'], topicArn: 'arn:aws:sns:eu-central-1:111122223333:alerts' },
      },
      'must be empty where topicArn names a topic',
    ],
    [
      'alarms.topicKeyArn',
      {
        alarms: {
          addresses: [],
          topicKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000',
        },
      },
      'is the key of the topic that topicArn names, and there is none',
    ],
    ['slo', { slo: {}, alarms: { addresses: [] } }, 'must have an objective: availability or latencyP99'],
    ['slo', { slo: { availability: 99.9 } }, 'is watched by alarms, and the stage has none'],
    ['tags', { tags: 'own' }, 'must be an object of tags'],
    ['tags.costCenter', { tags: { costCenter: 4711 } }, 'must be text of 1 to 256 letters'],
    ['slo.availability', { slo: { availability: 100 } }, 'must be a number from 90 to 99.999'],
    ['slo.latencyP99', { slo: { latencyP99: '0ms' } }, 'must be a time from 1ms to 60s'],
    ['domain', { domain: 'neurons.example.com' }, 'must be { name, certificateArn }'],
    [
      'domain.name',
      { domain: { name: 'https://neurons.example.com', certificateArn: CERTIFICATE } },
      'must be a host name in lower case such as neurons.example.com',
    ],
    [
      'domain.certificateArn',
      { domain: { name: 'neurons.example.com' } },
      "must be the ARN of an ACM certificate in the stage's region",
    ],
    [
      'domain.certificateArn',
      { region: 'eu-west-1', domain: { name: 'neurons.example.com', certificateArn: CERTIFICATE } },
      'is in us-east-1, the stage in eu-west-1',
    ],
    [
      'domain.certificateArn',
      {
        encryptionKeyArn: 'arn:aws:kms:eu-west-1:111122223333:key/0a1b2c3d-0000-4000-8000-000000000000',
        domain: { name: 'neurons.example.com', certificateArn: CERTIFICATE },
      },
      'is in us-east-1, the stage in eu-west-1',
    ],
    [
      'domain.hostedZone.id',
      {
        domain: {
          name: 'n.example.com',
          certificateArn: CERTIFICATE,
          hostedZone: { id: 'x', name: 'example.com' },
        },
      },
      'must be the id of a hosted zone',
    ],
    ['firewall', { firewall: {} }, 'must be either { webAclArn: … } or { requestsPerAddress: N }'],
    [
      'firewall.requestsPerAddress',
      { firewall: { requestsPerAddress: 5 } },
      'must be a whole number from 10',
    ],
    ['firewall.webAclArn', { firewall: { webAclArn: 'own' } }, 'must be the ARN of a Regional web ACL'],
    ['encryptionKeyArn', { encryptionKeyArn: 'alias/own' }, 'must be the ARN of a symmetric KMS key'],
    ['provisionedConcurrency', { provisionedConcurrency: 2 }, 'must be { authorizer: N, execution: N }'],
    [
      'provisionedConcurrency.execution',
      {
        reservedConcurrency: { authorizer: 50, execution: 50 },
        provisionedConcurrency: { authorizer: 50, execution: 51 },
      },
      'must be at most reservedConcurrency.execution, which is 50',
    ],
    ['settingsMaxStale', { settingsMaxStale: '10s' }, 'must not be shorter than settingsTtl, which is 15s'],
    ['keySetsMaxStale', { keySetsMaxStale: '5m' }, 'must not be shorter than keySetsTtl, which is 10m'],
    ['neurons', { neurons: 7 }, 'must be a path of settings files'],
    [
      'pointInTimeRecovery',
      { protectData: true, reservedConcurrency: { authorizer: 1, execution: 1 } },
      'must be true where protectData is',
    ],
    [
      'reservedConcurrency',
      { protectData: true, pointInTimeRecovery: true },
      'must be set where protectData is',
    ],
    [
      'reservedConcurrency.rollup',
      {
        protectData: true,
        pointInTimeRecovery: true,
        reservedConcurrency: { authorizer: 30, execution: 30 },
      },
      'must be set where protectData is, as for the other functions',
    ],
  ])('refuses a wrong %s: %j', (path, wrong, reason) => {
    expect(errorOf({ ...dev, ...wrong })).toContain(`\n  ${path}: ${reason}`);
  });

  it.each([
    [
      'a value',
      { throttle: { requestsPerSecond: 0, burst: 5 } },
      'throttle.requestsPerSecond: must be a whole number from 1 to 100000; it is 0. Change it in the file of the stage.',
    ],
    ['a missing setting', { logRetentionDays: undefined }, '; it is missing. Add it.'],
    ['an unknown setting', { memory: 512 }, '\n  memory: is not a stage setting. Remove it.'],
    [
      'a slip of the finger',
      { memoryMegabyte: 512 },
      'memoryMegabyte: is not a stage setting; did you mean memoryMegabytes? Rename or remove it.',
    ],
    [
      'an unknown member of a setting',
      { throttle: { requestsPerSecond: 1, burts: 1 } },
      'throttle: has the unknown member burts (did you mean burst?). Rename or remove it.',
    ],
    [
      'two that conflict',
      { settingsMaxStale: '10s' },
      'settingsMaxStale: must not be shorter than settingsTtl, which is 15s. Make it longer, or settingsTtl shorter.',
    ],
  ])('refuses %s with what is wrong and what to do', (_kind, wrong, line) => {
    expect(errorOf({ ...dev, ...wrong })).toContain(line);
  });

  it('refuses a long value with only its beginning', () => {
    expect(errorOf({ ...dev, region: 'x'.repeat(500) }).length).toBeLessThan(250);
  });

  it('take the region from an ARN where they name none', () => {
    const domain = { name: 'neurons.example.com', certificateArn: CERTIFICATE };
    expect(parseStage({ ...dev, domain }).region).toBe('us-east-1');
    expect(parseStage({ ...dev, domain, region: 'us-east-1' }).region).toBe('us-east-1');
    expect(parseStage(dev)).not.toHaveProperty('region');
  });

  it('allow only the models on Bedrock that they name', () => {
    expect(parseStage(dev).bedrock).toEqual([]);
    const bedrock = [{ region: 'us-east-1', models: ['us.amazon.nova-lite-v1:0'] }];
    expect(parseStage({ ...dev, bedrock }).bedrock).toEqual(bedrock);
  });

  it.each([
    ['settingsFresh', 'settingsTtl'],
    ['settingsStale', 'settingsMaxStale'],
    ['secretsFresh', 'secretsTtl'],
    ['keySetsFresh', 'keySetsTtl'],
    ['keySetsStale', 'keySetsMaxStale'],
    ['keySetsRefetch', 'keySetsRefetchAfter'],
    ['keySetsFailed', 'keySetsErrorBackoff'],
  ])('refuses the former name %s and suggests %s', (former, present) => {
    expect(errorOf({ ...dev, [former]: '30s' })).toContain(
      `\n  ${former}: is not a stage setting; did you mean ${present}?`,
    );
  });

  it('refuses a value that is not an object', () => {
    expect(() => parseStage('dev')).toThrow('(stage): must be an object of settings');
  });

  it('refuses with every error at once', () => {
    const wrong = {
      ...dev,
      transferMode: 'x',
      maxDeadline: 'x',
      memoryMegabytes: 1,
      surplus: 1,
      settingsMaxStale: '1s',
    };
    expect(() => parseStage(wrong)).toThrow(
      /transferMode:.*\n.*maxDeadline:.*\n.*memoryMegabytes:.*\n.*surplus.*\n.*settingsMaxStale/,
    );
  });
});
