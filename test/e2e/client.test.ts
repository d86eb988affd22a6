// The built client against the real service: the example of a back end, with and without its API key.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { NeuronClient } from '../../client/src/index.ts';
import { ROOT, runNode } from './support/command.ts';
import { type Stack, startStack } from './support/stack.ts';

const SETTINGS = `organization: acme
name: Acme Inc.
providers: { demo: { type: echo } }
---
neuron: acme/private
access: { apiKey: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

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

it('refuses a version without a credential as it refuses the deployed one', async () => {
  const client = new NeuronClient({ baseURL: stack.url, jwtOrApiKey: 'nrn_wrong' });
  const call = client.callNeuron('acme', 'private', { revisionId: 'v1', key: 'wrong' });
  await expect(call).rejects.toMatchObject({ statusCode: 401, code: 'unauthorized' });
});
