// OpenAI's moderation over a real connection: what it is sent, and how each answer is read.
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { MODERATION_CATEGORIES } from '../../../core/settings/guards/remote/openai-moderation.ts';
import { address, answerWith, inspect, ok, received, takes, useServer } from './service-server.ts';

useServer();

const TYPE = { type: 'openaiModeration', provider: 'openai' };
const OPENAI = (url: string) => ({
  openai: { type: 'openai', baseUrl: `${url}/v1`, apiKey: { secret: 'key' } },
});

/** The example of the API reference (platform.openai.com/docs/api-reference/moderations/create). */
const SCORES = {
  harassment: 0.8189693396524255,
  'harassment/threatening': 0.804985420696006,
  sexual: 1.573112165348997e-6,
  hate: 0.007562942636942845,
  'hate/threatening': 0.004208854591835476,
  illicit: 0.030535955153511665,
  'illicit/violent': 0.008925306722380033,
  'self-harm/intent': 0.00023023930975076432,
  'self-harm/instructions': 0.0002293869201073356,
  'self-harm': 0.012598046106750154,
  'sexual/minors': 2.212566909570261e-8,
  violence: 0.9999992735124786,
  'violence/graphic': 0.843064871157054,
};
const FLAGGED = new Set(['harassment', 'harassment/threatening', 'violence', 'violence/graphic']);
const RESULT = {
  flagged: true,
  categories: Object.fromEntries(Object.keys(SCORES).map((name) => [name, FLAGGED.has(name)])),
  category_scores: SCORES,
  category_applied_input_types: Object.fromEntries(Object.keys(SCORES).map((name) => [name, ['text']])),
};
const CLEAN = {
  ...RESULT,
  flagged: false,
  categories: Object.fromEntries(Object.keys(SCORES).map((name) => [name, false])),
};
const RECORDED = {
  id: 'modr-0d9740456c391e43c445bf0f010940c7',
  model: 'omni-moderation-latest',
  results: [RESULT],
};

const moderate = (results: unknown, more: object = {}, texts = ['Hello']) => {
  answerWith(ok({ ...RECORDED, results }));
  const shown = texts.map((text) => ({ role: 'user', text }) as const);
  return inspect(() => ({ ...TYPE, ...more }), { texts: shown }, OPENAI);
};

describe("OpenAI's moderation", () => {
  it('is sent what its own client sends', async () => {
    await moderate([CLEAN, CLEAN], {}, ['one', 'two']);
    const ours = received().at(-1);
    const client = new OpenAI({ apiKey: 'a-key', baseURL: `${address()}/v1`, maxRetries: 0 });
    const read = await client.moderations.create({ model: 'omni-moderation-latest', input: ['one', 'two'] });
    const theirs = received().at(-1);
    expect([ours?.method, ours?.path]).toEqual([theirs?.method, theirs?.path]);
    expect(ours?.body).toBe(theirs?.body);
    expect(ours?.headers['authorization']).toBe(theirs?.headers['authorization']);
    expect(read.results.map(({ flagged }) => flagged)).toEqual([false, false]);
  });

  it.each([[[RESULT]], [[CLEAN]], [[CLEAN, RESULT, CLEAN]]])(
    'is read as its own client reads it, %#',
    async (results) => {
      const input = results.map((_, index) => `text ${index}`);
      const { finds, verdict } = await moderate(results, {}, input);
      const client = new OpenAI({ apiKey: 'a-key', baseURL: `${address()}/v1`, maxRetries: 0 });
      const read = await client.moderations.create({ model: 'omni-moderation-latest', input });
      const flagged = read.results.flatMap(({ categories }, text) =>
        Object.entries(categories).flatMap(([name, isFlagged]) =>
          isFlagged ? [{ entity: name.toUpperCase().replaceAll(/[^A-Z]/g, '_'), text }] : [],
        ),
      );
      expect(finds).toEqual(flagged);
      expect(verdict).toBe(read.results.some(({ flagged: one }) => one) ? 'block' : 'none');
    },
  );

  it('finds what the service flags, by text', async () => {
    const { verdict, finds, usage } = await moderate([CLEAN, RESULT], {}, ['one', 'two']);
    expect([verdict, usage]).toEqual(['block', { units: { call: 1 } }]);
    expect(finds).toEqual(
      ['HARASSMENT', 'HARASSMENT_THREATENING', 'VIOLENCE', 'VIOLENCE_GRAPHIC'].map((entity) => ({
        entity,
        text: 1,
      })),
    );
    expect(await moderate([CLEAN])).toMatchObject({ verdict: 'none', finds: [] });
  });

  it('goes by thresholds alone where settings name some', async () => {
    expect((await moderate([RESULT], { thresholds: { violence: 0.9999992735124786 } })).finds).toEqual([
      { entity: 'VIOLENCE', text: 0 },
    ]);
    expect((await moderate([RESULT], { thresholds: { violence: 1, harassment: 0.9 } })).verdict).toBe('none');
    expect((await moderate([CLEAN], { thresholds: { 'self-harm': 0.01 } })).finds).toEqual([
      { entity: 'SELF_HARM', text: 0 },
    ]);
    expect((await moderate([CLEAN], { thresholds: { 'sexual/minors': 0 } })).verdict).toBe('block');
  });

  it('blocks for a category that nobody knows yet, and does not repeat its name', async () => {
    const categories = { ...CLEAN.categories, 'ann@example.com': true };
    expect((await moderate([{ ...CLEAN, flagged: true, categories }])).finds).toEqual([
      { entity: 'OTHER', text: 0 },
    ]);
  });

  it.each([
    ['no result', []],
    ['two results of one text', [CLEAN, CLEAN]],
    ['null', null],
    ['a verdict that is a text', [{ ...CLEAN, flagged: 'false' }]],
    ['no flags', [{ ...CLEAN, categories: undefined }]],
    ['no scores', [{ ...CLEAN, category_scores: undefined }]],
    ['a score that is a text', [{ ...CLEAN, category_scores: { ...SCORES, violence: '0.1' } }]],
    ['a score above 1', [{ ...CLEAN, category_scores: { ...SCORES, violence: 1.1 } }]],
    [
      'no score of a category of settings',
      [{ ...CLEAN, category_scores: {} }],
      { thresholds: { hate: 0.5 } },
    ],
    ['null as one', [{ ...CLEAN, category_scores: { hate: null } }], { thresholds: { hate: 0.5 } }],
  ])('refuses %s as unreadable', async (_name, results, more: object = {}) => {
    await expect(moderate(results, more)).rejects.toMatchObject({ kind: 'unreadable', status: 200 });
  });

  it('refuses an error in a 200', async () => {
    answerWith(ok({ error: { message: 'The server had an error', type: 'server_error' } }));
    await expect(inspect(() => TYPE, {}, OPENAI)).rejects.toMatchObject({ kind: 'unreadable' });
  });

  it('is asked once where its key is rejected, and the failure does not repeat the key', async () => {
    answerWith({ status: 401, body: { error: { message: 'Incorrect API key provided: a-key' } } });
    const before = received().length;
    const failure = await inspect(() => TYPE, {}, OPENAI).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ kind: 'rejected', status: 401 });
    expect(JSON.stringify(failure)).not.toContain('a-key');
    expect(received().length - before).toBe(1);
  });

  it.each([
    ['an absent provider', () => ({})],
    ['a provider of another type', () => ({ openai: { type: 'echo' } })],
  ])('is not asked through %s', async (_name, providers) => {
    await expect(inspect(() => TYPE, {}, providers)).rejects.toMatchObject({
      code: 'configuration',
      reason: 'a guard names openai, which is no provider of type openai',
    });
  });
});

describe('its settings', () => {
  it('have the thresholds of known categories alone', () => {
    const all = Object.fromEntries(MODERATION_CATEGORIES.map((name) => [name, 0.5]));
    expect([TYPE, { ...TYPE, thresholds: all, prices: { call: 0 } }].map(takes)).toEqual([true, true]);
    const wrong = [
      { thresholds: {} },
      { thresholds: { violent: 0.5 } },
      { thresholds: { violence: 1.5 } },
      { thresholds: { violence: '0.5' } },
      { provider: undefined },
      { endpoint: 'https://example.com' },
    ];
    for (const more of wrong) expect(takes({ ...TYPE, ...more }), JSON.stringify(more)).toBe(false);
  });
});
