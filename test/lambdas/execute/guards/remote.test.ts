// Guards by services: what passes, what is stopped or cut, what is waited for, and what it costs.
import { describe, expect, it } from 'vitest';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { createStreamHttp } from '../../../adapters/providers/stream-http.ts';
import { openGuarded, textOf } from './function.ts';
import {
  answerWith,
  BLOCK,
  bodyOf,
  connections,
  FORMS,
  open,
  PASS,
  received,
  toServer,
  webhook,
} from './one-service.ts';

describe('a guard by a service', () => {
  it.each(FORMS)('lets pass and stops a request on $surface, streamed: $stream', async (form) => {
    const passing = open({}, PASS);
    const passed = await passing.call(bodyOf(form), form);
    expect(passed.status).toBe(200);
    expect(passing.asked).toHaveLength(1);
    const blocking = open({}, BLOCK);
    const blocked = await blocking.call(bodyOf(form), form);
    expect(blocked.status).toBe(form.surface === 'native' ? 422 : 400);
    expect(blocking.asked).toEqual([]);
    expect(blocking.entries[0]).toMatchObject({
      code: 'guard_blocked',
      guards: [{ guard: 'ours', type: 'webhook', stage: 'input', action: 'block', finds: [] }],
      modelCalls: [{ provider: 'guard:webhook', model: 'ours', finish: 'block', costMicrodollars: 0 }],
    });
  });

  it.each([false, true])('stops an answer before any of it has left, streamed: %s', async (stream) => {
    const { call, asked } = open({ on: ['output'], text: 'Not that.' }, BLOCK, {}, 'a secret answer');
    const { text, status } = await call({ input: 'Hello' }, { stream });
    expect(status).toBe(200);
    expect(text).not.toContain('secret');
    expect(text).toContain('Not that.');
    expect(asked).toHaveLength(1);
  });

  it('answers with its text in place of a run', async () => {
    const { call, asked } = open({ text: 'I cannot help with that.' }, BLOCK);
    const { status, text } = await call({ input: 'Hello' });
    expect([status, textOf(text), asked]).toEqual([200, 'I cannot help with that.', []]);
  });

  it('cuts out what it finds, and masks come back', async () => {
    const found = { verdict: 'block', finds: [{ type: 'NAME', text: 0, start: 7, end: 10 }] };
    const redacting = open({ action: 'redact' }, { status: 200, body: found });
    await redacting.call({ input: 'I am 🦊 Ann' });
    expect(redacting.asked[0]).toContain('I am 🦊 [OURS]');
    answerWith(() => ({ status: 200, body: found }));
    const masking = openGuarded(
      {
        library: { ours: webhook() },
        guards: [{ use: 'ours', on: ['input'], action: 'mask' }],
        guardHttp: toServer,
      },
      (asked) => ({ text: /\[OURS_[A-Z2-7]+\]/.exec(asked)?.[0] ?? 'none' }),
    );
    expect(textOf((await masking.call({ input: 'I am 🦊 Ann' })).text)).toBe('Ann');
    expect(masking.asked[0]).not.toContain('Ann');
    expect(masking.kept()).not.toContain('Ann');
  });

  it('refuses a text that it cannot cut', async () => {
    const { call, asked } = open({ action: 'redact' }, BLOCK);
    expect([(await call({ input: 'Hello' })).status, asked]).toEqual([422, []]);
  });

  it('sees what guards in the process have left', async () => {
    const library = { ours: webhook(), pii: { type: 'pii', entities: ['email'] } };
    const guards = [
      { use: 'ours', on: ['input'], action: 'block' },
      { use: 'pii', on: ['input'], action: 'mask' },
    ];
    const { call } = open({}, PASS, { library, guards });
    await call({ input: 'I am ann@example.com' });
    const { texts } = JSON.parse(received().at(-1)?.body ?? '');
    expect(texts).toEqual([{ role: 'user', text: expect.stringMatching(/^I am \[EMAIL_[A-Z2-7]{8}\]$/) }]);
  });

  it.each([
    ['all', ['user one', 'assistant two', 'user three']],
    ['new', ['user three']],
  ])('sees of a conversation with history %s %j', async (history, seen) => {
    const { call } = open({ history }, PASS);
    const said = ['one', 'two', 'three'];
    const messages = said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
    await call({ messages });
    const { texts } = JSON.parse(received().at(-1)?.body ?? '');
    expect(texts.map(({ role, text }: { role: string; text: string }) => `${role} ${text}`)).toEqual(seen);
  });

  it('is asked about no request whose answer is stored, and about each other one', async () => {
    const { call, asked } = open({}, PASS, { settings: { caching: { exact: true } } });
    await call({ input: 'Hello' });
    const before = received().length;
    await call({ input: 'Hello' });
    expect([received().length - before, asked.length]).toEqual([0, 1]);
    await call({ input: 'Hello again' });
    expect([received().length - before, asked.length]).toEqual([1, 2]);
  });

  it('sees a request before a model makes the vector of a lookup', async () => {
    const semantic = { embedding: { provider: 'model', model: 'e' }, allowPublic: true };
    const settings = { caching: { exact: true, semantic } };
    const passing = open({}, PASS, { settings });
    await passing.call({ input: 'Hello' });
    expect(passing.asked.some((body) => body.includes('"encoding_format"'))).toBe(true);
    const blocking = open({}, BLOCK, { settings });
    expect([(await blocking.call({ input: 'Hello' })).status, blocking.asked]).toEqual([422, []]);
  });

  it('leaves no call under way where a part of a text has failed', async () => {
    answerWith(({ body }) => (body.includes('last part') ? { status: 400, body: {} } : 'stall'));
    const guarded = openGuarded({
      library: { ours: webhook() },
      guards: [{ use: 'ours', on: ['input'], action: 'block' }],
      settings: { maxInputBytes: 1_000_000 },
      guardHttp: toServer,
    });
    const { status } = await guarded.call({ input: `${'long '.repeat(150_000)}last part` });
    expect([status, guarded.asked]).toEqual([500, []]);
    // Nor is that of the part that was answered kept: of a failure no body is read.
    await expect.poll(connections).toBe(0);
  });

  it('is left alone after failures, by a circuit that is not the provider’s', async () => {
    const { call, clock, entries, ports } = open({}, { status: 429, body: {} });
    Object.assign(ports, { circuits: createCircuitBreakers(clock) });
    for (let round = 0; round < 5; round += 1) await call({ input: `Hello ${round}` });
    const before = received().length;
    const { status, headers } = await call({ input: 'Hello' });
    expect([status, received().length - before]).toEqual([503, 0]);
    expect(headers['retry-after'] ?? headers['Retry-After']).toBe('10');
    expect(entries.at(-1)?.guards).toMatchObject([{ notJudged: 'circuit_open' }]);
    await clock.advance(10_001);
    answerWith(() => PASS);
    expect((await call({ input: 'Hello' })).status).toBe(200);
  });

  it('that flags delays no answer, and its finds are in the entry all the same', async () => {
    const library = { ours: webhook() };
    const guards = [{ use: 'ours', on: ['input', 'output'], action: 'flag' }];
    const found = '{"verdict":"block","finds":[{"type":"TOXIC","text":0}]}';
    const answers: (() => void)[] = [];
    const guarded = openGuarded({
      library,
      guards,
      guardHttp: async (request) => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return createStreamHttp({ headers: {}, pieces: [found] }).openHttp(request);
      },
    });
    const answered = guarded.callAndFinish({ input: 'Hello' });
    const { status, text } = await answered.answer;
    expect([status, textOf(text), guarded.entries]).toEqual([200, 'Hi.', []]);
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    await answered.finished;
    expect(guarded.entries[0]?.guards).toMatchObject([
      { stage: 'input', action: 'flag', finds: [{ type: 'TOXIC', count: 1 }] },
      { stage: 'output', action: 'flag', finds: [{ type: 'TOXIC', count: 1 }] },
    ]);
  });

  it('is priced, and booked with what the run has cost', async () => {
    const library = { ours: webhook('/ours', { prices: { call: 0.0005 } }) };
    const { call, entries } = open({ on: ['input', 'output'] }, PASS, {
      library,
      prices: { 'model/m': { input: 1, output: 1 } },
    });
    await call({ input: 'Hello' });
    expect(entries[0]).toMatchObject({
      costMicrodollars: 500 + 500 + 15,
      modelCalls: [
        { provider: 'guard:webhook', model: 'ours', finish: 'pass', costMicrodollars: 500, attempts: 1 },
        { provider: 'guard:webhook', model: 'ours', finish: 'pass', costMicrodollars: 500, attempts: 1 },
        { provider: 'model', model: 'm', costMicrodollars: 15 },
      ],
    });
  });

  it('refuses a request whose limit has no room for it', async () => {
    const library = { ours: webhook('/ours', { prices: { call: 0.5 } }) };
    const { call, asked } = open({}, PASS, {
      library,
      prices: { 'model/m': { input: 0, output: 0 } },
      usageLimits: [{ metric: 'cost', limit: 0.7, period: 'day' }],
    });
    expect((await call({ input: 'one' })).status).toBe(200);
    const before = received().length;
    expect((await call({ input: 'two' })).status).toBe(429);
    expect([received().length - before, asked.length]).toEqual([0, 1]);
  });

  it('gives each of 64 requests its own verdict, three guards each', async () => {
    const names = ['one', 'two', 'three'];
    const library = Object.fromEntries(names.map((name) => [name, webhook(`/${name}`)]));
    const guards = names.map((use) => ({ use, on: ['input'], action: 'block', text: `stopped by ${use}` }));
    answerWith(({ path, body }) => (body.includes(`no-${path.slice(1)}`) ? BLOCK : PASS));
    const { call, asked } = openGuarded({ library, guards, guardHttp: toServer }, (body) => ({
      text: /said \d+/.exec(body)?.[0] ?? '',
    }));
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, at) => {
        const word = at % 4 === 3 ? '' : ` no-${names[at % 4]}`;
        return textOf((await call({ input: `said ${at}${word}` })).text);
      }),
    );
    const wanted = answers.map((_, at) => (at % 4 === 3 ? `said ${at}` : `stopped by ${names[at % 4]}`));
    expect(answers).toEqual(wanted);
    expect(asked).toHaveLength(16);
  });
});

describe('texts that a service has not judged', () => {
  const NAMED = 'Write to Ann Lee.';
  const told = (used: string) => ({
    status: 200,
    body: {
      verdict: 'block',
      finds: [{ type: 'NAME', text: 0, start: used.indexOf('Ann'), end: used.indexOf('Ann') + 7 }],
    },
  });
  const redact = { action: 'redact' };

  it('are in the log as it left them', async () => {
    const model = open(redact, told(NAMED));
    await model.call({ input: NAMED });
    expect(model.entries[0]?.input).toMatchObject({ text: 'Write to [OURS].' });
  });

  it('are in no log where it failed, nor where a limit came first', async () => {
    const failing = open(redact, { status: 500 });
    await failing.call({ input: NAMED });
    const usageLimits = [{ metric: 'requests', limit: 1, period: 'month' }];
    const limited = open(redact, told(NAMED), { usageLimits });
    await limited.call({ input: NAMED });
    expect((await limited.call({ input: NAMED })).status).toBe(429);
    expect(failing.entries).toHaveLength(1);
    expect(failing.kept() + limited.kept()).not.toContain('Ann Lee');
  });

  it('are in no log where the answer was stored, so that nobody is asked', async () => {
    const model = open(redact, told(NAMED), { settings: { caching: { exact: true } } });
    await model.call({ input: NAMED });
    const { text } = await model.call({ input: NAMED });
    expect(JSON.parse(text)).toMatchObject({ fromCache: true });
    expect(model.entries[1]?.input).toBeUndefined();
    expect(model.kept()).not.toContain('Ann Lee');
  });

  it('are in the log with action flag, which changes none', async () => {
    const model = open({ action: 'flag' }, { status: 500 });
    await model.call({ input: NAMED });
    expect(model.entries[0]?.input).toMatchObject({ text: NAMED });
  });
});
