// Names by which callers choose a neuron: which settings may list, which a caller may send, and what `{{model}}` stands for.
import { describe, expect, it } from 'vitest';
import { parseFlow } from '../../../../core/settings/flow-schema.ts';
import { fillModel, passesModelOn } from '../../../../core/settings/names/fill-model.ts';
import {
  listedNamesFor,
  matchesName,
  modelNames,
  nameToSend,
  parseChosenName,
  slugInName,
} from '../../../../core/settings/names/model-names.ts';

describe('a list of names', () => {
  it.each(['gpt-4.1-mini', 'Meta/Llama 3', 'claude-*', '*', 'a', 'x'.repeat(200), `${'x'.repeat(40)}*`])(
    'may have %s',
    (name) => expect(modelNames.safeParse([name]).success).toBe(true),
  );

  it.each([
    '',
    ' a',
    'a ',
    'a*b',
    '**',
    'a**',
    'gpt\u0000',
    'gpt\n',
    'größe',
    'ｇpt',
    'x'.repeat(201),
    `${'x'.repeat(41)}*`,
    'support@v8',
  ])('refuses %j', (name) => expect(modelNames.safeParse([name]).success).toBe(false));

  it('refuses a name twice, none at all, and more than 20', () => {
    expect(modelNames.safeParse(['a', 'a']).success).toBe(false);
    expect(modelNames.safeParse([]).success).toBe(false);
    expect(modelNames.safeParse(Array.from({ length: 21 }, (_, index) => `m${index}`)).success).toBe(false);
  });
});

describe("a caller's name", () => {
  it('has its version apart', () => {
    expect(parseChosenName('support@v8')).toEqual({ name: 'support', revision: 'v8' });
    expect(parseChosenName('claude-3-5@20240620')).toEqual({
      name: 'claude-3-5@20240620',
      revision: undefined,
    });
    expect(parseChosenName('a@v1@v2')).toEqual({ name: 'a@v1', revision: 'v2' });
  });

  it.each(['', ' a', 'a\n', 'a\u0000', '\u202ea', 'suppo\u0301rt', 'x'.repeat(201), '@v1'])(
    'is none for %j',
    (model) => expect(parseChosenName(model)).toBeUndefined(),
  );

  it('is looked for by itself and by every wildcard that it may be under, longest first', () => {
    expect(listedNamesFor('abc')).toEqual(['abc', 'abc*', 'ab*', 'a*', '*']);
    expect(listedNamesFor('a*')).not.toContain('a*'.repeat(2));
    // With those of settings, all go into one BatchGetItem of 100.
    expect(listedNamesFor('x'.repeat(200))).toHaveLength(42);
  });

  it('matches as it is written', () => {
    expect(matchesName('claude-*', 'claude-')).toBe(true);
    expect(matchesName('claude-*', 'Claude-3')).toBe(false);
    expect(matchesName('gpt', 'gpt-4')).toBe(false);
  });

  it('spells a slug by itself or after its own organization only', () => {
    expect(slugInName('support', 'acme')).toBe('support');
    expect(slugInName('acme/support', 'acme')).toBe('support');
    expect(slugInName('shop/support', 'acme')).toBeUndefined();
    expect(slugInName('acme/acme/support', 'acme')).toBeUndefined();
    expect(slugInName('chat', 'acme')).toBeUndefined();
  });
});

describe('{{model}}', () => {
  const models = ['gpt-4.1', 'claude-*', 'gpt-5'];

  it.each([
    ['the name that the caller chose', 'gpt-5', false, 'gpt-5'],
    ['a name under a wildcard', 'claude-opus-4', false, 'claude-opus-4'],
    ['the first whole name, for a call by the slug', 'support', true, 'gpt-4.1'],
    ['the first whole name, for a name that is not listed', 'o3', false, 'gpt-4.1'],
  ])('stands for %s', (_what, name, isSlug, sent) => {
    expect(nameToSend(models, { name, isSlug })).toBe(sent);
  });

  it('never stands for a slug because of a *, and for nothing where there is no whole name', () => {
    expect(nameToSend(['first', '*'], { name: 'coder', isSlug: true })).toBe('first');
    expect(nameToSend(['*'], { name: 'coder', isSlug: true })).toBeUndefined();
    expect(nameToSend(undefined, { name: 'coder', isSlug: true })).toBeUndefined();
    expect(nameToSend(['coder'], { name: 'coder', isSlug: true })).toBe('coder');
  });

  it('is filled in for every call, and every other part of the flow stays the same', () => {
    const call = {
      provider: 'demo',
      model: '{{model}}',
      fallbacks: [{ provider: 'demo', model: '{{model}}' }],
    };
    const flow = parseFlow([
      { randomizedSplit: { percentageA: 50, a: [{ callModel: call }], b: [{ stop: {} }] } },
      { callModel: { provider: 'demo', model: 'fixed', prompt: '{{model}}' } },
    ]);
    if (flow === undefined) throw new Error('the flow must parse');
    const filled = fillModel(flow, 'gpt-5');
    expect(JSON.stringify(filled)).toBe(
      JSON.stringify(flow).replaceAll('"model":"{{model}}"', '"model":"gpt-5"'),
    );
    expect(filled[1]).toBe(flow[1]);
    // What is remembered of a flow by its identity is found again.
    expect(fillModel(flow, 'gpt-5')).toBe(filled);
    expect(passesModelOn(filled)).toBe(false);
  });
});
