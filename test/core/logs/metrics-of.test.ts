// The metrics of requests, on the log line of their entry.
import { describe, expect, it } from 'vitest';
import { METRICS } from '../../../core/contract/metrics.ts';
import { renderIncident } from '../../../core/logs/incident-line.ts';
import { genAiAttributes, metricsOf, renderLine } from '../../../core/logs/line.ts';
import { entryOf, FACTS, NOON_MS } from './entries.ts';

const run = FACTS.run!;
const [call] = run.modelCalls;
const callOf = (changes: object) => ({ ...call!, ...changes });

describe('the metrics of an entry', () => {
  it('count a run by its outcome, times, tokens and cost', () => {
    expect(metricsOf(entryOf())).toEqual({
      requests: 1,
      succeeded: 1,
      latency: 120,
      ownLatency: 20,
      tokensInput: 3,
      tokensOutput: 5,
      costMicrodollars: 17,
    });
  });

  it.each([
    ['stopped', { run: { ...run, executionStopped: true } }, 'stopped'],
    ['failed', { code: 'internal', run: undefined }, 'failed'],
    ['refused', { code: 'access_closed', run: undefined }, 'refused'],
    ['refused in maintenance', { code: 'maintenance', run: undefined }, 'refused'],
  ] as const)('count a request that %s', (_name, changes, key) => {
    expect(metricsOf(entryOf(changes))).toMatchObject({ requests: 1, [key]: 1 });
  });

  it.each([
    ['exact', { cacheHits: 1 }],
    ['semantic', { cacheHits: 1 }],
    ['miss', { cacheMisses: 1 }],
    ['bypass', {}],
    ['off', {}],
  ] as const)('count the cache result %s', (cache, expected) => {
    const { cacheHits, cacheMisses } = metricsOf(entryOf({ run: { ...run, cache } }));
    expect(JSON.parse(JSON.stringify({ cacheHits, cacheMisses }))).toEqual(expected);
  });

  it('count what failed of the cache', () => {
    const failed = entryOf({ run: { ...run, cache: 'miss', cacheFailures: ['read', 'embedding'] } });
    expect(metricsOf(failed)).toMatchObject({ succeeded: 1, cacheMisses: 1, cacheFailures: 2 });
    expect(metricsOf(entryOf()).cacheFailures).toBeUndefined();
  });

  it('take an embedding for a call that went well', () => {
    const modelCalls = [callOf({ attempts: 1, finish: 'embedding' })];
    const hit = entryOf({ run: { ...run, cache: 'semantic', modelCalls } });
    expect(metricsOf(hit).providerErrors).toBeUndefined();
    const line = JSON.parse(renderLine(hit, { stage: 'prod' })) as Record<string, unknown>;
    expect(line['gen_ai.operation.name']).toBe('embeddings');
    expect(line['gen_ai.response.finish_reasons']).toBeUndefined();
  });

  it('count every attempt that failed, those of a call that went well in the end too', () => {
    const modelCalls = [
      callOf({ attempts: 3, finish: 'unavailable' }),
      callOf({ attempts: 0, finish: 'circuit_open' }),
      callOf({ attempts: 2, finish: 'stop' }),
    ];
    expect(metricsOf(entryOf({ run: { ...run, modelCalls } })).providerErrors).toBe(4);
  });

  it('count no failure for the embedding of a lookup in the cache, unless it failed', () => {
    const looked = callOf({ finish: 'embedding', model: 'e-1' });
    const hit = { ...run, cache: 'semantic', modelCalls: [looked] } as const;
    expect(metricsOf(entryOf({ run: hit }))).not.toHaveProperty('providerErrors');
    expect(genAiAttributes(entryOf({ run: hit }))).toMatchObject({ 'gen_ai.operation.name': 'embeddings' });
    const failed = { ...run, modelCalls: [callOf({ finish: 'timeout' }), call!] };
    expect(metricsOf(entryOf({ run: failed })).providerErrors).toBe(1);
  });

  it('count rejections by limits, all of an aggregated entry, and no latency for those', () => {
    const flood = metricsOf(entryOf({ code: 'rate_limited', run: undefined, count: 40 }));
    expect(flood).toEqual({ requests: 40, refused: 40, limitRefusals: 40 });
    expect(metricsOf(entryOf({ code: 'organization_paused', run: undefined })).limitRefusals).toBeUndefined();
  });

  it('count requests by what guards did, once each', () => {
    const finds = [{ type: 'card', count: 3 }];
    const one = (action: string) => ({ guard: 'pii', type: 'pii', stage: 'input', action, finds });
    expect(metricsOf(entryOf({ guards: [one('redact'), one('mask')] }))).not.toHaveProperty('guardBlocked');
    expect(metricsOf(entryOf({ guards: [one('block'), one('block'), one('flag')] }))).toMatchObject({
      guardBlocked: 1,
      guardFlagged: 1,
    });
    expect(metricsOf(entryOf({ code: 'guard_blocked', run: undefined })).guardBlocked).toBe(1);
    const open = { ...one('block'), finds: [], notJudged: 'timeout' };
    expect(metricsOf(entryOf({ guards: [open] }))).toMatchObject({ guardUnavailable: 1 });
    expect(metricsOf(entryOf({ guards: [open] }))).not.toHaveProperty('guardBlocked');
    expect(metricsOf(entryOf({ code: 'guard_unavailable', run: undefined })).guardUnavailable).toBe(1);
  });

  it('count what happened with limits', () => {
    const limits = { reservationsExceeded: 2, countersUnavailable: 1 };
    expect(metricsOf(entryOf(), limits)).toMatchObject({ reservationExceeded: 2, countersUnavailable: 1 });
  });
});

describe('the embedded metrics of a line', () => {
  const line = JSON.parse(renderLine(entryOf(), { stage: 'prod' })) as Record<string, unknown>;
  const embedded = line['_aws'] as {
    Timestamp: number;
    CloudWatchMetrics: {
      Namespace: string;
      Dimensions: string[][];
      Metrics: { Name: string; Unit: string }[];
    }[];
  };

  it('name the namespace, the stage as the only dimension, and the time of the answer', () => {
    expect(embedded.Timestamp).toBe(NOON_MS + 120);
    expect(embedded.CloudWatchMetrics).toHaveLength(1);
    expect(embedded.CloudWatchMetrics[0]).toMatchObject({
      Namespace: 'NeuronExecutionService',
      Dimensions: [['Stage']],
    });
    expect(line).toMatchObject({ Stage: 'prod', organization: 'acme', neuron: 'hello' });
  });

  it('have a number at the root for each metric, and a unit that CloudWatch knows', () => {
    const metrics = embedded.CloudWatchMetrics[0]!.Metrics;
    expect(metrics.map(({ Name }) => Name)).toEqual([
      'Succeeded',
      'LatencyMs',
      'OwnLatencyMs',
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.output_tokens',
      'CostMicrodollars',
    ]);
    for (const { Name, Unit } of metrics) {
      expect(typeof line[Name]).toBe('number');
      expect(['Count', 'Milliseconds', 'None']).toContain(Unit);
    }
    expect(Object.keys(METRICS).length).toBeLessThanOrEqual(100);
  });

  it('leave the number of requests to a query, since every published metric has a price and API Gateway counts them', () => {
    expect(line).toMatchObject({ Requests: 1 });
  });

  it('are written beside the attributes of the last model call under OpenTelemetry names', () => {
    expect(line).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'demo',
      'gen_ai.request.model': 'm-1',
      'gen_ai.response.model': 'm-1-2026',
      'gen_ai.response.finish_reasons': ['stop'],
    });
  });

  it.each([
    ['neuronLogLoss', 'LogLosses'],
    ['neuronCacheLoss', 'CacheFailures'],
    ['neuronAuthorizerFault', 'AuthorizerFaults'],
  ] as const)('count %s on a line of its own', (kind, name) => {
    const incident = renderIncident({ kind, executionId: 'exec-1' }, { stage: 'dev', timeMs: NOON_MS });
    expect(JSON.parse(incident)).toEqual({
      [kind]: 1,
      executionId: 'exec-1',
      _aws: {
        Timestamp: NOON_MS,
        CloudWatchMetrics: [
          {
            Namespace: 'NeuronExecutionService',
            Dimensions: [['Stage']],
            Metrics: [{ Name: name, Unit: 'Count' }],
          },
        ],
      },
      Stage: 'dev',
      [name]: 1,
    });
  });
});
