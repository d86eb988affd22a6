// Answers of InvokeGuardrailChecks: scores against thresholds, places, and what is no verdict.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeGuardrails, guardOf, startFakeGuardrails } from './fake-guardrails.ts';

let fake: FakeGuardrails;
beforeAll(async () => {
  fake = await startFakeGuardrails();
});
afterAll(() => fake.stop());

const GUARD = {
  type: 'bedrockChecks',
  region: 'us-east-1',
  promptAttack: { jailbreak: 0.7 },
  sensitiveInformation: { entities: ['EMAIL', 'NAME'] },
};
const TEXT = '🦊 I am Ann, ann@example.com';

const score = (severityScore: unknown, category = 'JAILBREAK') => ({ category, severityScore });
const found = (more: object = {}) => ({
  type: 'EMAIL',
  confidenceScore: 0.8,
  messageIndex: 0,
  contentIndex: 0,
  // Code points: in UTF-16 code units one more.
  beginOffset: 12,
  endOffset: 27,
  ...more,
});

function answerOf(attacks: readonly unknown[], entities: readonly unknown[], more: object = {}) {
  return {
    results: {
      promptAttack: { results: attacks },
      sensitiveInformation: { results: entities, truncated: false },
    },
    usage: { promptAttack: { textUnits: 1 }, sensitiveInformation: { textUnits: 2 } },
    ...more,
  };
}

function inspect(body: unknown, guard: object = GUARD, ...texts: string[]) {
  fake.answerWith({ status: 200, body });
  const sent = texts.length === 0 ? [TEXT] : texts;
  return fake.inspect(guard, { texts: sent.map((text) => ({ role: 'user', text })) });
}

describe('an answer of InvokeGuardrailChecks', () => {
  it('finds a category whose score reaches its threshold', async () => {
    for (const [is, verdict] of [
      [0, 'none'],
      [0.6, 'none'],
      [0.8, 'block'],
      [1, 'block'],
    ] as const)
      expect((await inspect(answerOf([score(is)], []))).verdict).toBe(verdict);
    const exact = { ...GUARD, promptAttack: { jailbreak: 0.8 } };
    expect((await inspect(answerOf([score(0.8)], []), exact)).finds).toEqual([
      { entity: 'JAILBREAK', text: 0 },
    ]);
  });

  it('gives places, and covers both ways of counting them', async () => {
    const { finds } = await inspect(answerOf([score(0)], [found()]));
    const [{ span } = {}] = finds;
    expect(TEXT.slice(span?.start, span?.end)).toBe(' ann@example.com');
    const plain = await inspect(
      answerOf([score(0)], [found({ beginOffset: 5, endOffset: 8 })]),
      GUARD,
      'I am Ann.',
    );
    expect(plain.finds).toEqual([{ entity: 'EMAIL', text: 0, span: { start: 5, end: 8 } }]);
  });

  it('reads a place that only UTF-16 code units have', async () => {
    const { finds } = await inspect(answerOf([score(0)], [found({ beginOffset: 13, endOffset: 28 })]));
    const [{ span } = {}] = finds;
    expect(TEXT.slice(span?.start, span?.end)).toBe('ann@example.com');
  });

  it('cuts no character in half', async () => {
    const { finds } = await inspect(answerOf([score(0)], [found({ beginOffset: 1, endOffset: 3 })]));
    expect(finds[0]?.span).toEqual({ start: 0, end: 4 });
  });

  it('finds nothing below the score, and in each text by itself', async () => {
    expect((await inspect(answerOf([score(0)], [found({ confidenceScore: 0.4 })]))).finds).toEqual([]);
    const second = found({ messageIndex: 1, beginOffset: 0, endOffset: 3 });
    const { finds } = await inspect(answerOf([score(1)], [second]), GUARD, 'a', 'Ann', 'c');
    expect(finds).toEqual([
      { entity: 'JAILBREAK', text: 2 },
      { entity: 'EMAIL', text: 1, span: { start: 0, end: 3 } },
    ]);
  });

  it('blocks where more was found than is given', async () => {
    const body = answerOf([score(0)], [found()]);
    body.results.sensitiveInformation.truncated = true;
    expect((await inspect(body)).finds.at(-1)).toEqual({ entity: 'TRUNCATED', text: 0 });
  });

  it('is charged by the units of each check', async () => {
    const { usage } = await inspect(answerOf([score(0)], []));
    expect(usage.units).toEqual({ promptAttack: 1, sensitiveInformation: 2 });
  });

  const good = answerOf([score(0)], []);
  it.each([
    ['null', null],
    ['an error', { Output: { __type: 'InternalFailure' } }],
    ['no results', { ...good, results: undefined }],
    ['no usage', { ...good, usage: undefined }],
    ['no usage of a check', { ...good, usage: { promptAttack: { textUnits: 1 } } }],
    ['more units than a call has', { ...good, usage: { ...good.usage, promptAttack: { textUnits: 1e9 } } }],
    ['no result of a check', { ...good, results: { promptAttack: good.results.promptAttack } }],
    ['no score of a category', answerOf([], [])],
    ['the score of another category alone', answerOf([score(0, 'PROMPT_LEAKAGE')], [])],
    ['a score above 1', answerOf([score(1.1)], [])],
    ['a score that is a text', answerOf([score('0')], [])],
    ['an entity that was not asked for', answerOf([score(0)], [found({ type: 'PHONE' })])],
    ['a value in the place of an entity', answerOf([score(0)], [found({ type: 'Ann' })])],
    ['a message that was not sent', answerOf([score(0)], [found({ messageIndex: 1 })])],
    ['a content that was not sent', answerOf([score(0)], [found({ contentIndex: 1 })])],
    ['a place beyond the text', answerOf([score(0)], [found({ endOffset: 1_000 })])],
    ['a place before it', answerOf([score(0)], [found({ beginOffset: -1 })])],
    ['a place of nothing', answerOf([score(0)], [found({ endOffset: 12 })])],
    ['half a place', answerOf([score(0)], [found({ beginOffset: 2.5 })])],
  ])('is unreadable with %s', async (_name, body) => {
    await expect(inspect(body)).rejects.toMatchObject({ kind: 'unreadable', status: 200 });
  });
});

describe('its settings', () => {
  it('have a score of 0.6 for entities where they say nothing', () => {
    expect(guardOf(GUARD)).toMatchObject({ sensitiveInformation: { minScore: 0.6 }, timeout: 2_000 });
  });

  it.each([
    { promptAttack: undefined, sensitiveInformation: undefined },
    { promptAttack: {} },
    { promptAttack: { jailbreak: 0 } },
    { promptAttack: { jailbreak: 1.1 } },
    { promptAttack: { promptAttack: 0.5 } },
    { contentFilter: {} },
    { sensitiveInformation: { entities: [] } },
    { sensitiveInformation: { entities: ['person'] } },
    { region: undefined },
    { guardrail: 'abc123' },
    { prices: { call: 1 } },
  ])('refuse %j', (more) => {
    expect(() => guardOf({ ...GUARD, ...more })).toThrow();
  });
});
