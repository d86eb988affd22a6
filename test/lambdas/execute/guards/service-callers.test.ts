// What callers try against guards by services: texts that crash them, turns of their own making, values at the edges of parts.
import { describe, expect, it } from 'vitest';
import { createCircuitBreakers } from '../../../../core/flow/circuit-breaker.ts';
import { openGuarded } from './function.ts';
import {
  answerWith,
  BLOCK,
  inTime,
  open,
  PASS,
  received,
  serviceUrl,
  toServer,
  webhook,
} from './one-service.ts';

const turn = (role: string, content: string) => ({ role, content });

describe('a circuit', () => {
  const crashing = () => {
    const guarded = open({}, PASS);
    answerWith(({ body }) => (body.includes('crash') ? 'reset' : PASS));
    Object.assign(guarded.ports, { circuits: createCircuitBreakers(guarded.clock) });
    return guarded;
  };

  it('is not opened to others by one text that crashes the service, however often it comes', async () => {
    const { call, asked } = crashing();
    for (let round = 0; round < 6; round += 1) expect((await call({ input: 'crash' })).status).toBe(503);
    expect([(await call({ input: 'Hello' })).status, asked.length]).toEqual([200, 1]);
  });

  it('that many such texts opened lets another text try the service', async () => {
    const { call } = crashing();
    for (let round = 0; round < 6; round += 1)
      expect((await call({ input: `crash ${round}` })).status).toBe(503);
    const before = received().length;
    expect([(await call({ input: 'crash 0' })).status, received().length - before]).toEqual([503, 0]);
    expect((await call({ input: 'Hello' })).status).toBe(200);
  });

  it('is of one guard: another one is asked all the same', async () => {
    const library = { down: webhook('/down'), up: webhook('/up') };
    const guards = [
      { use: 'down', on: ['toolResults'], action: 'block' },
      { use: 'up', on: ['input'], action: 'block' },
    ];
    const { call, clock, entries, ports } = open({}, PASS, { library, guards });
    answerWith(({ path }) => (path === '/down' ? { status: 429, body: {} } : PASS));
    Object.assign(ports, { circuits: createCircuitBreakers(clock) });
    const withTool = (id: number) => ({
      model: 'support',
      messages: [
        turn('user', 'Hello'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: `found ${id}` },
      ],
    });
    for (let round = 0; round < 6; round += 1) await call(withTool(round), { surface: 'openai' });
    expect(entries.at(-1)?.guards).toContainEqual(
      expect.objectContaining({ guard: 'down', notJudged: 'circuit_open' }),
    );
    expect((await call({ input: 'Hello' })).status).toBe(200);
    expect(entries.at(-1)?.guards).toMatchObject([{ guard: 'up', finds: [] }]);
  });
});

describe('a guard with history new', () => {
  it.each([
    ['an answer that the caller begins', [turn('user', 'attack'), turn('assistant', 'Sure, here')]],
    ['answers alone', [turn('assistant', 'attack')]],
    [
      'a begun answer after a whole one',
      [turn('user', 'one'), turn('assistant', 'two'), turn('user', 'attack'), turn('assistant', 'Sure')],
    ],
  ])('sees the newest turn before %s', async (_name, messages) => {
    const { call, asked } = open({ history: 'new' }, PASS);
    answerWith(({ body }) => (body.includes('attack') ? BLOCK : PASS));
    expect([(await call({ messages })).status, asked]).toEqual([422, []]);
  });

  it('is not asked again about turns before the latest answer, whoever changed them', async () => {
    const { call } = open({ history: 'new' }, PASS);
    await call({ messages: [turn('user', 'changed'), turn('assistant', 'two'), turn('user', 'three')] });
    expect(JSON.parse(received().at(-1)?.body ?? '').texts).toEqual([{ role: 'user', text: 'three' }]);
  });
});

describe('a value at the edge of a part', () => {
  const NAME = 'Ann-Katrin von der Falkenburg';
  /** The name, or what a part has of it, wherever a part has it. */
  const finds = (body: string) =>
    (JSON.parse(body).texts as { text: string }[]).flatMap(({ text }, index) => {
      const part = text.includes(NAME) ? NAME : NAME.slice(0, 20);
      const start = text.indexOf(part);
      const at = [...text.slice(0, start)].length;
      return start === -1 ? [] : [{ type: 'NAME', text: index, start: at, end: at + part.length }];
    });

  it.each([99_000, 99_480, 99_975, 99_981])('is cut whole and counted once: at %i', async (at) => {
    const settings = { maxInputBytes: 1_000_000, logging: { bodies: 'full' } };
    const guarded = openGuarded(
      {
        library: { ours: webhook() },
        guards: [{ use: 'ours', on: ['input'], action: 'mask' }],
        settings,
        guardHttp: toServer,
      },
      (body) => ({ text: /\[OURS_[A-Z2-7]+\]/.exec(body)?.[0] ?? 'none' }),
    );
    answerWith(({ body }) => {
      const found = finds(body);
      return found.length === 0 ? PASS : { status: 200, body: { verdict: 'block', finds: found } };
    });
    const input = `🦊${'x'.repeat(at - 3)} ${NAME} ${'y'.repeat(1_000)}`;
    const { text } = await guarded.call({ input });
    expect(JSON.parse(text).output).toBe(NAME);
    expect(guarded.asked[0]).not.toContain('Katrin');
    expect(guarded.entries[0]?.guards).toMatchObject([{ finds: [{ type: 'NAME', count: 1 }] }]);
  });
});

describe('a request whose guard fails', () => {
  it('is charged for what was used alone, and holds nothing back', async () => {
    const price = { prices: { call: 0.001 } };
    const library = { down: webhook('/down', price), up: webhook('/up', price) };
    const guards = ['down', 'up'].map((use) => ({ use, on: ['input'], action: 'block' }));
    const { call, asked, entries, clock } = open({}, PASS, {
      library,
      guards,
      prices: { 'model/m': { input: 1, output: 1 } },
      // Room for two calls of guards: each request would need as much if anything were held.
      usageLimits: [{ metric: 'cost', limit: 0.007, period: 'day' }],
    });
    answerWith(({ path }) => (path === '/down' ? { status: 503, body: {} } : PASS));
    for (let round = 0; round < 3; round += 1)
      expect((await inTime(call({ input: `Hello ${round}` }), clock, 1)).status).toBe(503);
    expect(asked).toEqual([]);
    expect(entries.map(({ costMicrodollars }) => costMicrodollars)).toEqual([2_000, 2_000, 2_000]);
    answerWith(({ path }) => (path === '/down' ? { status: 429, body: {} } : PASS));
    expect((await call({ input: 'Hello' })).status).toBe(429);
  });
});

describe('an answer that a guard did not judge', () => {
  const caching = { settings: { caching: { exact: true } } };

  it.each(['input', 'output'])('on %s is stored for nobody', async (on) => {
    const { call, asked, entries } = open(
      { on: [on], onFailure: 'open' },
      { status: 503 },
      caching,
      'Sunny.',
    );
    expect((await call({ input: 'Hello' })).text).toContain('Sunny.');
    expect(entries[0]?.guards).toMatchObject([{ notJudged: 'server_error' }]);
    answerWith(() => BLOCK);
    const { text } = await call({ input: 'Hello' });
    expect(text).not.toContain('Sunny.');
    expect(asked).toHaveLength(on === 'input' ? 1 : 2);
  });

  it.each(['flag', 'block'])('leaves no vector either, but where it only flags: %s', async (action) => {
    const { call, stored } = openGuarded(
      {
        library: { ours: webhook() },
        guards: [
          { use: 'ours', on: ['input'], action, ...(action === 'block' ? { onFailure: 'open' } : {}) },
        ],
        flow: [{ embed: { provider: 'model', model: 'e', retries: 0 } }],
        guardHttp: toServer,
        ...caching,
      },
      () => ({
        body: { data: [{ index: 0, embedding: [1, 0.5] }], usage: { prompt_tokens: 4, total_tokens: 4 } },
      }),
    );
    answerWith(() => ({ status: 503, body: {} }));
    const form = { surface: 'embeddings', stream: false } as const;
    expect((await call({ model: 'support', input: 'Hello' }, form)).status).toBe(200);
    expect(stored).toHaveLength(action === 'flag' ? 1 : 0);
  });
});

/** Seconds of CPU, beside other work. */
const LONG = { timeout: 120_000 };

describe('a text that is all finds', () => {
  it.each(['', '🦊'])('costs time by its length, not by the square of it: "%s"', LONG, async (first) => {
    // 40,000 names and 5,000 addresses that are masked before the service is asked.
    const input = `${first}${'Maria '.repeat(40_000)}${'ann@example.com '.repeat(5_000)}`;
    const { call, entries, asked } = open({ action: 'redact', on: ['input'] }, PASS, {
      library: {
        names: { type: 'presidio', endpoint: serviceUrl(), entities: ['PERSON'], timeout: '30s' },
        pii: { type: 'pii', entities: ['email'] },
      },
      guards: [
        { use: 'names', on: ['input'], action: 'redact' },
        { use: 'pii', on: ['input'], action: 'mask' },
      ],
      settings: { maxInputBytes: 1_000_000 },
    });
    answerWith(({ body }) => {
      const points = [...(JSON.parse(body).text as string)].join('');
      const pairs = first !== '' && points.startsWith(first) ? 1 : 0;
      const finds = [...points.matchAll(/Maria(?= )/g)].map(({ index }) => {
        const start = index - pairs;
        return { entity_type: 'PERSON', start, end: start + 5, score: 1 };
      });
      return { status: 200, body: finds };
    });
    const before = process.threadCpuUsage();
    expect((await call({ input })).status).toBe(200);
    const { user, system } = process.threadCpuUsage(before);
    // Half a second of CPU; minutes where each find reads its text from the beginning.
    expect((user + system) / 1_000).toBeLessThan(8_000);
    expect(asked[0]?.includes('Maria ')).toBe(false);
    expect(entries[0]?.guards).toContainEqual(expect.objectContaining({ guard: 'names' }));
  });
});
