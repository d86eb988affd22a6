// A repeated call gets what the first one got where a service masked: byte for byte, without asking it again, and no value is kept.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import type { ReceivedRequest } from '../../../adapters/providers/fixture-server.ts';
import { openGuarded, textOf } from './function.ts';
import { answerWith, FORMS, received, serviceUrl, toServer, webhook } from './one-service.ts';

const NAME = 'Ann Lee';
const MAIL = 'ann@mail.example.com';
const SAID = `I am 🦊 ${NAME}, ${MAIL}. ${NAME}!`;

beforeAll(() => {
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', serviceUrl());
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
});
afterAll(() => void vi.unstubAllEnvs());

/** In code points. */
function placesIn(text: string) {
  return [...text.matchAll(new RegExp(NAME, 'g'))].map(({ index }) => {
    const start = [...text.slice(0, index)].length;
    return { start, end: start + NAME.length };
  });
}

const SERVICES: Readonly<
  Record<string, { guard: () => object; answer: (request: ReceivedRequest) => unknown }>
> = {
  webhook: {
    guard: () => webhook(),
    answer({ body }) {
      const { texts } = JSON.parse(body) as { texts: { text: string }[] };
      const finds = texts.flatMap(({ text }, at) =>
        placesIn(text).map((place) => ({ type: 'NAME', text: at, ...place })),
      );
      return finds.length === 0 ? { verdict: 'pass' } : { verdict: 'block', finds };
    },
  },
  presidio: {
    guard: () => ({ type: 'presidio', endpoint: serviceUrl(), entities: ['PERSON'] }),
    answer: ({ body }) =>
      placesIn(JSON.parse(body).text).map((place) => ({ entity_type: 'PERSON', score: 0.9, ...place })),
  },
  bedrock: {
    guard: () => ({ type: 'bedrock', guardrail: 'abc123', version: '3', region: 'us-east-1' }),
    answer({ body }) {
      const { content } = JSON.parse(body) as { content: { text: { text: string } }[] };
      const outputs = content.map(({ text }) => ({ text: text.text.replaceAll(NAME, '{NAME}') }));
      const isMasked = outputs.some(({ text }) => text.includes('{NAME}'));
      const piiEntities = [{ type: 'NAME', match: NAME, action: 'ANONYMIZED' }];
      return {
        action: isMasked ? 'GUARDRAIL_INTERVENED' : 'NONE',
        usage: { sensitiveInformationPolicyUnits: 1 },
        outputs: isMasked ? outputs : [],
        assessments: isMasked ? [{ sensitiveInformationPolicy: { piiEntities } }] : [{}],
      };
    },
  },
};
const BODIES = {
  native: { input: SAID },
  openai: {
    model: 'support',
    messages: [
      { role: 'system', content: `${NAME} asks.` },
      { role: 'user', content: SAID },
    ],
  },
  responses: { model: 'support', instructions: `${NAME} asks.`, input: SAID, store: false },
  anthropic: {
    model: 'support',
    max_tokens: 50,
    system: `${NAME} asks.`,
    messages: [{ role: 'user', content: [{ type: 'text', text: SAID }] }],
  },
} as const;

const maskIn = (asked: string, name: string) => new RegExp(`\\[${name}_[A-Z2-7]+\\]`).exec(asked)?.[0] ?? '';
const tellBack = (asked: string): { readonly text: string } => ({
  text: `"Hi"\n${maskIn(asked, 'OURS')}, ${maskIn(asked, 'PII') || maskIn(asked, 'EMAIL')}: https://x.example/${maskIn(asked, 'OURS')}`,
});

function open(type: string, more: object = {}, tell = tellBack) {
  const { guard = webhook, answer = () => ({}) } = SERVICES[type] ?? {};
  answerWith((request): FakeAnswer => ({ status: 200, body: answer(request) as object }));
  const library = { ours: guard(), pii: { type: 'pii', entities: ['email'] } };
  const guards = ['ours', 'pii'].map((use) => ({ use, on: ['input'], action: 'mask' }));
  return openGuarded({ library, guards, guardHttp: toServer, ...more }, tell);
}

describe.each(Object.keys(SERVICES))('masks by %s', (type) => {
  it.each(FORMS)('are the same again on $surface, streamed: $stream', async ({ surface, stream }) => {
    const model = open(type);
    const body = surface === 'native' || !stream ? BODIES[surface] : { ...BODIES[surface], stream };
    const form = { surface, stream, idempotencyKey: 'order-1' };
    const first = await model.call(body, form);
    const questions = received().length;
    const again = await model.call(body, form);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect([model.asked.length, received().length]).toEqual([1, questions]);
    expect(again.headers['Idempotency-Replayed']).toBe('true');
    if (!stream) expect(again.text).toBe(first.text);
    if (surface === 'native') expect(textOf(again.text)).toBe(textOf(first.text));
    expect(again.text).toContain(NAME);
    expect(again.text).toContain(MAIL);
    expect(again.text).toMatch(/x\.example\/\[OURS_/);
    expect(model.kept()).not.toMatch(/Ann Lee|ann@mail/);
    expect(model.asked.join('')).not.toContain(NAME);
  });
});

it('masks of a service come back to nobody who sends something else', async () => {
  const model = open('webhook');
  const form = { idempotencyKey: 'order-1' };
  await model.call({ input: SAID }, form);
  const other = await model.call({ input: 'Say it again' }, form);
  expect([other.status, other.text]).toEqual([422, expect.not.stringContaining('Ann')]);
});

it('an idempotency key keeps places, and no value', async () => {
  const model = open('webhook');
  const form = { idempotencyKey: 'order-1' };
  const input = `${SAID} And falcon.`;
  await model.call({ input }, form);
  const stored = JSON.stringify(model.stored);
  expect(stored).toMatch(/"masks":\[\{"label":"OURS","place":\d+,"start":8,"end":15\}\]/);
  expect(stored).not.toContain('Ann');
});

describe.each(Object.keys(SERVICES))('a stored answer, with guards by %s', (type) => {
  const caching = { settings: { caching: { exact: true } } };

  it.each([false, true])(
    'that repeats what the service masked is a miss each time, streamed: %s',
    async (stream) => {
      const model = open(type, caching);
      for (const calls of [1, 2, 3]) {
        const questions = received().length;
        const { text } = await model.call({ input: SAID }, { stream });
        expect(textOf(text)).toContain(NAME);
        expect(textOf(text)).not.toMatch(/"Hi"\n\[/);
        expect(model.asked).toHaveLength(calls);
        expect(received().length).toBeGreaterThan(questions);
      }
      expect(model.kept()).not.toContain(NAME);
    },
  );

  it('that repeats nothing of it is a hit, and the service is not asked again', async () => {
    const model = open(type, caching, () => ({ text: 'Hello!' }));
    await model.call({ input: SAID });
    const questions = received().length;
    const { text } = await model.call({ input: SAID });
    expect(JSON.parse(text)).toMatchObject({ output: 'Hello!', fromCache: true });
    expect([model.asked.length, received().length]).toEqual([1, questions]);
  });

  it('whose masks guards in the process made is a hit', async () => {
    const model = open(type, caching, (asked) => ({
      text: `Yours: ${maskIn(asked, 'PII') || maskIn(asked, 'EMAIL')}`,
    }));
    await model.call({ input: SAID });
    const { text } = await model.call({ input: SAID });
    expect(JSON.parse(text)).toMatchObject({ output: `Yours: ${MAIL}`, fromCache: true });
    expect(model.asked).toHaveLength(1);
  });
});
