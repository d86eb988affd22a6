// When the client tries again, how long it waits, and that neither count nor timeout is ever exceeded.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NeuronClient, type NeuronClientOptions } from '../../client/src/index.ts';
import { type Step, scriptService, settle, useFakeClock } from './scripted-service.ts';

beforeEach(useFakeClock);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const reject = (status: number, retryAfter?: number): Step => ({
  after: 0,
  outcome: { status, ...(retryAfter === undefined ? {} : { retryAfter }) },
});
const serve: Step = { after: 0, outcome: { status: 200 } };
const breakOff: Step = { after: 0, outcome: 'break' };

async function callThrough(steps: readonly Step[], options: NeuronClientOptions = {}) {
  const service = scriptService(steps);
  const client = new NeuronClient({ fetch: service.fetch, ...options });
  const { value, error } = await settle(() => client.callNeuron('acme', 'hello'));
  const times = service.received.map(({ at }) => at);
  return { value, error, waits: times.slice(1).map((at, index) => at - (times[index] ?? 0)) };
}

describe('a refusal of 429 or 503', () => {
  it('is retried, twice at most, and then thrown', async () => {
    for (const status of [429, 503]) {
      const { error, waits } = await callThrough([reject(status)]);
      expect(waits).toHaveLength(2);
      expect(error).toMatchObject({ statusCode: status });
    }
  });

  it('is ignored when a later attempt succeeds', async () => {
    const { value, waits } = await callThrough([reject(503), reject(429), serve]);
    expect(value).toEqual({ output: 'Hi', fromCache: false, executionStopped: false });
    expect(waits).toHaveLength(2);
  });

  it('is waited for at random below a bound that doubles up to the longest delay', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const retry = { maxRetries: 4, baseDelay: 1000, maxDelay: 3000 };
    expect((await callThrough([reject(503)], { retry })).waits).toEqual([500, 1000, 1500, 1500]);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect((await callThrough([reject(503)], { retry })).waits).toEqual([0, 0, 0, 0]);
  });

  it('is waited for as long as Retry-After says, and a random time more', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { waits } = await callThrough([reject(429, 7), serve], { retry: { baseDelay: 100 } });
    expect(waits).toEqual([7050]);
  });

  it('is thrown at once where Retry-After asks for more than the longest delay', async () => {
    const { error, waits } = await callThrough([reject(429, 21)]);
    expect(waits).toEqual([]);
    expect(error).toMatchObject({ statusCode: 429, retryAfter: 21 });
    expect((await callThrough([reject(429, 20), serve])).waits).toHaveLength(1);
  });

  it('is thrown at once where the wait would outlast the timeout', async () => {
    const { error, waits } = await callThrough([reject(429, 10)], { timeout: 10_000 });
    expect(waits).toEqual([]);
    expect(error).toMatchObject({ statusCode: 429, retryAfter: 10 });
  });

  it('is not retried with retry: false or no retries', async () => {
    expect((await callThrough([reject(503)], { retry: false })).waits).toEqual([]);
    expect((await callThrough([reject(503)], { retry: { maxRetries: 0 } })).waits).toEqual([]);
  });
});

describe('other failures', () => {
  it('of the service are thrown at once', async () => {
    for (const status of [400, 401, 403, 404, 422, 500, 502, 504]) {
      const { error, waits } = await callThrough([reject(status)]);
      expect(waits).toEqual([]);
      expect(error).toMatchObject({ statusCode: status });
    }
  });

  it('of the network are thrown at once, since the call may have run', async () => {
    const { error, waits } = await callThrough([breakOff, serve]);
    expect(waits).toEqual([]);
    expect(error).toMatchObject({ name: 'NetworkError', reason: 'network' });
  });

  it('of the network are retried on request', async () => {
    const { value, waits } = await callThrough([breakOff, breakOff, serve], {
      retry: { networkFailures: true },
    });
    expect(waits).toHaveLength(2);
    expect(value).toMatchObject({ output: 'Hi' });
  });

  it('of the function that gives the token are thrown as they are', async () => {
    const cause = new Error('signed out');
    const { error, waits } = await callThrough([serve], { jwtOrApiKey: () => Promise.reject(cause) });
    expect(error).toBe(cause);
    expect(waits).toEqual([]);
  });
});

describe('a token that is given as a function', () => {
  it('is called before every attempt', async () => {
    const tokens = ['first', 'second', 'third'];
    const service = scriptService([reject(503), reject(503), serve]);
    const client = new NeuronClient({ fetch: service.fetch, jwtOrApiKey: async () => tokens.shift() });
    await settle(() => client.callNeuron('acme', 'hello'));
    expect(service.received.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer first',
      'Bearer second',
      'Bearer third',
    ]);
  });
});

describe('options of retries', () => {
  it('refuses invalid numbers', () => {
    for (const wrong of [-1, Number.NaN, '3' as unknown as number]) {
      expect(() => new NeuronClient({ retry: { maxRetries: wrong } })).toThrow(TypeError);
      expect(() => new NeuronClient({ retry: { baseDelay: wrong } })).toThrow(TypeError);
      expect(() => new NeuronClient({ retry: { maxDelay: wrong } })).toThrow(TypeError);
    }
  });
});

const step: fc.Arbitrary<Step> = fc.record({
  after: fc.integer({ min: 0, max: 5000 }),
  outcome: fc.oneof(
    fc.constantFrom('hang' as const, 'break' as const),
    fc.record({ status: fc.constantFrom(200, 429, 429, 503, 503, 500) }),
    fc.record({ status: fc.constantFrom(429, 503), retryAfter: fc.integer({ min: 0, max: 12 }) }),
  ),
});

describe('whatever the service does', () => {
  it('a call ends within its timeout, makes at most the allowed attempts, and waits at least Retry-After', async () => {
    const cases = fc.record({
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
      timeout: fc.integer({ min: 1, max: 20_000 }),
      retry: fc.record({
        maxRetries: fc.integer({ min: 0, max: 6 }),
        baseDelay: fc.integer({ min: 0, max: 2000 }),
        maxDelay: fc.integer({ min: 0, max: 15_000 }),
        networkFailures: fc.boolean(),
      }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ steps, timeout, retry }) => {
        const { received, fetch } = scriptService(steps);
        const client = new NeuronClient({ fetch, timeout, retry });
        const start = performance.now();
        const { took } = await settle(() => client.callNeuron('acme', 'hello'));
        expect(took).toBeLessThanOrEqual(timeout);
        expect(received.length).toBeLessThanOrEqual(retry.maxRetries + 1);
        received.forEach(({ at }, index) => {
          expect(at - start).toBeLessThan(timeout);
          const before = steps[Math.min(index - 1, steps.length - 1)];
          if (before === undefined || typeof before.outcome === 'string') return;
          const earliest =
            (received[index - 1]?.at ?? 0) + before.after + (before.outcome.retryAfter ?? 0) * 1000;
          expect(at).toBeGreaterThanOrEqual(earliest);
        });
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});
