// No answer is ever served outside its scope: whatever part of a request is another, and whatever a vector index returns.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CacheScope, SemanticScope, VectorIndex } from '../../../core/ports/response-cache.ts';
import '../../support/property-runs.ts';
import { createTestCache, FLOW, type Input, requestOf, SEMANTIC } from './requests.ts';

const id = fc.stringMatching(/^[a-z0-9]{1,6}$/);
const openai = (host: string) => ({ models: { type: 'openai', baseUrl: `https://${host}.example.com/v1` } });
const PERSONAL = [{ callModel: { provider: 'models', model: 'm', prompt: '{{username}}: {{input}}' } }];

/** A request of any organization, neuron, version, user and settings. */
const anyInput: fc.Arbitrary<Input> = fc
  .record({
    organizationId: id,
    neuronId: id,
    deployment: fc.nat(50),
    cacheGeneration: fc.nat(5),
    version: id.map((name) => `v${name}`),
    access: fc.constantFrom(
      { apiKey: true },
      { jwt: { sharedSecret: { secret: 's' } } },
      { ips: ['203.0.113.7'] },
    ),
    providers: id.map(openai),
    caller: fc.record({ username: id }),
    personal: fc.constantFrom<'no' | 'perUser' | 'flow'>('no', 'perUser', 'flow'),
    input: fc.constantFrom('hello', 'what is it', ''),
  })
  .map(({ personal, ...rest }) => ({
    ...rest,
    flow: personal === 'flow' ? PERSONAL : FLOW,
    caching: { exact: true, perUser: personal === 'perUser' },
  }));

/** What makes a request one of another scope. The first letter of every id is in a to z, so `0` before it makes another. */
const OTHERS: Readonly<Record<string, (options: Input) => Input>> = {
  organization: (options) => ({ ...options, organizationId: `0${options.organizationId}` }),
  neuron: (options) => ({ ...options, neuronId: `0${options.neuronId}` }),
  'neuron and organization, cut elsewhere': (options) => ({
    ...options,
    organizationId: `${options.organizationId}${options.neuronId?.charAt(0)}`,
    neuronId: `${options.neuronId?.slice(1)}`,
  }),
  deployment: (options) => ({ ...options, deployment: (options.deployment ?? 0) + 1 }),
  generation: (options) => ({ ...options, cacheGeneration: (options.cacheGeneration ?? 0) + 1 }),
  version: (options) => ({ ...options, version: `${options.version}0` }),
  access: (options) => ({ ...options, access: { ...options.access, referers: ['example.com'] } }),
  provider: (options) => ({ ...options, providers: openai('elsewhere-0') }),
};

/** An index that takes no notice of scopes: every input that was ever written is there, at no distance at all. */
function createTemptingIndex(): VectorIndex {
  const written = new Set<string>();
  return {
    search: async () => [...written].map((inputHash) => ({ inputHash, distance: 0 })),
    write: async (_scope: SemanticScope, inputHash) => void written.add(inputHash),
  };
}

async function expectIsolated(
  options: Input,
  other: Input,
  again: { readonly input: string },
): Promise<void> {
  const cache = createTestCache({ vectors: createTemptingIndex() });
  await cache.store(requestOf(options), 'of one scope');
  // Within its scope it is served.
  expect((await cache.find(requestOf({ ...options, ...again }))).found?.output).toBe('of one scope');
  expect((await cache.find(requestOf({ ...other, ...again }))).found).toBeUndefined();
  // Nor is it there once the other scope has an answer of its own to the same input.
  await cache.store(requestOf({ ...other, ...again }), 'of the other');
  expect((await cache.find(requestOf({ ...options, ...again }))).found?.output).toBe('of one scope');
}

const anyOther = fc.constantFrom(...Object.keys(OTHERS));
const toOther = (options: Input, what: string): Input => OTHERS[what]?.(options) ?? options;

describe('an answer of another scope', () => {
  it('is never served to the same input', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, anyOther, (options, what) =>
        expectIsolated(options, toOther(options, what), { input: options.input ?? '' }),
      ),
    );
  });

  it('is never served to a similar input, whatever the vector index returns', async () => {
    await fc.assert(
      fc.asyncProperty(anyInput, anyOther, (options, what) => {
        const semantic = { ...options, input: 'hello', caching: { ...options.caching, semantic: SEMANTIC } };
        return expectIsolated(semantic, toOther(semantic, what), { input: 'hello again' });
      }),
    );
  });
});

describe('an answer of another user', () => {
  it.each([
    ['perUser is set', { flow: FLOW, perUser: true }],
    ['the flow names the user', { flow: PERSONAL, perUser: false }],
  ])('is never served where %s', async (_name, { flow, perUser }) => {
    await fc.assert(
      fc.asyncProperty(anyInput, id, async (base, user) => {
        const options = {
          ...base,
          flow,
          input: 'hello',
          caching: { exact: true, perUser, semantic: SEMANTIC },
        };
        for (const caller of [{ username: `0${user}` }, { keyId: base.caller?.username ?? '' }]) {
          await expectIsolated(options, { ...options, caller }, { input: 'hello' });
          await expectIsolated(options, { ...options, caller }, { input: 'hello again' });
        }
      }),
    );
  });

  it('is served where neither is', async () => {
    const cache = createTestCache();
    await cache.store(requestOf({ caller: { username: 'ada' } }), 'for all');
    expect((await cache.find(requestOf({ caller: { username: 'bob' } }))).found?.output).toBe('for all');
  });
});

describe('an answer that is found semantically', () => {
  const semantic = (more: Input = {}): Input => ({
    caching: { semantic: SEMANTIC },
    input: 'hello',
    ...more,
  });

  it.each([
    [
      'another embedding model',
      { caching: { semantic: { ...SEMANTIC, embedding: { provider: 'models', model: 'f' } } } },
    ],
    ['a near miss', { input: 'hello 7' }],
  ] satisfies [string, Input][])(
    'is never served across %s, whatever the vector index returns',
    async (_name, more) => {
      const cache = createTestCache({ vectors: createTemptingIndex() });
      await cache.store(requestOf(semantic()), 'found');
      expect((await cache.find(requestOf(semantic({ input: 'hello again' })))).result).toBe('semantic');
      const other = await cache.find(requestOf(semantic({ input: 'hello again', ...more })));
      expect(other).toMatchObject({ result: 'miss', found: undefined });
    },
  );

  it('is never served where the input takes another branch', async () => {
    let branches = '0';
    const cache = createTestCache({ vectors: createTemptingIndex(), outcomes: async () => branches });
    await cache.store(requestOf(semantic()), 'found');
    expect((await cache.find(requestOf(semantic({ input: 'hello again' })))).result).toBe('semantic');
    branches = '1';
    expect((await cache.find(requestOf(semantic({ input: 'hello again' })))).result).toBe('miss');
  });

  it('is never one that was written without a vector of its partition', async () => {
    const cache = createTestCache({ vectors: createTemptingIndex() });
    await cache.store(requestOf(semantic()), 'with a vector');
    await cache.store(requestOf({ input: 'hello' }), 'without');
    expect((await cache.find(requestOf(semantic({ input: 'hello again' })))).found).toBeUndefined();
  });
});

it('has scopes that only one function makes: plain text is not accepted', () => {
  // @ts-expect-error a text is no scope of answers
  const answers: CacheScope = 'a text';
  // @ts-expect-error a cache scope is no semantic scope
  const semantic: SemanticScope = answers;
  expect([answers, semantic]).toHaveLength(2);
});
