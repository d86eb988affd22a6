// The client against the real service, with answers that are lost after the run: the same answer, charged once.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IdempotencyMismatchError, NeuronClient } from '../../client/src/index.ts';
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

/** Each run says something else. A limit of its own tells how often each neuron was charged. */
const neuron = (slug: string, provider: string, runs: number) => `neuron: acme/${slug}
access: { public: true }
rateLimits: [{ metric: requests, scope: total, limit: ${runs}, period: 1d }]
flow: [{ callModel: { provider: ${provider}, model: echo-1, prompt: "{{execution.id}} {{input}}" } }]`;
const SETTINGS = [
  'organization: acme\nproviders: { demo: { type: echo }, slow: { type: echo, delay: 1s } }',
  neuron('lost', 'demo', 1),
  neuron('streamed', 'demo', 1),
  neuron('slow', 'slow', 1),
  neuron('paid', 'demo', 3),
].join('\n---\n');

// The proxy speaks HTTP alone.
describe.runIf(isLocal)('a client whose answers are lost', () => {
  let stack: Stack;
  let proxy: CuttingProxy;
  beforeAll(async () => {
    stack = await startStack({ settings: SETTINGS });
    proxy = await startCuttingProxy(stack.url);
  });
  afterAll(async () => {
    await proxy?.stop();
    await stack?.stop();
  });
  beforeEach(() => {
    proxy.cuts.length = 0;
    proxy.keys.length = 0;
  });

  const client = (retries = 2) =>
    new NeuronClient({ baseURL: proxy.url, retry: { baseDelay: 10, maxRetries: retries } });
  const charge = (slug: string) =>
    new NeuronClient({ baseURL: stack.url, retry: false }).callNeuron('acme', slug, { input: 'once more' });

  it('gets the answer of the one run with a key, however much of it came', async () => {
    proxy.cuts.push(0, 20);
    const answer = await client().callNeuron('acme', 'lost', { input: 'Hello', idempotent: true });
    expect(answer).toMatchObject({ output: expect.stringMatching(/ Hello$/), replayed: true });
    expect(proxy.keys).toHaveLength(3);
    expect(new Set(proxy.keys).size).toBe(1);
    await expect(charge('lost')).rejects.toMatchObject({ statusCode: 429, code: 'rate_limited' });
  });

  it('reads a stream to its end across cuts, no word twice', async () => {
    proxy.cuts.push(60, 0);
    let text = '';
    let output: string | undefined;
    for await (const event of client().stream('acme', 'streamed', { input: 'Hello', idempotent: true })) {
      if (event.type === 'delta') text += event.text;
      if (event.type === 'result') output = event.result.output;
    }
    expect(text).toMatch(/ Hello$/);
    expect(output).toBe(text);
    expect(new Set(proxy.keys).size).toBe(1);
    await expect(charge('streamed')).rejects.toMatchObject({ statusCode: 429, code: 'rate_limited' });
  });

  it('waits for the run that another call began with its key', async () => {
    const call = () => client(1).callNeuron('acme', 'slow', { input: 'Hello', idempotencyKey: 'shared' });
    const answers = await Promise.all([call(), call(), call()]);
    expect(new Set(answers.map(({ output }) => output)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === true)).toHaveLength(2);
    await expect(charge('slow')).rejects.toMatchObject({ statusCode: 429, code: 'rate_limited' });
  });

  it('runs again without a key, for another caller-chosen key, and not for another body', async () => {
    const call = (input: string, idempotencyKey?: string) =>
      client().callNeuron('acme', 'paid', { input, idempotencyKey });
    const outputs = [await call('Hello'), await call('Hello', 'a'), await call('Hello', 'b')];
    expect(new Set(outputs.map(({ output }) => output)).size).toBe(3);
    await expect(call('Hi', 'a')).rejects.toBeInstanceOf(IdempotencyMismatchError);
    // The limit is used up: what was charged before is answered all the same.
    expect(await call('Hello', 'b')).toEqual({ ...outputs[2], replayed: true });
    await expect(charge('paid')).rejects.toMatchObject({ statusCode: 429 });
  });
});
