// Guards by Bedrock behind the execution function: on each surface, cut or masked, in chunks, priced, and with no value kept.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import type { FakeAnswer } from '../../../adapters/providers/fake-http.ts';
import {
  type FixtureServer,
  type ReceivedRequest,
  startFixtureServer,
} from '../../../adapters/providers/fixture-server.ts';
import { openGuarded, textOf } from './function.ts';
import { bodyOf, FORMS } from './one-service.ts';

let server: FixtureServer;
let openHttp: OpenHttp;
let answering: (request: ReceivedRequest) => FakeAnswer;
beforeAll(async () => {
  Object.assign(globalThis, { [Symbol.for('neuron.loopback')]: true });
  openHttp = (await import('../../../../adapters/http/request.ts')).createOpenHttp();
  server = await startFixtureServer((request) => answering(request));
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', server.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

const PRICES = { content: 0.00015, sensitiveInformation: 0.0001 };
const HOUSE = { type: 'bedrock', guardrail: 'abc123', version: '3', region: 'us-east-1', prices: PRICES };
const CHECKS = {
  type: 'bedrockChecks',
  region: 'us-east-1',
  promptAttack: { jailbreak: 0.7 },
  sensitiveInformation: { entities: ['NAME'] },
  prices: { promptAttack: 0.00008, sensitiveInformation: 0.0001 },
};

function open(library: object, use: object, more: object = {}, answer = 'Hi.') {
  const guards = [{ use: 'house', on: ['input'], action: 'block', ...use }];
  return openGuarded({ library: { house: library }, guards, guardHttp: openHttp, ...more }, () => ({
    text: answer,
  }));
}

/** A guardrail that masks Ann, and blocks texts with the word forbidden. */
function applyGuardrail({ body }: ReceivedRequest): FakeAnswer {
  const { content } = JSON.parse(body) as { content: { text: { text: string } }[] };
  const texts = content.map((one) => one.text.text);
  const usage = { contentPolicyUnits: 1, sensitiveInformationPolicyUnits: texts.length };
  if (texts.some((text) => text.includes('forbidden'))) {
    const filters = [{ type: 'VIOLENCE', confidence: 'HIGH', action: 'BLOCKED' }];
    const assessments = [{ contentPolicy: { filters } }];
    return {
      status: 200,
      body: { action: 'GUARDRAIL_INTERVENED', usage, outputs: [{ text: 'No.' }], assessments },
    };
  }
  if (!texts.some((text) => text.includes('Ann')))
    return { status: 200, body: { action: 'NONE', usage, outputs: [], assessments: [{}] } };
  const piiEntities = [{ type: 'NAME', match: 'Ann', action: 'ANONYMIZED' }];
  const outputs = texts.map((text) => ({ text: text.replaceAll('Ann', '{NAME}') }));
  const assessments = [{ sensitiveInformationPolicy: { piiEntities } }];
  return { status: 200, body: { action: 'GUARDRAIL_INTERVENED', usage, outputs, assessments } };
}

describe('a guard by a guardrail of Bedrock', () => {
  it.each(FORMS)('lets pass and stops a request on $surface, streamed: $stream', async (form) => {
    answering = applyGuardrail;
    const passing = open(HOUSE, {});
    expect((await passing.call(bodyOf(form), form)).status).toBe(200);
    const said = JSON.parse(JSON.stringify(bodyOf(form)).replace('Hello', 'something forbidden'));
    const blocking = open(HOUSE, {});
    const blocked = await blocking.call(said, form);
    expect(blocked.status).toBe(form.surface === 'native' ? 422 : 400);
    expect(blocking.asked).toEqual([]);
    expect(blocking.entries[0]).toMatchObject({
      code: 'guard_blocked',
      guards: [{ guard: 'house', type: 'bedrock', stage: 'input', finds: [{ type: 'VIOLENCE', count: 1 }] }],
      modelCalls: [{ provider: 'guard:bedrock', model: 'house', finish: 'block', costMicrodollars: 250 }],
    });
  });

  it.each([false, true])('stops an answer before any of it has left, streamed: %s', async (stream) => {
    answering = applyGuardrail;
    const { call } = open(HOUSE, { on: ['output'], text: 'Not that.' }, {}, 'a forbidden answer');
    const { text, status } = await call({ input: 'Hello' }, { stream });
    expect(status).toBe(200);
    expect(text).not.toContain('forbidden');
    expect(text).toContain('Not that.');
  });

  it('cuts what it masks, and brings masks back, of several turns', async () => {
    answering = applyGuardrail;
    const messages = ['I am Ann', 'Hello!', 'Ann again'].map((content, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content,
    }));
    const redacting = open(HOUSE, { action: 'redact' });
    await redacting.call({ messages });
    expect(redacting.asked[0]).toContain('I am [HOUSE]');
    expect(redacting.asked[0]).toContain('[HOUSE] again');
    const masking = openGuarded(
      {
        library: { house: HOUSE },
        guards: [{ use: 'house', on: ['input'], action: 'mask' }],
        guardHttp: openHttp,
      },
      (asked) => ({ text: /\[HOUSE_[A-Z2-7]+\]/.exec(asked)?.[0] ?? 'none' }),
    );
    expect(textOf((await masking.call({ messages })).text)).toBe('Ann');
    for (const kept of [redacting.kept(), masking.kept(), masking.asked.join('')])
      expect(kept).not.toContain('Ann');
  });

  it('asks about a long text in calls that the smallest quota takes, and finds what lies on a cut', async () => {
    answering = applyGuardrail;
    const before = server.received.length;
    const input = `${'x'.repeat(14_999)}Ann${'y'.repeat(20_000)}`;
    const { call, asked } = open(HOUSE, { action: 'redact' }, { settings: { maxInputBytes: 100_000 } });
    expect((await call({ input })).status).toBe(200);
    expect(asked[0]).toContain('xx[HOUSE]yy');
    const sizes = server.received
      .slice(before)
      .flatMap(({ body }) => JSON.parse(body).content)
      .map(({ text }) => text.text.length);
    expect(sizes).toEqual([15_000, 15_000, 6_002]);
  });

  it('has no answer where a guardrail answers otherwise, even if open, and is retried by nobody', async () => {
    for (const body of [{ Output: { __type: 'InternalFailure' } }, { action: 'NONE' }]) {
      answering = () => ({ status: 200, body });
      const before = server.received.length;
      const { call, asked, entries } = open(HOUSE, { onFailure: 'open' });
      expect((await call({ input: 'Hello' })).status).toBe(500);
      expect([asked.length, server.received.length - before]).toEqual([0, 1]);
      expect(entries[0]).toMatchObject({ code: 'configuration', guards: [{ notJudged: 'unreadable' }] });
    }
  });

  it('reserves its prices, and has no cost without them', async () => {
    answering = applyGuardrail;
    const usageLimits = [{ metric: 'cost', limit: 0.0004, period: 'day' }];
    const limited = open(HOUSE, {}, { usageLimits, prices: { 'model/m': { input: 0, output: 0 } } });
    const input = 'x'.repeat(1_500);
    // Two units of two policies cost 500 microdollars at most.
    expect((await limited.call({ input })).status).toBe(429);
    const { prices: _none, ...unpriced } = HOUSE;
    const free = open(unpriced, {});
    await free.call({ input: 'Hello' });
    expect(free.entries[0]?.modelCalls).toMatchObject([
      { provider: 'guard:bedrock', costMicrodollars: null },
      { provider: 'model' },
    ]);
  });
});

describe('a guard by checks of Bedrock', () => {
  const checked = (severityScore: number) => ({
    results: {
      promptAttack: { results: [{ category: 'JAILBREAK', severityScore }] },
      sensitiveInformation: {
        results: [
          {
            type: 'NAME',
            confidenceScore: 1,
            messageIndex: 0,
            contentIndex: 0,
            beginOffset: 5,
            endOffset: 8,
          },
        ],
        truncated: false,
      },
    },
    usage: { promptAttack: { textUnits: 1 }, sensitiveInformation: { textUnits: 1 } },
  });

  it('cuts what has a place, blocks what has none, and books its units', async () => {
    answering = () => ({ status: 200, body: checked(0.2) });
    const redacting = open(CHECKS, { action: 'redact' });
    expect((await redacting.call({ input: 'I am Ann.' })).status).toBe(200);
    expect(redacting.asked[0]).toContain('I am [HOUSE].');
    expect(redacting.entries[0]?.modelCalls).toContainEqual(
      expect.objectContaining({ provider: 'guard:bedrockChecks', costMicrodollars: 180 }),
    );
    expect(redacting.kept()).not.toContain('Ann');
    answering = () => ({ status: 200, body: checked(0.8) });
    const blocking = open(CHECKS, { action: 'redact' });
    expect([(await blocking.call({ input: 'I am Ann.' })).status, blocking.asked]).toEqual([422, []]);
    expect(blocking.entries[0]?.guards).toMatchObject([
      {
        finds: [
          { type: 'JAILBREAK', count: 1 },
          { type: 'NAME', count: 1 },
        ],
      },
    ]);
  });
});

it('a step with a guardrail goes to no provider that applies none', async () => {
  const callModel = { provider: 'model', model: 'm', guardrail: { id: 'abc123', version: '3' } };
  const { call, asked, entries } = openGuarded({ flow: [{ callModel }] });
  expect([(await call({ input: 'Hello' })).status, asked]).toEqual([500, []]);
  expect(entries[0]).toMatchObject({ code: 'configuration' });
});
