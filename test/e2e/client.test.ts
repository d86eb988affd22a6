// The built client against the real service: the example of a back end, with and without its API key.
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { IdempotencyMismatchError, NeuronClient } from '../../client/src/index.ts';
import { ROOT, runNode } from './support/command.ts';
import { type Stack, startStack } from './support/stack.ts';

const SETTINGS = `organization: acme
name: Acme Inc.
providers: { demo: { type: echo } }
---
neuron: acme/private
access: { apiKey: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
${readFileSync(join(ROOT, 'examples/conversations.yaml'), 'utf8')}`;

interface Logged {
  readonly executionId: string;
  readonly outcome: string;
  /** Of one entry that is asked for by its id. */
  readonly modelCalls?: readonly { readonly finish: string }[];
}

let stack: Stack;
beforeAll(async () => {
  await buildClient({ folder: join(ROOT, 'client', 'dist') });
  stack = await startStack({ settings: SETTINGS });
});
afterAll(() => stack?.stop());

const ask = (key: string) =>
  runNode(['examples/node/ask.mjs', 'Why?'], {
    environment: { NEURON_BASE_URL: stack.url, NEURON_API_KEY: key },
  });

it('answers the example of a back end that has a key', async () => {
  const key =
    (await stack.operate(['keys', 'create', 'acme', '--name', 'example'])).match(/nrn_\S+/)?.[0] ?? '';
  expect(await ask(key)).toEqual({ exitCode: 0, stdout: 'You said: Why?\n', stderr: '' });
});

it('refuses the example without a key, in words', async () => {
  const { exitCode, stdout, stderr } = await ask('');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^401 unauthorized: Authentication failed\./);
});

it('runs the agent of the examples: it calls a tool, sends the result back, and its runs are in the log', async () => {
  const agent = await runNode(['examples/node/agent.mjs', 'What is the weather in Bern?'], {
    environment: { NEURON_BASE_URL: stack.url },
  });
  expect(agent).toEqual({
    exitCode: 0,
    stdout: '(You answer in one sentence.) You said: What is the weather in Bern? Tools said: Bern: 21 °C\n',
    stderr: 'weather Bern\n2 calls of the neuron\n',
  });
  const logged = async (words: readonly string[]) => {
    const lines = (await stack.operate(['logs', ...words, '--json'])).trim().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Logged);
  };
  const outcomes = async () => (await logged(['acme/dialog'])).slice(0, 2).map(({ outcome }) => outcome);
  await expect.poll(outcomes).toEqual(['success', 'success']);
  const entries = [];
  for (const { executionId } of (await logged(['acme/dialog'])).slice(0, 2)) {
    entries.push(...(await logged(['acme', '--id', executionId])));
  }
  // By default the log has digests of texts.
  expect(JSON.stringify(entries)).not.toContain('Bern');
  const finishes = entries.flatMap(({ modelCalls = [] }) => modelCalls.map(({ finish }) => finish));
  expect(finishes.toSorted()).toEqual(['stop', 'toolCalls']);
});

it('extracts in the form of the example, and answers a chat by its history', async () => {
  const client = new NeuronClient({ baseURL: stack.url });
  const { output = '' } = await client.callNeuron('acme', 'extract', { input: 'Invoice of Muster AG' });
  expect(JSON.parse(output)).toEqual({
    supplier: 'Invoice of Muster AG',
    currency: 'EUR',
    lines: [{ text: 'Invoice of Muster AG', amount: 0 }],
  });
  const chat = await client.callNeuron('acme', 'dialog', {
    messages: [
      { role: 'user', content: 'I am Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'Who am I?' },
    ],
  });
  expect(chat.output).toBe(
    '(You answer in one sentence.) You said: Who am I? Before that you said: I am Ada.',
  );
});

it('names the member that a neuron does not accept', async () => {
  const client = new NeuronClient({ baseURL: stack.url, retry: false });
  const call = client.callNeuron('acme', 'extract', {
    input: 'x',
    responseFormat: { type: 'json_schema', json_schema: { name: 'mine', schema: { type: 'object' } } },
  });
  await expect(call).rejects.toMatchObject({
    statusCode: 422,
    code: 'not_accepted',
    error:
      '"responseFormat": this neuron does not accept that. Its operator can add `accepts: [schema]` to a callModel of its flow.',
  });
});

/** Before the service: breaks its first answer off behind the first event, and passes every other one on. */
async function startCuttingProxy(target: string) {
  let answers = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const call = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      answers += 1;
      const isFirst = answers === 1;
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      if (!isFirst) return void answer.pipe(outgoing);
      let begun = '';
      answer.setEncoding('utf8').on('data', function passFirstEvent(piece: string) {
        begun += piece;
        const end = begun.indexOf('\n\n');
        if (end === -1) return;
        answer.off('data', passFirstEvent).resume();
        outgoing.write(begun.slice(0, end + 2), () => outgoing.destroy());
      });
    });
    incoming.pipe(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, answers: () => answers, stop: () => server.close() };
}

it('gets the same answer again with an idempotency key, and is told of another request with it', async () => {
  const client = new NeuronClient({ baseURL: stack.url });
  const ask = (input: string) => client.callNeuron('acme', 'dialog', { input, idempotencyKey: 'order-7' });
  const first = await ask('Two apples');
  expect(first).not.toHaveProperty('replayed');
  expect(await ask('Two apples')).toEqual({ ...first, replayed: true });
  await expect(ask('Three')).rejects.toBeInstanceOf(IdempotencyMismatchError);
});

it('goes on with a stream that was cut, whose text comes once and whose run is one', async () => {
  const proxy = await startCuttingProxy(stack.url);
  const client = new NeuronClient({ baseURL: proxy.url });
  const input = 'One two three four five';
  const texts: string[] = [];
  for await (const event of client.stream('acme', 'dialog', { input, idempotent: true })) {
    if (event.type === 'delta') texts.push(event.text);
    if (event.type === 'result') expect(event.result).toMatchObject({ replayed: true });
  }
  proxy.stop();
  expect(texts.join('')).toBe(`(You answer in one sentence.) You said: ${input}`);
  expect(proxy.answers()).toBeGreaterThan(1);
});

it('refuses a version without a credential as it refuses the deployed one', async () => {
  const client = new NeuronClient({ baseURL: stack.url, jwtOrApiKey: 'nrn_wrong' });
  const call = client.callNeuron('acme', 'private', { revisionId: 'v1', key: 'wrong' });
  await expect(call).rejects.toMatchObject({ statusCode: 401, code: 'unauthorized' });
});
