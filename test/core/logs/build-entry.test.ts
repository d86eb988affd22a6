// The entry of a request, from what is known when its answer is ready.
import { describe, expect, it } from 'vitest';
import { createKeepText } from '../../../core/logs/bodies.ts';
import { buildEntry } from '../../../core/logs/build-entry.ts';
import { entryOf, FACTS } from './entries.ts';

describe('the entry of a run', () => {
  it('has the caller, what ran, and its time, tokens and cost', () => {
    expect(entryOf()).toEqual({
      executionId: 'exec-1',
      timeMs: 1_795_264_200_000,
      organization: 'acme',
      organizationId: 'org-1',
      neuron: 'hello',
      neuronId: 'neu-1',
      version: 'v3',
      outcome: 'success',
      status: 200,
      code: undefined,
      reason: undefined,
      sourceIp: '203.0.113.7',
      refererHost: 'app.example.com',
      username: 'ann',
      keyId: undefined,
      authentication: 'jwt',
      cache: 'off',
      latencyMs: 120,
      ownLatencyMs: 20,
      tokensInput: 3,
      tokensOutput: 5,
      costMicrodollars: 17,
      savingsMicrodollars: 0,
      modelCalls: FACTS.run!.modelCalls,
      trace: [
        {
          type: 'systemInstructions',
          atMs: 0,
          input: { kind: 'full', text: 'secret instructions', bytes: 19 },
        },
        {
          type: 'callModel',
          atMs: 1,
          input: { kind: 'full', text: 'secret prompt', bytes: 13 },
          output: { kind: 'full', text: 'secret answer', bytes: 13 },
        },
      ],
      input: { kind: 'full', text: 'secret input', bytes: 12 },
      output: { kind: 'full', text: 'secret output', bytes: 13 },
      count: 1,
      expiresAt: 1_803_040_200,
      restored: false,
    });
  });

  it('adds up its model calls', () => {
    const [call] = FACTS.run!.modelCalls;
    const entry = entryOf({ run: { ...FACTS.run!, modelCalls: [call!, { ...call!, latencyMs: 5 }] } });
    expect(entry).toMatchObject({ tokensInput: 6, tokensOutput: 10, costMicrodollars: 34, ownLatencyMs: 15 });
  });

  it('has no cost as soon as one price is unknown, rather than a part of it', () => {
    const [call] = FACTS.run!.modelCalls;
    const entry = entryOf({
      run: { ...FACTS.run!, modelCalls: [call!, { ...call!, costMicrodollars: null }] },
    });
    expect(entry.costMicrodollars).toBeNull();
  });

  it('never has a negative latency of its own when clocks disagree', () => {
    expect(entryOf({ latencyMs: 99 }).ownLatencyMs).toBe(0);
  });

  it('says that a run was stopped', () => {
    expect(entryOf({ run: { ...FACTS.run!, executionStopped: true } }).outcome).toBe('stopped');
  });

  it('names the execution whose answer was given again, in lists, too, and costs nothing', () => {
    const replay = { executionId: 'exec-0', executionStopped: true };
    expect(entryOf({ run: undefined, replay })).toMatchObject({
      ...{ replayOf: 'exec-0', reason: 'replay of exec-0', outcome: 'stopped', status: 200 },
      ...{ version: undefined, cache: undefined, modelCalls: [], trace: [], costMicrodollars: 0 },
    });
    const rejected = entryOf({ run: undefined, replay, code: 'invalid_input', status: 400 });
    expect(rejected).toMatchObject({
      replayOf: 'exec-0',
      outcome: 'refused',
      status: 400,
      code: 'invalid_input',
    });
    expect(entryOf()).not.toHaveProperty('replayOf');
  });

  it('keeps the trace and the tokens of a run that failed on its way', () => {
    expect(
      entryOf({ code: 'upstream_unavailable', run: { ...FACTS.run!, output: undefined } }),
    ).toMatchObject({
      outcome: 'failed',
      status: 503,
      code: 'upstream_unavailable',
      tokensInput: 3,
      output: undefined,
      trace: [{ type: 'systemInstructions' }, { type: 'callModel' }],
    });
  });

  it('keeps no text but by the keeper', () => {
    for (const policy of ['hash', 'none'] as const) {
      const entry = buildEntry(FACTS, createKeepText(policy, 'the key'));
      expect(JSON.stringify(entry)).not.toContain('secret');
      expect(entry.trace.map(({ type }) => type)).toEqual(['systemInstructions', 'callModel']);
    }
  });
});

describe('the entry of a request that never ran', () => {
  it('has the reason, and neither version, tokens nor trace', () => {
    const entry = entryOf({ code: 'deployment_not_found', reason: 'none deployed', run: undefined });
    expect(entry).toMatchObject({
      outcome: 'refused',
      status: 404,
      code: 'deployment_not_found',
      reason: 'none deployed',
      version: undefined,
      cache: undefined,
      tokensInput: 0,
      costMicrodollars: 0,
      ownLatencyMs: 120,
      modelCalls: [],
      trace: [],
    });
  });

  it('has the number of aggregated refusals', () => {
    expect(entryOf({ code: 'access_closed', run: undefined, count: 4711 }).count).toBe(4711);
  });
});
