// The numbers that follow from a stage's peak, each computed by hand, and those that cannot hold it.
import { describe, expect, it } from 'vitest';
import { parseStage, type StageSettings } from '../../../lib/config/config.ts';
import { totalReserved } from '../../../lib/config/reserved.ts';
import { dev } from '../../../lib/stages/dev.ts';
import { local } from '../../../lib/stages/local.ts';
import { prod } from '../../../lib/stages/prod.ts';

/** Development without numbers of its own, so that all of them follow from the peak. */
function stageOf(peak: StageSettings['peak'], more: Partial<StageSettings> = {}) {
  return parseStage({ ...dev, throttle: undefined, logShards: undefined, peak, ...more });
}

function errorOf(settings: Partial<StageSettings>): string {
  try {
    parseStage({ ...dev, throttle: undefined, logShards: undefined, ...settings });
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

describe('a peak of 200 calls a second of 2 s', () => {
  const stage = stageOf({ callsPerSecond: 200, secondsPerCall: 2 });

  it('lets as many requests pass, and half a second of them at once', () => {
    expect(stage.throttle).toEqual({ requestsPerSecond: 200, burst: 100 });
  });

  it('reserves environments for all that can run at once after a start from zero', () => {
    // In the 2.5 s that a call and a start take, 100 + 200 × 2.5 requests are admitted; the authorizer takes 0.52 s.
    expect(stage.reservedConcurrency).toMatchObject({ execution: 600, authorizer: 204, rollup: 10 });
  });

  it('has one shard of log and counters, and tables as new ones are', () => {
    expect(stage.logShards).toBe(1);
    expect(stage.counterPeakPerSecond).toBe(500);
    // 300 requests in the first second, 64 writes each at most.
    expect(stage.throughput).toEqual({ counters: { maxWrites: 19_200 } });
  });
});

describe('a peak of 5,000 calls a second of 0.1 s', () => {
  const stage = stageOf(
    { callsPerSecond: 5000, secondsPerCall: 0.1, organizationCallsPerSecond: 1200 },
    { settingsTtl: '60s' },
  );

  it('has shards for its busiest organization', () => {
    expect([stage.logShards, stage.counterPeakPerSecond]).toEqual([3, 1200]);
  });

  it('reads the stream with two environments for every thousand calls', () => {
    expect(stage.reservedConcurrency).toMatchObject({ rollup: 10, traces: 10 });
  });

  it('warms the tables that take more than a new one does', () => {
    expect(stage.throughput).toEqual({
      counters: { warmWrites: 30_000 },
      cache: { warmWrites: 15_000 },
      logs: { warmWrites: 5000 },
      usage: { warmWrites: 15_000 },
    });
  });
});

describe('the peak', () => {
  it.each<[string, Partial<StageSettings>, object]>([
    ['throttle', { throttle: { requestsPerSecond: 30, burst: 3 } }, { requestsPerSecond: 30, burst: 3 }],
    ['logShards', { logShards: 8 }, { logShards: 8 }],
    ['counterPeakPerSecond', { counterPeakPerSecond: 4000 }, { counterPeakPerSecond: 4000 }],
    ['reservedConcurrency', { reservedConcurrency: { execution: 99 } }, { authorizer: 21, execution: 99 }],
    ['throughput', { throughput: { counters: { maxWrites: 5000 } } }, { counters: { maxWrites: 5000 } }],
  ])('leaves %s to the stage where it is set', (name, set, expected) => {
    const stage = stageOf({ callsPerSecond: 20, secondsPerCall: 1 }, set);
    const found = stage[name as keyof typeof stage];
    expect(typeof found === 'object' ? found : { [name]: found }).toMatchObject(expected);
  });

  it('is held by production as shipped, within the usual quota of an account', () => {
    const stage = parseStage(prod);
    // 204 + 600 + 10 + 1 + 1; Lambda keeps 100 of 1,000.
    expect(totalReserved(stage)).toBe(816);
    expect(parseStage({ ...prod, traces: { endpoint: 'https://otlp.example.com/' } })).toSatisfy(
      (traced: typeof stage) => totalReserved(traced) === 821,
    );
  });

  it.each<[string, Partial<StageSettings>, string]>([
    [
      'fewer environments of the execution function',
      {
        peak: { callsPerSecond: 20, secondsPerCall: 1 },
        reservedConcurrency: { execution: 39 },
      },
      'reservedConcurrency.execution: must be at least 40 for a throttle of 20 requests a second and a burst of 10 (the larger of 10 + 20 × (1 s + 0.5 s for a start) and (20 + 10) / 10 a second); it is 39',
    ],
    [
      'fewer environments of the authorizer',
      {
        peak: { callsPerSecond: 20, secondsPerCall: 1 },
        reservedConcurrency: { authorizer: 20 },
      },
      'reservedConcurrency.authorizer: must be at least 21 for',
    ],
    [
      'a lower throttle',
      {
        peak: { callsPerSecond: 20, secondsPerCall: 1 },
        throttle: { requestsPerSecond: 19, burst: 5 },
      },
      'throttle.requestsPerSecond: must be at least peak.callsPerSecond, which is 20.',
    ],
    [
      'fewer shards of the log',
      { peak: { callsPerSecond: 501, secondsPerCall: 0.1 }, logShards: 1 },
      'logShards: must be at least 2: one for every 500 of 501 calls a second of one organization.',
    ],
    [
      'fewer shards of counters',
      { peak: { callsPerSecond: 501, secondsPerCall: 0.1 }, counterPeakPerSecond: 500 },
      'counterPeakPerSecond: must be at least 501',
    ],
    [
      'places of one organization on one item',
      { peak: { callsPerSecond: 501, secondsPerCall: 0.1 }, organizationConcurrency: 5 },
      'organizationConcurrency: makes 2 writes for each call on one item of the organization: 1002 a second for 501 calls, and an item takes 1000.',
    ],
    [
      'more shards than there can be',
      { peak: { callsPerSecond: 40_000, secondsPerCall: 0.1 }, settingsTtl: '60s' },
      'peak.organizationCallsPerSecond: an organization with this many calls needs 80 shards of its log, and there can be 64.',
    ],
    [
      // min(1,015, 1,000) of the authorizer and min(1,100, 1,000) of the execution function, two items each.
      'settings that are read too often',
      { peak: { callsPerSecond: 1000, secondsPerCall: 0.1 }, settingsTtl: '1s' },
      'settingsTtl: is too short: 1020 + 1100 environments that read 2 settings of one organization every 1 s make 4000 reads a second, and a partition takes 3000.',
    ],
    [
      'a maximum below what is warm',
      {
        peak: { callsPerSecond: 20, secondsPerCall: 1 },
        throughput: { logs: { warmWrites: 5000, maxWrites: 4000 } },
      },
      'throughput.logs.maxWrites: must be at least warmWrites, which is 5000.',
    ],
    [
      'an organization that may take every environment',
      { peak: { callsPerSecond: 20, secondsPerCall: 1 }, organizationConcurrency: 40 },
      'organizationConcurrency: must be less than reservedConcurrency.execution, which is 40',
    ],
  ])('refuses %s', (_what, settings, message) => {
    expect(errorOf(settings)).toContain(`\n  ${message}`);
  });

  it('is not needed by a stage that sets its numbers, and a stage without either is refused', () => {
    expect(parseStage(dev).throughput).toEqual({});
    expect(errorOf({ reservedConcurrency: { execution: 5 } })).toMatch(
      /throttle: must be set where the stage has no peak.*\n.*logShards: .*\n.*reservedConcurrency\.authorizer: /,
    );
  });

  it("is not needed for Lambda's ten invocations a second of each environment", () => {
    const throttle = { requestsPerSecond: 900, burst: 101 };
    expect(
      errorOf({ throttle, logShards: 1, reservedConcurrency: { authorizer: 100, execution: 101 } }),
    ).toContain(
      'reservedConcurrency.authorizer: must be at least 101 for a throttle of 900 requests a second and a burst of 101 ((900 + 101) / 10: Lambda serves 10 invocations a second with one environment); it is 100, and callers would get 503 in place of 429. Raise it, or lower throttle.',
    );
  });

  it('is not needed for partitions that hold what the throttle admits', () => {
    const throttle = { requestsPerSecond: 501, burst: 10 };
    const text = errorOf({ throttle, logShards: 1 });
    expect(text).toContain(
      'logShards: must be at least 2: one for every 500 of 501 calls a second of one organization. Raise it, or lower throttle.requestsPerSecond.',
    );
    expect(text).toContain('counterPeakPerSecond: must be at least 501');
    const held = { ...dev, throttle, logShards: 2, counterPeakPerSecond: 501 };
    expect(parseStage(held).logShards).toBe(2);
    expect(parseStage({ ...dev, throttle: { ...throttle, requestsPerSecond: 500 } }).logShards).toBe(1);
    // The database of the local run has no partitions.
    expect(parseStage(local)).toMatchObject({ throttle: { requestsPerSecond: 10_000 }, logShards: 1 });
  });
});
