// Callers that mean no good: an answer or a clean close, and the stack lives.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sendRaw } from './support/call.ts';
import { expectError, expectNothingInternal, expectRaw } from './support/expect-answer.ts';
import { scenarioSettings } from './support/settings.ts';
import { isLocal, type Stack, startStack, TRANSFER_MODES } from './support/stack.ts';

const NOWHERE = 'http://127.0.0.1:9/v1';
const MEGABYTE = 1024 * 1024;
const head = (...lines: string[]) =>
  ['POST /acme/hello HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n');

describe.each(TRANSFER_MODES)('in %s transfer', (transferMode) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({
      transferMode,
      settings: scenarioSettings({ openaiUrl: NOWHERE, deadUrl: NOWHERE }),
    });
  });
  afterAll(() => stack?.stop());

  afterEach(async () => {
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { json: { input: 'alive' } }), 'You said: alive');
  });

  it.each([
    ['3 MB', 3 * MEGABYTE, [422]],
    ['6 MB', 6 * MEGABYTE, [413, 422]],
    ['11 MB', 11 * MEGABYTE, [413, 422]],
  ])('an input of %s is refused as too large', async (_name, size, statuses) => {
    const answer = await stack.call('/acme/hello', { json: { input: 'a'.repeat(size) } }).catch(closed);
    if (answer === 'closed') return;
    expect(statuses).toContain(answer.status);
    expectNothingInternal(answer);
  });

  it('a body of 70,000 levels is refused, malformed or not', async () => {
    const deep = (open: string, close: string) => open.repeat(70_000) + close.repeat(70_000);
    expectError(await stack.call('/acme/hello', { body: deep('[', '') }), 400, 'malformed_json');
    expectError(await stack.call('/acme/hello', { body: deep('[', ']') }), 400, 'malformed_body');
    const input = `{"input":${deep('{"a":', '').slice(0, -1)}`;
    expectError(await stack.call('/acme/hello', { body: input }), 400, 'malformed_json');
    expectError(
      await stack.call('/acme/hello', { body: `{"input":${deep('[', ']')}}` }),
      422,
      'invalid_input',
    );
  });

  it('70,000 members and doubled ones are no more than members, and 80,000 are too many', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',');
    const answer = await stack.call('/acme/hello?rawOutput=1', {
      body: `{${members(70_000)},"input":"one","input":"two"}`,
    });
    expectRaw(answer, 'You said: two');
    const wide = `{${members(80_000)},"input":"one"}`;
    expectError(await stack.call('/acme/hello', { body: wide }), 422, 'invalid_input');
  });

  it('members that objects inherit change nothing', async () => {
    const body = '{"__proto__":{"input":"x"},"constructor":{"prototype":{"input":"y"}},"toString":1}';
    expectError(await stack.call('/acme/hello', { body }), 422, 'invalid_input');
    const beside = body.replace('{', '{"input":"",');
    expectRaw(await stack.call('/acme/hello?rawOutput=1', { body: beside }), 'You said: ');
    expectRaw(
      await stack.call('/acme/hello?rawOutput=1&__proto__=1&constructor=2', { json: {} }),
      'You said: ',
    );
  });

  describe.runIf(isLocal)('over a bare connection', () => {
    it('a chunked body is a body', async () => {
      const answer = await sendRaw(stack.url, [
        head('Transfer-Encoding: chunked', 'Connection: close'),
        '9\r\n{"input":\r\n',
        '8\r\n"pieces"\r\n',
        '1\r\n}\r\n0\r\n\r\n',
      ]);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toContain('You said: pieces');
    });

    it.each([
      [
        'a length and chunks at once',
        head('Content-Length: 5', 'Transfer-Encoding: chunked', 'Connection: close'),
      ],
      ['two lengths', head('Content-Length: 5', 'Content-Length: 6', 'Connection: close')],
      ['a length that is no number', head('Content-Length: five', 'Connection: close')],
      ['a chunk that is none', `${head('Transfer-Encoding: chunked', 'Connection: close')}zz\r\n`],
      ['a header line that is none', head('no colon here', 'Connection: close')],
      ['something that is no HTTP', '\u0016\u0003\u0001 hello\r\n\r\n'],
      ['headers of 100 KB', head(`X-Long: ${'a'.repeat(100_000)}`, 'Connection: close')],
    ])('%s: 4xx or a close', async (_name, bytes) => {
      const answer = await sendRaw(stack.url, [bytes]);
      expect(answer).toMatch(/^(?:HTTP\/1\.1 4[0-9]{2} |$)/);
      expect(answer).not.toMatch(/node:|\bat [A-Za-z.]+ \(/);
    });

    it('several calls on one connection get an answer each, in their order', async () => {
      const body = (input: string) => `${head(`Content-Length: ${input.length + 12}`)}{"input":"${input}"}`;
      const last = head('Content-Length: 1', 'Connection: close');
      const answer = await sendRaw(stack.url, [`${body('one')}${body('two')}${last}{`]);
      expect(
        [...answer.matchAll(/HTTP\/1\.1 (\d+)|You said: (\w+)/g)].map(([, status, said]) => status ?? said),
      ).toEqual(['200', 'one', '200', 'two', '400']);
    });

    it('a caller that sends Expect: 100-continue is told to continue', async () => {
      const answer = await sendRaw(stack.url, [
        head('Content-Length: 17', 'Expect: 100-continue', 'Connection: close'),
        '{"input":"after"}',
      ]);
      expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    });

    it('callers that hang up in the middle of the body, or of the answer, hurt nobody else', async () => {
      const begun = `${head('Content-Length: 1000')}{"input":"half`;
      const whole = `${head('Content-Length: 15', 'Connection: close')}{"input":"all"}`;
      const results = await Promise.all([
        ...Array.from({ length: 10 }, () => sendRaw(stack.url, [begun], { hangUpAfter: 'sending' })),
        ...Array.from({ length: 10 }, () => sendRaw(stack.url, [whole], { hangUpAfter: 'sending' })),
        ...Array.from({ length: 10 }, () => sendRaw(stack.url, [whole], { hangUpAfter: 'first byte' })),
      ]);
      expect(results.slice(0, 10).filter((answer) => / 200 /.test(answer))).toEqual([]);
    });
  });
});

/** A caller whose body is thrown away half read may see the connection close before it sees the answer. */
function closed(error: NodeJS.ErrnoException): 'closed' {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 'closed';
  throw error;
}
