// Options that do not exist are rejected, and a key of the environment is taken where there is one.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NeuronClient, runTools } from '../../client/src/index.ts';

const asked: RequestInit[] = [];
const answer: typeof fetch = async (_url, init = {}) => {
  asked.push(init);
  return new Response('{"output":"Hi","fromCache":false,"executionStopped":false}', {
    headers: { 'Content-Type': 'application/json' },
  });
};
const authorizations = () => asked.map(({ headers }) => new Headers(headers).get('authorization'));

afterEach(() => {
  asked.length = 0;
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('an option that does not exist', () => {
  it.each([
    [{ baseUrl: 'https://a.example' }, /^baseUrl is no option of a client: .*baseURL/],
    [{ apiKey: 'x' }, /^apiKey is no option of a client: jwtOrApiKey/],
    [{ retry: { maxRetry: 1 } }, /^maxRetry is no option of retry: maxRetries/],
    [{ retry: {}, maxRetries: 1 }, /^maxRetries is no option of a client: .*retry/],
    [{ organization: undefined }, /^organization is no option of a client/],
  ])('of a client is an error that lists those that do: %j', (options, message) => {
    expect(() => new NeuronClient(options as object)).toThrow(TypeError);
    expect(() => new NeuronClient(options as object)).toThrow(message);
  });

  it.each([
    [{ prompt: 'Hello' }, /^prompt is no option of a call: input, messages/],
    [{ imput: 'Hello' }, /^imput is no option of a call: input/],
    [{ input: 'Hello', bypasscache: true }, /^bypasscache is no option of a call: .*bypassCache/],
    [{ input: 'Hello', temperature: 1 }, /^temperature is no option of a call: .*parameters/],
    [{ input: 'Hello', toString: 1 }, /^toString is no option of a call/],
  ])('of a call is an error before anything is sent: %j', async (options, message) => {
    const client = new NeuronClient({ fetch: answer });
    await expect(client.callNeuron('acme', 'hello', options as object)).rejects.toThrow(message);
    expect(() => client.stream('acme', 'hello', options as object)).toThrow(message);
    expect(asked).toEqual([]);
  });

  it('of a loop with tools is an error, too', async () => {
    const client = new NeuronClient({ fetch: answer });
    const options = { input: 'Hello', tools: [], maxCall: 2 };
    await expect(runTools(client, 'acme', 'hello', options)).rejects.toThrow(
      'maxCall is no option of a call',
    );
  });

  it('is none of those that do', async () => {
    new NeuronClient({ jwtOrApiKey: 'a', baseURL: 'http://a', fetch: answer, timeout: 1, retry: false });
    const client = new NeuronClient({
      fetch: answer,
      retry: { maxRetries: 1, baseDelay: 1, maxDelay: 1, networkFailures: true },
    });
    const text = { input: 'Hello', bypassCache: true, rawOutput: false, headers: {}, jwtOrApiKey: 'a' };
    const bounds = { signal: new AbortController().signal, timeout: 1000, idempotencyKey: 'k' };
    await client.callNeuron('acme', 'hello', { ...text, ...bounds, revisionId: 'v1', key: 'nrp_a' });
    const form = { toolChoice: 'auto', responseFormat: { type: 'text' }, parameters: {} } as const;
    await client.callNeuron('acme', 'hello', { messages: [], tools: [], ...form, idempotent: true });
    expect(asked).toHaveLength(2);
  });

  it('is quoted in part only, whatever it is', () => {
    const name = `${'x'.repeat(64)}secret`;
    expect(() => new NeuronClient({ [name]: 1 })).toThrow(`${'x'.repeat(64)} is no option`);
  });
});

describe('the token', () => {
  const call = (options?: object) =>
    new NeuronClient({ fetch: answer, ...options }).callNeuron('acme', 'hello');

  it('is NEURON_API_KEY of the environment where the client has none', async () => {
    vi.stubEnv('NEURON_API_KEY', 'nrn_one');
    await call();
    await call({ jwtOrApiKey: undefined });
    await call({ jwtOrApiKey: 'own' });
    await call({ jwtOrApiKey: '' });
    await call({ jwtOrApiKey: () => undefined });
    expect(authorizations()).toEqual(['Bearer nrn_one', 'Bearer nrn_one', 'Bearer own', null, null]);
  });

  it('can be removed', async () => {
    vi.stubEnv('NEURON_API_KEY', 'nrn_one');
    const client = new NeuronClient({ fetch: answer });
    client.setJwtOrApiKey(undefined);
    await client.callNeuron('acme', 'hello');
    expect(authorizations()).toEqual([null]);
  });

  it.each([
    ['no process, as in browsers', undefined],
    ['a process without an environment', {}],
    ['an environment without the variable', { env: {} }],
    [
      'an environment that may not be read',
      {
        get env() {
          throw new Error('NotCapable');
        },
      },
    ],
  ])('is none with %s', async (_what, process) => {
    vi.stubGlobal('process', process);
    const sent = call();
    vi.unstubAllGlobals();
    await sent;
    expect(authorizations()).toEqual([null]);
  });
});
