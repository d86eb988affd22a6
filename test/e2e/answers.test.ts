// What callers get, over real HTTP, in both transfer modes.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectCommonHeaders, expectError, expectRaw, expectSuccess } from './support/expect-answer.ts';
import { scenarioSettings } from './support/settings.ts';
import { type Stack, startStack, TRANSFER_MODES } from './support/stack.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const KEPT = `neuron: acme/kept
access: { public: true }
caching: { exact: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/long
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1, maxTokens: 50000 } }]`;

describe.each(TRANSFER_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      transferMode,
      settings: `${scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE })}\n---\n${KEPT}`,
    });
  });
  afterAll(() => stack?.stop());

  const call = (path: string, body: unknown = { input: 'Hello' }) => stack.call(path, { json: body });

  describe('a run', () => {
    it('answers output, fromCache and executionStopped, and headers with every answer', async () => {
      const answer = await call('/acme/hello');
      expectSuccess(answer, { output: 'You said: Hello', fromCache: false, executionStopped: false });
    });

    it('gives every call an execution id of its own', async () => {
      const [one, other] = await Promise.all([call('/acme/hello'), call('/acme/hello')]);
      expect(one?.headers['x-execution-id']).not.toBe(other?.headers['x-execution-id']);
    });

    it('answers the text alone in raw mode', async () => {
      expectRaw(await call('/acme/hello?rawOutput=true'), 'You said: Hello');
      expectRaw(await call('/acme/hello?rawOutput=1&bypassCache=TRUE'), 'You said: Hello');
      const json = await call('/acme/hello?rawOutput=false');
      expectSuccess(json, { output: 'You said: Hello', fromCache: false, executionStopped: false });
    });

    it('answers again from the cache what it has answered', async () => {
      const body = { output: 'You said: Hello', fromCache: true, executionStopped: false };
      // The answer is written once its caller has it, and in buffered transfer at the latest then.
      await expect.poll(async () => (await call('/acme/kept')).json()).toEqual(body);
      const raw = await call('/acme/kept?rawOutput=true');
      expectCommonHeaders(raw);
      expect([raw.text, raw.headers['x-cache']]).toEqual(['You said: Hello', 'hit']);
      const anew = await call('/acme/kept?bypassCache=true');
      expect(anew.json()).toEqual({ ...body, fromCache: false });
      expect(anew.headers['x-cache']).toBe('bypass');
    });

    it('carries any text unchanged there and back', async () => {
      for (const input of [
        'Grüße, 名前 😀',
        '{{output}} {{input}}',
        '"\\\u0001\u2028</script>',
        'a'.repeat(200_000),
      ]) {
        expectRaw(await call('/acme/hello?rawOutput=true', { input }), `You said: ${input}`.slice(0, 4096));
      }
    });

    it('gives an answer again to the same idempotency key, on both surfaces, streamed and not', async () => {
      const messages = [{ role: 'user', content: 'Hello' }];
      for (const [path, json, accept] of [
        ['/acme/hello', { input: 'Hello' }, 'application/json'],
        ['/acme/hello', { input: 'Hello' }, 'text/event-stream'],
        ['/v1/acme/hello/chat/completions', { model: 'hello', messages }, 'application/json'],
        ['/v1/acme/hello/chat/completions', { model: 'hello', messages, stream: true }, 'text/event-stream'],
      ] as const) {
        const options = { json, headers: { accept, 'idempotency-key': randomUUID() } };
        const answers = [await stack.call(path, options), await stack.call(path, options)];
        const [first, second] = answers.map(({ headers }) => headers);
        expect(second?.['idempotency-replayed']).toBe('true');
        expect(first).not.toHaveProperty('idempotency-replayed');
        expect(second?.['content-type']).toBe(first?.['content-type']);
        expect(second?.['x-execution-id']).toBe(first?.['x-execution-id']);
        const last = answers.map(({ text }) => text.trim().split('\n\n').at(-1));
        expect(last[1]).toBe(last[0]);
      }
    });

    it('splits no character of a long text, wherever a stream cuts it', async () => {
      for (const shift of [0, 1]) {
        const input = `${'a'.repeat(shift)}${'😀'.repeat(20_000)}`;
        expectRaw(await call('/acme/long?rawOutput=true', { input }), `You said: ${input}`);
      }
    });

    it('takes an empty input, which the reference SDK sends, and none at all', async () => {
      for (const body of [{ input: '' }, {}]) {
        expectSuccess(await call('/acme/hello', body), {
          output: 'You said: ',
          fromCache: false,
          executionStopped: false,
        });
      }
    });

    it('passes over members, parameters and headers that it does not know', async () => {
      const answer = await stack.call('/acme/hello?stream=true&input=other', {
        json: { input: 'Hello', temperature: 2, model: 'other' },
        headers: { 'x-forwarded-host': 'elsewhere', 'x-idempotency-key': '1' },
      });
      expectSuccess(answer, { output: 'You said: Hello', fromCache: false, executionStopped: false });
    });

    it('reads the body as JSON whatever its type is said to be', async () => {
      for (const type of [
        'text/plain',
        'application/json, text/plain',
        'application/x-www-form-urlencoded',
        '',
        'nonsense',
      ]) {
        const answer = await stack.call('/acme/hello', {
          body: '{"input":"Hello"}',
          headers: { 'content-type': type },
        });
        expectSuccess(answer, { output: 'You said: Hello', fromCache: false, executionStopped: false });
      }
    });

    it('takes a doubled slash at the start of the path, which a base URL with a slash at its end makes', async () => {
      expectSuccess(await call('//acme/hello'), {
        output: 'You said: Hello',
        fromCache: false,
        executionStopped: false,
      });
    });

    it('does not read the token of a caller of a public neuron', async () => {
      const headers = { authorization: ['Bearer one', 'Bearer two'] };
      const answer = await stack.call('/acme/hello', { json: { input: 'Hello' }, headers });
      expectSuccess(answer, { output: 'You said: Hello', fromCache: false, executionStopped: false });
    });

    it('sends the system instructions to the model', async () => {
      expectRaw(await call('/acme/instructed?rawOutput=true'), '(Be brief.) You said: Hello');
    });

    it('serves a text of the flow', async () => {
      expectSuccess(await call('/acme/served'), {
        output: 'For Hello',
        fromCache: false,
        executionStopped: false,
      });
    });

    it('says that it was stopped, with an output or without one', async () => {
      expectSuccess(await call('/acme/stopped'), { fromCache: false, executionStopped: true });
      expectRaw(await call('/acme/stopped?rawOutput=true'), '', true);
      const text = 'No more of this.';
      expectSuccess(await call('/acme/stopped-with-text'), {
        output: text,
        fromCache: false,
        executionStopped: true,
      });
      expectRaw(await call('/acme/stopped-with-text?rawOutput=true'), text, true);
    });
  });

  describe('a body', () => {
    it.each([
      ['nothing', ''],
      ['text', 'Hello'],
      ['half an object', '{"input":'],
      ['UTF-16', Buffer.from('{"input":"Hello"}', 'utf16le')],
      ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x80])],
    ])('refuses %s: 400 malformed_json', async (_name, body) => {
      expectError(await stack.call('/acme/hello', { body }), 400, 'malformed_json');
    });

    it.each(['[]', '"Hello"', 'null', '7'])('refuses %s: 400 malformed_body', async (body) => {
      expectError(await stack.call('/acme/hello', { body }), 400, 'malformed_body');
    });

    it.each([null, 7, ['Hello'], { text: 'Hello' }])(
      'refuses the input %j: 422 invalid_input',
      async (input) => {
        expectError(await call('/acme/hello', { input }), 422, 'invalid_input');
      },
    );

    it('refuses an input that is longer than the neuron allows: 422 input_too_large', async () => {
      expectError(await call('/acme/small', { input: 'eleven byte' }), 422, 'input_too_large');
      expectRaw(await call('/acme/small?rawOutput=1', { input: 'ten bytes!' }), 'You said: ten bytes!');
    });
  });

  it.each([
    'rawOutput=yes',
    'rawOutput=',
    'rawOutput',
    'bypassCache=2',
    'rawOutput=true&rawOutput=true',
    'bypassCache=true&bypassCache=false',
  ])('refuses the parameters %s: 422 invalid_parameter', async (query) => {
    expectError(await call(`/acme/hello?${query}`), 422, 'invalid_parameter');
  });

  it('answers errors in JSON also in raw mode', async () => {
    expectError(await call('/acme/hello?rawOutput=true', { input: 7 }), 422, 'invalid_input');
  });

  describe('a neuron', () => {
    it.each([
      '/acme/unknown',
      '/unknown/hello',
      '/ACME/hello',
      '/acme/hello%23',
      '/acme/%2e%2e',
      '/ping/hello',
      `/acme/${'a'.repeat(64)}`,
    ])('that there is not: %s answers 404 not_found', async (path) => {
      expectError(await call(path), 404, 'not_found');
    });

    it('that nothing opens answers 403 access_closed', async () => {
      expectError(await call('/acme/closed'), 403, 'access_closed');
    });

    it('without a deployed version answers 404 deployment_not_found', async () => {
      expectError(await call('/acme/undeployed'), 404, 'deployment_not_found');
    });

    it.each(['/acme/hello/v1', '/acme/hello/v99', '/acme/hello/v1?key=guess', '/acme/hello/NO'])(
      'called by revision without its key: %s answers 404 revision_not_found',
      async (path) => {
        expectError(await call(path), 404, 'revision_not_found');
        const answer = await stack.call(path, {
          json: { input: 'Hello' },
          headers: { 'x-preview-key': 'guess' },
        });
        expectError(answer, 404, 'revision_not_found');
      },
    );

    it('does not tell an unknown neuron from another by its revision', async () => {
      expectError(await call('/acme/unknown/v1'), 404, 'not_found');
      expectError(await call('/acme/closed/v1'), 403, 'access_closed');
    });

    it('refuses in the order of the contract: access, then the body, then the version', async () => {
      expectError(await stack.call('/acme/closed', { body: '{' }), 403, 'access_closed');
      expectError(await stack.call('/acme/undeployed', { body: '{' }), 400, 'malformed_json');
    });
  });
});
