// How a call ends without an answer: by its timeout or by its caller, in whatever it is doing.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NeuronClient, NoAnswerError } from '../../client/src/index.ts';
import { scriptService, settle, useFakeClock } from './scripted-service.ts';

beforeEach(useFakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const hang = () => scriptService([{ after: 0, outcome: 'hang' }]);
const rejected = () => scriptService([{ after: 0, outcome: { status: 503, retryAfter: 5 } }]);

describe('a timeout', () => {
  it('ends the call with a TimeoutError that has no statusCode, and aborts the request', async () => {
    const { received, fetch } = hang();
    const client = new NeuronClient({ fetch, timeout: 1500 });
    const { error, took } = await settle(() => client.callNeuron('acme', 'hello'));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({
      name: 'TimeoutError',
      reason: 'timeout',
      message: expect.stringContaining('1500 ms'),
    });
    expect(error).not.toHaveProperty('statusCode');
    expect(took).toBe(1500);
    expect(received[0]?.signal?.aborted).toBe(true);
  });

  it('of the call takes precedence over that of the client, which is five minutes by default', async () => {
    const client = new NeuronClient({ fetch: hang().fetch, timeout: 1500 });
    const byCall = await settle(() => client.callNeuron('acme', 'hello', { timeout: 20 }));
    expect(byCall.took).toBe(20);
    const byDefault = await settle(() =>
      new NeuronClient({ fetch: hang().fetch }).callNeuron('acme', 'hello'),
    );
    expect(byDefault.took).toBe(300_000);
  });

  it('covers the function that gives the token', async () => {
    const { received, fetch } = hang();
    const client = new NeuronClient({ fetch, timeout: 50, jwtOrApiKey: () => new Promise(() => undefined) });
    expect((await settle(() => client.callNeuron('acme', 'hello'))).error).toMatchObject({
      reason: 'timeout',
    });
    expect(received).toEqual([]);
  });

  it('sends nothing when the token comes late', async () => {
    const { received, fetch } = hang();
    const jwtOrApiKey = () => new Promise<string>((resolve) => setTimeout(() => resolve('late'), 100));
    const client = new NeuronClient({ fetch, timeout: 50, jwtOrApiKey });
    await settle(() => client.callNeuron('acme', 'hello'));
    expect(received).toEqual([]);
  });

  it('covers the body of the answer', async () => {
    const fetch = async () =>
      new Response(new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(1)) }));
    const client = new NeuronClient({ fetch, timeout: 50 });
    expect((await settle(() => client.callNeuron('acme', 'hello'))).error).toMatchObject({
      reason: 'timeout',
    });
  });

  it('refuses anything but a positive number', async () => {
    for (const timeout of [0, -1, Number.NaN]) {
      expect(() => new NeuronClient({ timeout })).toThrow(TypeError);
      const call = () => new NeuronClient({ fetch: hang().fetch }).callNeuron('acme', 'hello', { timeout });
      expect((await settle(call)).error).toBeInstanceOf(TypeError);
    }
  });

  it('of Infinity sets no timer', async () => {
    const client = new NeuronClient({ fetch: hang().fetch, timeout: Infinity });
    const abort = new AbortController();
    const call = client
      .callNeuron('acme', 'hello', { signal: abort.signal })
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
    abort.abort();
    expect(await call).toMatchObject({ reason: 'abort' });
  });
});

describe('an abort', () => {
  it('ends a request with an AbortError whose cause is the reason', async () => {
    const { received, fetch } = hang();
    const abort = new AbortController();
    const call = new NeuronClient({ fetch }).callNeuron('acme', 'hello', { signal: abort.signal });
    setTimeout(() => abort.abort('the user left'), 10);
    const { error, took } = await settle(() => call);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ name: 'AbortError', reason: 'abort', cause: 'the user left' });
    expect(error).not.toHaveProperty('statusCode');
    expect(took).toBe(10);
    expect(received[0]?.signal?.aborted).toBe(true);
  });

  it('ends a wait for the next try', async () => {
    const { received, fetch } = rejected();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 1000);
    const client = new NeuronClient({ fetch });
    const { error, took } = await settle(() => client.callNeuron('acme', 'hello', { signal: abort.signal }));
    expect(error).toMatchObject({ reason: 'abort' });
    expect(took).toBe(1000);
    expect(received).toHaveLength(1);
  });

  it('before the call sends nothing', async () => {
    const { received, fetch } = hang();
    const { error } = await settle(() =>
      new NeuronClient({ fetch }).callNeuron('acme', 'hello', { signal: AbortSignal.abort() }),
    );
    expect(error).toMatchObject({ reason: 'abort' });
    expect(received).toEqual([]);
  });

  it('leaves no listener on a signal that outlives the call', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const { fetch } = scriptService([{ after: 0, outcome: { status: 200 } }]);
    await settle(() => new NeuronClient({ fetch }).callNeuron('acme', 'hello', { signal }));
    expect(remove).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
