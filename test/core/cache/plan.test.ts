// What is cached at all, and for whom.
import { describe, expect, it } from 'vitest';
import { planCaching } from '../../../core/cache/plan.ts';
import { toCachedAnswer } from '../../../core/cache/write.ts';
import type { FlowResult } from '../../../core/flow/run.ts';
import { FLOW, type Input, NOW_MS, requestOf, SEMANTIC } from './requests.ts';

const says = (text: string) => [{ callModel: { provider: 'models', model: 'm', prompt: text } }];
const semantic = { semantic: SEMANTIC };

/** A flow in so many branches. */
const nested = (depth: number): unknown =>
  depth === 0 ? says('{{input}}') : [{ ifInputContains: { any: ['a'], else: nested(depth - 1) } }];

describe('a request', () => {
  it.each<[string, string, Input]>([
    ['off', 'without caching', { caching: {} }],
    ['off', 'for a preview of a version', { preview: true }],
    ['off', 'where nothing is deployed', { deployment: undefined }],
    ['off', 'where the flow says {{now}}', { flow: says('{{ now }}: {{input}}') }],
    [
      'off',
      'where a branch says {{execution.id}}',
      { flow: [{ randomizedSplit: { percentageA: 50, a: says('{{execution.id}}') } }] },
    ],
    ['use', 'where ten branches are nested', { flow: nested(10) }],
    // Only a store that was written by hand holds one, and nobody knows what it says.
    ['off', 'where branches are nested deeper than a flow is looked through', { flow: nested(11) }],
    [
      'off',
      'of nobody in particular, where answers are per user',
      { caching: { exact: true, perUser: true }, caller: {} },
    ],
    [
      'off',
      'of nobody in particular, where the flow names the user',
      { flow: says('{{username}}'), caller: {} },
    ],
    ['off', 'semantically alone, where anyone may ask', { caching: semantic, access: { public: true } }],
    [
      'off',
      'semantically alone, where a Referer is all that is asked for',
      { caching: semantic, access: { referers: ['a.example'] } },
    ],
    ['bypass', 'that says so', { bypassCache: true }],
    ['off', 'that says so where there is no cache', { bypassCache: true, caching: {} }],
    ['use', 'of nobody in particular, where answers are for all', { caller: {} }],
    ['use', 'semantically alone', { caching: semantic }],
    [
      'use',
      'semantically, where anyone may ask and that is wanted',
      { caching: { semantic: { ...SEMANTIC, allowPublic: true } }, access: { public: true } },
    ],
    [
      'use',
      'where a pattern only looks for {{now}}',
      { flow: [{ ifInputContains: { any: ['{{now}}'], else: FLOW } }] },
    ],
  ])('is %s %s', (kind, _name, input) => {
    expect(planCaching(requestOf(input)).kind).toBe(kind);
  });

  it('of a public neuron is looked up exactly and never semantically', () => {
    const request = requestOf({ caching: { exact: true, ...semantic }, access: { public: true } });
    expect(planCaching(request)).toMatchObject({ kind: 'use', semantic: undefined });
  });
});

describe('an answer', () => {
  const call = {
    provider: 'p',
    model: 'm',
    modelVersion: undefined,
    tokensInput: 3,
    tokensOutput: 5,
    costMicrodollars: 17,
  };
  const modelCall = { ...call, finish: 'stop', estimated: false, attempts: 1, latencyMs: 1 };
  const done = (more: Partial<Extract<FlowResult, { kind: 'done' }>> = {}): FlowResult => ({
    kind: 'done',
    output: 'Hi.',
    stopped: false,
    trace: [{ type: 'callModel', atMs: 0 }],
    modelCalls: [modelCall],
    tokensInput: 3,
    tokensOutput: 5,
    costMicrodollars: 17,
    providerMs: 1,
    ...more,
  });
  const making = { executionId: 'exec-1', nowMs: NOW_MS + 999, ttlMs: 60_000 };

  it('is kept with what it took, and ends when its time is over or before', () => {
    expect(toCachedAnswer(done(), making)).toEqual({
      output: 'Hi.',
      costMicrodollars: 17,
      tokensInput: 3,
      tokensOutput: 5,
      executionId: 'exec-1',
      storedAtMs: NOW_MS + 999,
      expiresAt: NOW_MS / 1000 + 60,
    });
  });

  it.each([
    ['was stopped', done({ stopped: true })],
    ['has no output', done({ output: undefined })],
    [
      'was cut by maxTokens in any of its calls',
      done({ modelCalls: [{ ...modelCall, finish: 'length' }, modelCall] }),
    ],
    ['ended by a reason that nobody knows', done({ modelCalls: [{ ...modelCall, finish: 'other' }] })],
    ['went through a split', done({ trace: [{ type: 'randomizedSplit', atMs: 0 }] })],
    ['has more than 350,000 bytes', done({ output: `${'é'.repeat(175_000)}!` })],
    ['was never made', undefined],
  ])('is not kept when it %s', (_name, result) => {
    expect(toCachedAnswer(result, making)).toBeUndefined();
  });
});
