// What the guards of a neuron look at: stage by stage, of what they cannot see, and whether streams wait for them.
import { describe, expect, it } from 'vitest';
import { coverageOfDocuments } from '../../../../core/admin/guards/coverage.ts';

const GUARDS = {
  pii: { type: 'pii', entities: ['email'] },
  secrets: { type: 'secrets' },
  tricks: { type: 'patterns', deny: ['ignore.+rules'], caseSensitive: false },
  hidden: { type: 'phrases' },
  ours: {
    type: 'webhook',
    endpoint: 'https://guard.example.com/check',
    secret: { secret: 'guard-hmac' },
    prices: { call: 0.0001 },
  },
};

interface Parts {
  readonly guards?: readonly unknown[];
  readonly mandatory?: readonly unknown[];
  readonly accepts?: readonly string[];
  readonly flow?: readonly unknown[];
}

function cover({ guards, mandatory, accepts, flow }: Parts) {
  const step = { provider: 'demo', model: 'echo-1', ...(accepts === undefined ? {} : { accepts }) };
  return coverageOfDocuments({
    organization: {
      organization: 'acme',
      providers: { demo: { type: 'echo' } },
      guards: GUARDS,
      ...(mandatory === undefined ? {} : { mandatory }),
    },
    neuron: {
      neuron: 'acme/n',
      access: { apiKey: true },
      ...(guards === undefined ? {} : { guards }),
    },
    flow: flow ?? [{ callModel: step }],
  });
}

const stagesOf = (parts: Parts) =>
  Object.fromEntries(
    (cover(parts)?.stages ?? []).map(({ stage, reached, guards }) => [
      `${stage}${reached ? '' : ' (never)'}`,
      guards.map((one) => `${one.guard} ${one.action}${one.mandatory ? ' mandatory' : ''}`),
    ]),
  );

describe('the coverage of a neuron', () => {
  it('is none without guards, without a flow, and where the library lacks a guard', () => {
    expect(cover({})).toBeUndefined();
    expect(cover({ guards: [{ use: 'pii', action: 'flag' }], flow: [{ unknown: {} }] })).toBeUndefined();
    expect(cover({ guards: [{ use: 'other', action: 'flag' }] })).toBeUndefined();
  });

  it('names the guards of each stage, those of the organization first, with the stages that others imply', () => {
    const parts = {
      mandatory: [{ use: 'secrets', on: ['input', 'output'], action: 'redact' }],
      guards: [{ use: 'pii', on: ['input', 'toolResults'], action: 'mask' }],
      accepts: ['system', 'tools'],
    };
    expect(stagesOf(parts)).toEqual({
      input: ['secrets redact mandatory', 'pii mask'],
      system: ['secrets redact mandatory', 'pii mask'],
      toolResults: ['pii mask'],
      tools: [],
      output: ['secrets redact mandatory'],
      toolCalls: ['secrets redact mandatory'],
    });
  });

  it('says what a service is asked of the longest message, and that streams wait for it', () => {
    const asking = cover({ guards: [{ use: 'ours', on: ['input', 'output'], action: 'block' }] });
    // 262,144 characters twice, in parts of 100,000 that overlap by 500: a call takes 500,000.
    expect(asking?.services).toEqual([{ guard: 'ours', type: 'webhook', calls: 2, costMicrodollars: 200 }]);
    expect(asking?.stream).toEqual({ mode: 'whole', flow: false, guards: ['ours'] });
    expect(cover({ guards: [{ use: 'pii', action: 'redact' }] })).not.toHaveProperty('services');
  });

  it('says of which stages the flow takes nothing', () => {
    expect(Object.keys(stagesOf({ guards: [{ use: 'pii', action: 'redact' }] }))).toEqual([
      'input',
      'system (never)',
      'toolResults (never)',
      'tools (never)',
      'output',
      'toolCalls (never)',
    ]);
    const ofSchema = { guards: [{ use: 'pii', action: 'redact' }], accepts: ['schema'] };
    expect(Object.keys(stagesOf(ofSchema))).toContain('tools');
  });

  it.each([
    [{ use: 'pii', action: 'redact' }, 'live', []],
    [{ use: 'tricks', on: ['output'], action: 'block' }, 'whole', ['tricks']],
    [{ use: 'hidden', on: ['output'], action: 'block' }, 'live', []],
    [{ use: 'tricks', on: ['input'], action: 'block' }, 'live', []],
    [{ use: 'tricks', on: ['output'], action: 'flag' }, 'live', []],
  ])('tells whether a stream waits for %o', (use, mode, waiting) => {
    expect(cover({ guards: [use] })?.stream).toEqual({ mode, flow: false, guards: waiting });
  });

  it('is of a whole stream where the flow makes it one, and of no stream where it answers with vectors', () => {
    const guards = [{ use: 'pii', action: 'redact' }];
    const call = { callModel: { provider: 'demo', model: 'echo-1' } };
    const flow = [call, { ifOutputContains: { any: ['x'], else: [{ stop: {} }] } }];
    expect(cover({ guards, flow })?.stream).toEqual({ mode: 'whole', flow: true, guards: [] });
    const vectors = cover({ guards, flow: [{ embed: { provider: 'demo', model: 'echo-1' } }] });
    expect(vectors?.stream).toBeNull();
    expect(vectors?.unseen).toEqual([{ kind: 'tokenIds', stage: 'input', fate: 'passed', guards: [] }]);
    expect(vectors?.stages.find(({ stage }) => stage === 'output')?.reached).toBe(false);
  });
});

describe('content that no guard sees', () => {
  const accepts = ['images', 'documents', 'tools', 'thinking'];
  const fatesOf = (parts: Parts) =>
    Object.fromEntries(
      (cover({ accepts, ...parts })?.unseen ?? []).map(({ kind, stage, fate, guards }) => [
        `${kind} in ${stage}`,
        [fate, ...guards].join(' '),
      ]),
    );

  it('is passed on by the guards of a neuron, and refused where a mandatory one looks', () => {
    expect(fatesOf({ guards: [{ use: 'pii', action: 'block' }] })).toEqual({
      'images in input': 'passed',
      'images in toolResults': 'passed',
      'documents in input': 'passed',
      'documents in toolResults': 'passed',
      'thoughts in input': 'passed',
      'thoughts in output': 'passed',
    });
    expect(fatesOf({ mandatory: [{ use: 'pii', on: ['input', 'output'], action: 'block' }] })).toEqual({
      'images in input': 'refused pii',
      'images in toolResults': 'passed',
      'documents in input': 'refused pii',
      'documents in toolResults': 'passed',
      'thoughts in input': 'refused pii',
      'thoughts in output': 'withheld pii',
    });
  });

  it('is passed on by a mandatory guard that only flags, or says so itself', () => {
    const passed = Object.values(fatesOf({ mandatory: [{ use: 'pii', action: 'flag' }] }));
    expect(new Set(passed)).toEqual(new Set(['passed']));
    const allowed = fatesOf({ mandatory: [{ use: 'pii', action: 'block', unseen: 'allow' }] });
    expect(new Set(Object.values(allowed))).toEqual(new Set(['passed']));
  });

  it('is not told of where the flow takes none', () => {
    expect(
      fatesOf({
        accepts: [] as readonly string[],
        flow: [{ callModel: { provider: 'demo', model: 'echo-1' } }],
        guards: [{ use: 'pii', action: 'block' }],
      }),
    ).toEqual({});
  });
});
