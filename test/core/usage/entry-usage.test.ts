// What an entry adds to the usage of its day, with expected numbers calculated by hand.
import { describe, expect, it } from 'vitest';
import type { LoggedModelCall } from '../../../core/contract/log-entry.ts';
import { isCountable } from '../../../core/ports/countable-entry.ts';
import type { CountedEntry } from '../../../core/ports/usage.ts';
import { NO_USAGE, organizationRows, usageOf } from '../../../core/usage/entry-usage.ts';
import { entryOf, FACTS, NOON_MS } from '../logs/entries.ts';
import { by } from './deliveries.ts';

const CALL: LoggedModelCall = FACTS.run!.modelCalls[0]!;
const ROW = {
  organizationId: 'org-1',
  day: '2026-11-21',
  neuronId: 'neu-1',
  neuron: 'hello',
  entriesEnd: {},
  expiresAt: undefined,
};

/** 120 ms lie from 90.5 to 128, and 17 microdollars from 16 to 22.6. */
const BUCKETS = { 'latency#2': 1, 'cost#9': 1 };

function withCalls(modelCalls: readonly LoggedModelCall[]) {
  return entryOf({ run: { ...FACTS.run!, modelCalls } });
}

describe('the usage of an entry', () => {
  it('is added to its neuron, the called model and the user', () => {
    const used = { modelCalls: 1, tokensInput: 3, tokensOutput: 5, costMicrodollars: 17 };
    expect(usageOf(entryOf())).toEqual([
      {
        ...ROW,
        subject: { kind: 'neuron' },
        amounts: { ...NO_USAGE, ...used, success: 1 },
        entriesEnd: { '2027-02-19': 1 },
      },
      {
        ...ROW,
        subject: { kind: 'model', provider: 'demo', model: 'm-1' },
        amounts: { ...NO_USAGE, ...used },
      },
      {
        ...ROW,
        subject: { kind: 'user', username: 'ann' },
        amounts: { ...NO_USAGE, ...used, success: 1 },
        // 90 days after 2026-11-21T12:30:00Z.
        expiresAt: 1_803_040_200,
      },
      {
        ...ROW,
        subject: { kind: 'version', version: 'v3' },
        amounts: { ...NO_USAGE, ...used, success: 1 },
        buckets: BUCKETS,
      },
    ]);
  });

  it('is added to the API key of the caller, which never ends', () => {
    const rows = usageOf({ ...entryOf(), username: undefined, keyId: 'k1' });
    expect(rows.map(({ subject }) => subject.kind)).toEqual(['neuron', 'model', 'key', 'version']);
    expect(rows[2]).toEqual({
      ...ROW,
      subject: { kind: 'key', keyId: 'k1' },
      amounts: rows[0]?.amounts,
    });
  });

  it.each([
    [{ cache: 'miss', outcome: 'success' }, 1],
    [{ cache: 'off', outcome: 'failed' }, 1],
    [{ cache: 'exact', outcome: 'success' }, 0],
    [{ cache: 'semantic', outcome: 'success' }, 0],
    [{ cache: 'miss', outcome: 'refused' }, 0],
    [{ cache: 'miss', outcome: 'success', version: undefined }, 0],
  ] as const)('is added to the arm of its rollout where it is a run: %j', (facts, count) => {
    const entry = { ...entryOf(), rollout: { id: 'r1', arm: 'candidate' as const }, version: 'v8', ...facts };
    const rows = usageOf(entry).filter(({ subject }) => subject.kind === 'arm');
    const subject = { kind: 'arm', rollout: 'r1', arm: 'candidate', version: 'v8' };
    const amounts = usageOf(entry)[0]?.amounts;
    expect(rows).toEqual(count === 0 ? [] : [{ ...ROW, subject, amounts, buckets: BUCKETS }]);
  });

  it('is apart for an answer of the cache: no run of its version, and no latency', () => {
    const hit = { ...entryOf(), cache: 'exact' as const, branch: 'a' };
    const row = usageOf(hit).find(({ subject }) => subject.kind === 'version');
    expect(row).toEqual({
      ...ROW,
      subject: { kind: 'version', version: 'v3' },
      amounts: { ...NO_USAGE, hits: 1 },
    });
    expect(usageOf(hit).some(({ subject }) => subject.kind === 'branch')).toBe(false);
  });

  it('is added to the branch that was drawn', () => {
    const trace = ['a', 'b'].map((decision) => ({ type: 'randomizedSplit', atMs: 0, decision }));
    const drawn = entryOf({ run: { ...FACTS.run!, trace: [...trace, ...FACTS.run!.trace] } });
    expect(drawn.branch).toBe('a.b');
    const row = usageOf(drawn).find(({ subject }) => subject.kind === 'branch');
    expect(row).toMatchObject({ subject: { version: 'v3', branch: 'a.b' }, buckets: BUCKETS });
    expect(row?.amounts).toMatchObject({ success: 1, tokensInput: 3, tokensOutput: 5 });
    expect(isCountable(drawn)).toBe(true);
  });

  it.each([
    [{ branch: 'c' }, false],
    [{ branch: 'a.'.repeat(10) }, false],
    [{ branch: `${'a.'.repeat(9)}b` }, true],
    [{ branch: 7 }, false],
    [{ version: 'v#1' }, false],
    [{ version: 'v'.repeat(65) }, false],
    [{ version: undefined }, true],
  ])('is not counted where a name is no name: %j', (changes, is) => {
    expect(isCountable({ ...entryOf(), ...changes } as CountedEntry)).toBe(is);
  });

  it.each([
    [true, 1_000, 1_000_000],
    [false, 0, 0],
    [4.5, 4_500, 20_250_000],
    [-0.125, -125, 15_625],
  ])(
    'is one value for the version of its answer where it is feedback, and no request: %j',
    (value, ratingSum, ratingSquares) => {
      const feedback = { of: 'e1', metric: 'stars', value };
      const [row, ...others] = usageOf({ ...entryOf(), feedback, version: 'v8' });
      expect(others).toEqual([]);
      expect(row).toMatchObject({ subject: { kind: 'feedback', metric: 'stars', version: 'v8' } });
      expect(row?.amounts).toEqual({ ...NO_USAGE, ratings: 1, ratingSum, ratingSquares });
      expect(Object.values(row?.entriesEnd ?? {})).toEqual([1]);
    },
  );

  it('belongs to the UTC day of the request', () => {
    const last = entryOf({ timeMs: Date.parse('2026-11-21T23:59:59.999Z') });
    const first = entryOf({ timeMs: Date.parse('2026-11-22T00:00:00.000Z') });
    expect([usageOf(last)[0]?.day, usageOf(first)[0]?.day]).toEqual(['2026-11-21', '2026-11-22']);
  });

  it('counts all requests of an aggregated entry', () => {
    const flood = entryOf({ code: 'rate_limited', run: undefined, count: 940, ...by(undefined) });
    expect(usageOf(flood)).toEqual([
      {
        ...ROW,
        subject: { kind: 'neuron' },
        amounts: { ...NO_USAGE, refused: 940 },
        entriesEnd: { '2027-02-19': 940 },
      },
    ]);
  });

  it('counts the outcome of the entry', () => {
    const stopped = entryOf({ run: { ...FACTS.run!, executionStopped: true } });
    const failed = entryOf({ code: 'internal', run: undefined });
    expect(usageOf(stopped)[0]?.amounts).toMatchObject({ stopped: 1, success: 0 });
    expect(usageOf(failed)[0]?.amounts).toMatchObject({ failed: 1, success: 0 });
  });

  it('adds up calls of one model, and separates equal model names of two providers', () => {
    const other = { ...CALL, provider: 'other', tokensInput: 100, costMicrodollars: 1 };
    const [, ...models] = usageOf({ ...withCalls([CALL, other, CALL]), username: undefined });
    expect(models.map(({ subject, amounts }) => [subject, amounts.modelCalls, amounts.tokensInput])).toEqual([
      [{ kind: 'model', provider: 'demo', model: 'm-1' }, 2, 6],
      [{ kind: 'model', provider: 'other', model: 'm-1' }, 1, 100],
      [{ kind: 'version', version: 'v3' }, 3, 106],
    ]);
  });

  it('counts calls without a price as unknown costs in addition to the known cost', () => {
    const [neuron, known, unknown] = usageOf(
      withCalls([CALL, { ...CALL, model: 'new', costMicrodollars: null }]),
    );
    expect(neuron?.amounts).toMatchObject({ costMicrodollars: 17, unknownCosts: 1 });
    expect(known?.amounts).toMatchObject({ costMicrodollars: 17, unknownCosts: 0 });
    expect(unknown?.amounts).toMatchObject({ costMicrodollars: 0, unknownCosts: 1 });
  });

  it('includes the savings of a cached answer', () => {
    const hit = { ...withCalls([]), savingsMicrodollars: 21 };
    expect(usageOf(hit)[0]?.amounts).toMatchObject({
      savingsMicrodollars: 21,
      success: 1,
      costMicrodollars: 0,
    });
    expect(usageOf(hit).map(({ subject }) => subject.kind)).toEqual(['neuron', 'user', 'version']);
  });

  it('counts one unknown cost for an entry with an unknown cost and no calls', () => {
    const entry = { ...withCalls([]), costMicrodollars: null, timeMs: NOON_MS };
    expect(usageOf(entry)[0]?.amounts).toMatchObject({ unknownCosts: 1, costMicrodollars: 0 });
  });
});

describe('the row of the organization', () => {
  const line = { guard: 'pii', type: 'pii', stage: 'input', action: 'block', finds: [] };
  const arm = { id: 'r1', arm: 'candidate' };
  const troublesOf = (changes: object) =>
    organizationRows({ ...entryOf(), ...changes } as CountedEntry).map(({ buckets }) => buckets);

  it.each([
    ['nothing', {}, {}],
    ['a block that refused', { guards: [line], outcome: 'refused' }, { 'guard#blocked': 1 }],
    ['two of them', { guards: [line, line], outcome: 'refused', count: 3 }, { 'guard#blocked': 3 }],
    ['a block of a service that was let pass', { guards: [line], outcome: 'success' }, {}],
    ['a mask', { guards: [{ ...line, action: 'mask' }], outcome: 'success' }, {}],
    ['no verdict', { guards: [{ ...line, notJudged: 'timeout' }] }, { 'guard#notJudged': 1 }],
    [
      'no verdict and a block',
      { guards: [{ ...line, notJudged: 'timeout' }, line], outcome: 'refused' },
      { 'guard#blocked': 1, 'guard#notJudged': 1 },
    ],
    ['a run of a rollout', { rollout: arm }, { 'rollout#runs': 1 }],
  ])('counts %s', (_name, changes, expected) => {
    expect(troublesOf(changes)).toEqual([expected]);
  });

  it.each([null, 'x', 7, {}, [null], ['x'], [[]], [{ action: {} }]])(
    'passes over guards that are %j',
    (guards) => {
      expect(troublesOf({ guards, outcome: 'refused' })).toEqual([{}]);
    },
  );
});
