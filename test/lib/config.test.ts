// Stage settings: judged whole, with path and reason for every mistake.
import { describe, expect, it } from 'vitest';
import { parseStage } from '../../lib/config.ts';
import { dev } from '../../lib/stages/dev.ts';
import { local } from '../../lib/stages/local.ts';
import { prod } from '../../lib/stages/prod.ts';

describe('stage settings', () => {
  it.each([dev, local, prod])('of the stage $name are accepted', (settings) => {
    expect(parseStage(settings).name).toBe(settings.name);
  });

  it('turn durations into milliseconds', () => {
    const stage = parseStage({ ...dev, maxDeadline: '90s', settingsFresh: '1m', secretsFresh: '15m' });
    expect([stage.maxDeadline, stage.settingsFresh, stage.secretsFresh]).toEqual([90_000, 60_000, 900_000]);
  });

  it.each([
    ['name', { name: 'Prod' }, 'must be 1 to 20 characters of a-z, 0-9 and -'],
    ['name', { name: 'a-very-long-stage-name' }, 'must be 1 to 20 characters'],
    ['name', { name: undefined }, 'must be text such as dev'],
    ['region', { region: 'europe' }, 'must be an AWS region such as eu-central-1'],
    ['transferMode', { transferMode: 'stream' }, 'must be STREAM or BUFFERED'],
    ['maxDeadline', { maxDeadline: '5m' }, 'must be a duration from 1s to 4m'],
    ['maxDeadline', { maxDeadline: 240 }, 'must be a duration from 1s to 4m'],
    ['settingsFresh', { settingsFresh: '0s' }, 'must be a duration from 1s to 60s'],
    ['settingsFresh', { settingsFresh: '61s' }, 'must be a duration from 1s to 60s'],
    ['settingsStale', { settingsStale: '1h' }, 'must be a duration from 1s to 60s'],
    ['secretsFresh', { secretsFresh: '4s' }, 'must be a duration from 5s to 15m'],
    ['secretsFresh', { secretsFresh: '16m' }, 'must be a duration from 5s to 15m'],
    ['keySetsFresh', { keySetsFresh: '4s' }, 'must be a duration from 5s to 1h'],
    ['keySetsFresh', { keySetsFresh: '61m' }, 'must be a duration from 5s to 1h'],
    ['keySetsStale', { keySetsStale: '2h' }, 'must be a duration from 5s to 1h'],
    ['keySetsRefetch', { keySetsRefetch: '4s' }, 'must be a duration from 5s to 10m'],
    ['keySetsRefetch', { keySetsRefetch: '11m' }, 'must be a duration from 5s to 10m'],
    ['keySetsFailed', { keySetsFailed: '61s' }, 'must be a duration from 1s to 1m'],
    ['memoryMegabytes', { memoryMegabytes: 128 }, 'must be a whole number from 256 to 10240'],
    [
      'reservedConcurrency.execution',
      { reservedConcurrency: { authorizer: 5, execution: 0 } },
      'must be a whole number from 1 to 100000',
    ],
    ['reservedConcurrency', { reservedConcurrency: 5 }, 'must be an object of settings'],
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
    ['bedrock.0.region', { bedrock: [{ region: 'us', models: ['a.b'] }] }, 'must be an AWS region'],
    ['bedrock.0.models', { bedrock: [{ region: 'us-east-1', models: [] }] }, 'must name at least one model'],
    [
      'bedrock.0.models.0',
      { bedrock: [{ region: 'us-east-1', models: ['*'] }] },
      'must be the id of a foundation model',
    ],
    ['accountLogRole', { accountLogRole: 'yes' }, 'must be true or false'],
    ['protectData', { protectData: 1 }, 'must be true or false'],
    ['pointInTimeRecovery', { pointInTimeRecovery: undefined }, 'must be true or false'],
  ])('refuses a wrong %s: %j', (path, wrong, reason) => {
    expect(() => parseStage({ ...dev, ...wrong })).toThrow(`  ${path}: ${reason}`);
  });

  it('allow no model on Bedrock unless they name some', () => {
    expect(parseStage(dev).bedrock).toEqual([]);
    const bedrock = [{ region: 'us-east-1', models: ['us.amazon.nova-lite-v1:0'] }];
    expect(parseStage({ ...dev, bedrock }).bedrock).toEqual(bedrock);
  });

  it('refuses a setting that nobody reads, by its name', () => {
    expect(() => parseStage({ ...dev, memory: 512 })).toThrow('unknown: memory');
  });

  it('refuses what is no object', () => {
    expect(() => parseStage('dev')).toThrow('(stage): must be an object of settings');
  });

  it('names every mistake at once', () => {
    const wrong = { ...dev, transferMode: 'x', maxDeadline: 'x', memoryMegabytes: 1, surplus: 1 };
    expect(() => parseStage(wrong)).toThrow(
      /transferMode:.*\n.*maxDeadline:.*\n.*memoryMegabytes:.*\n.*surplus/,
    );
  });
});
