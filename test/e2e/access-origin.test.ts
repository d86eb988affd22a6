// Callers that claim to be elsewhere: forged addresses and tricks in the Referer.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Answer, CallOptions } from './support/call.ts';
import { expectError, expectRaw } from './support/expect-answer.ts';
import { expectRawError, sendLines } from './support/header-lines.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

const FLOW = 'flow: [{ serveOutput: { text: in } }]';
const SETTINGS = [
  'organization: acme',
  // Callers are 127.0.0.1 where nothing else is said.
  `neuron: acme/office\naccess: { ips: [127.0.0.1] }\n${FLOW}`,
  `neuron: acme/pages\naccess: { referers: [app.example.com, "*.example.org"] }\n${FLOW}`,
].join('\n---\n');

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ settings: SETTINGS });
});
afterAll(() => stack?.stop());

const call = (path: string, options: CallOptions = {}): Promise<Answer> =>
  stack.call(`${path}?rawOutput=1`, { json: { input: 'Hello' }, ...options });

describe('an address', () => {
  const FORWARDING = [
    'X-Forwarded-For',
    'Forwarded',
    'X-Real-IP',
    'X-Client-IP',
    'Client-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
    'Fastly-Client-IP',
    'X-Cluster-Client-IP',
    'X-Original-Forwarded-For',
    'X-Originating-IP',
    'X-Remote-IP',
    'X-Remote-Addr',
    'X-Amzn-Source-Ip',
    'X-Amz-Source-Ip',
    'X-ProxyUser-Ip',
    'Via',
  ];
  const outside = { from: '127.0.0.2' };

  it.runIf(isLocal)('that is listed is let in, and another is not', async () => {
    expectRaw(await call('/acme/office'), 'in');
    expectError(await call('/acme/office', outside), 403, 'ip_not_allowed');
  });

  it.each(FORWARDING)('refuses one that %s claims', async (name) => {
    for (const value of ['127.0.0.1', 'for=127.0.0.1', '127.0.0.1, 127.0.0.2', '"127.0.0.1:80"']) {
      const answer = await call('/acme/office', { ...outside, headers: { [name]: value } });
      expectError(answer, 403, 'ip_not_allowed');
    }
  });

  it('refuses all of these at once, doubled, and in parameters and body', async () => {
    const headers = Object.fromEntries(FORWARDING.map((name) => [name, ['127.0.0.1', '127.0.0.1']]));
    const names = ['sourceIp', 'ip', 'x-forwarded-for', 'requestContext.identity.sourceIp'];
    const query = names.map((name) => `${name}=127.0.0.1`).join('&');
    const answer = await stack.call(`/acme/office?${query}`, {
      ...outside,
      headers,
      json: {
        input: 'Hello',
        sourceIp: '127.0.0.1',
        requestContext: { identity: { sourceIp: '127.0.0.1' } },
      },
    });
    expectError(answer, 403, 'ip_not_allowed');
  });

  it.runIf(isLocal)('that is listed stays so, whatever headers claim', async () => {
    const headers = Object.fromEntries(FORWARDING.map((name) => [name, '127.0.0.2']));
    expectRaw(await call('/acme/office', { headers }), 'in');
  });

  it('in settings is refused in every spelling but one', async () => {
    const entries = [
      '0177.0.0.1',
      '0x7f.0.0.1',
      '127.1',
      '127.0.1',
      '2130706433',
      '0x7f000001',
      '127.0.0.01',
      '127.0.0.1/32',
      '::ffff:127.0.0.1',
      '::1',
      '127.0.0.1 ',
      '１２７.0.0.1',
      '127.0.0.256',
      '127.0.0.1/8',
      '0.0.0.0/0',
    ];
    const file = join(temporaryFolder(), 'spelled.yaml');
    writeFileSync(file, `neuron: acme/spelled\naccess: { ips: ${JSON.stringify(entries)} }\n${FLOW}\n`);
    const { exitCode, stderr } = await stack.neuron(['apply', file]);
    expect(exitCode).toBe(1);
    for (const index of entries.keys()) expect(stderr).toContain(`access.ips[${index}]: `);
  });
});

describe('an Origin', () => {
  it('of a page that is listed is let in, with a Referer and without', async () => {
    for (const origin of ['https://app.example.com', 'http://www.example.org:8080']) {
      expectRaw(await call('/acme/pages', { headers: { origin } }), 'in');
      expectRaw(await call('/acme/pages', { headers: { origin, referer: `${origin}/page` } }), 'in');
    }
  });

  it.each([
    ['another page', 'https://attacker.example'],
    ['a sandboxed frame', 'null'],
    ['an extension', 'chrome-extension://app.example.com'],
    ['an app', 'capacitor://app.example.com'],
    ['a page, with a path', 'https://app.example.com/'],
    ['nothing', ''],
  ])('refuses %s: %s, also beside a Referer that is listed', async (_name, origin) => {
    for (const headers of [{ origin }, { origin, referer: 'https://app.example.com/' }]) {
      expectError(await call('/acme/pages', { headers }), 403, 'referer_not_allowed');
    }
  });

  it('refuses two of them, also equal ones', async () => {
    const origin = ['https://app.example.com', 'https://app.example.com'];
    expectError(await call('/acme/pages', { headers: { origin } }), 403, 'referer_not_allowed');
  });

  it('is no matter where no referers are listed', async () => {
    const headers = { origin: 'https://attacker.example' };
    expectRaw(await call('/acme/office', { headers, from: '127.0.0.1' }), 'in');
  });
});

describe('a Referer', () => {
  it.each([
    'https://app.example.com/',
    'http://app.example.com',
    'https://APP.Example.COM/path?query=1',
    'https://app.example.com:8443/',
    'https://www.example.org/',
    'https://a.b.example.org/',
  ])('of a page that is listed is let in: %s', async (referer) => {
    expectRaw(await call('/acme/pages', { headers: { referer } }), 'in');
  });

  it('that is absent is let in, and so is one that is misspelled', async () => {
    expectRaw(await call('/acme/pages'), 'in');
    expectRaw(await call('/acme/pages', { headers: { referrer: 'https://attacker.example/' } }), 'in');
  });

  it.each([
    ['another host', 'https://attacker.example/'],
    ['the listed host as a label', 'https://app.example.com.attacker.example/'],
    ['the listed host without its dot', 'https://attackerapp.example.com/'],
    ['a parent', 'https://example.com/'],
    ['a child of an exact host', 'https://x.app.example.com/'],
    ['the wildcard without a subdomain', 'https://example.org/'],
    ['the wildcard without its dot', 'https://badexample.org/'],
    ['the wildcard as text', 'https://*.example.org.attacker.example/'],
    ['the listed host as user', 'https://app.example.com@attacker.example/'],
    ['the listed host as user and password', 'https://app.example.com:443@attacker.example/'],
    ['a user at the listed host', 'https://attacker.example@app.example.com/'],
    ['the listed host as path', 'https://attacker.example/app.example.com'],
    ['the listed host as query', 'https://attacker.example/?https://app.example.com/'],
    ['a fragment', 'https://app.example.com/#x'],
    ['the listed host behind a fragment', 'https://attacker.example#@app.example.com/'],
    ['a trailing dot', 'https://app.example.com./'],
    ['two trailing dots', 'https://app.example.com../'],
    ['backslashes', 'https:\\\\app.example.com\\'],
    ['a backslash before the host', 'https://attacker.example\\@app.example.com/'],
    ['a backslash behind the host', 'https://app.example.com\\.attacker.example/'],
    ['no scheme', 'app.example.com'],
    ['a scheme that is left out', '//app.example.com/'],
    ['one slash', 'https:/app.example.com/'],
    ['another scheme', 'ftp://app.example.com/'],
    ['an extension', 'chrome-extension://app.example.com/'],
    ['a blob', 'blob:https://app.example.com/6f1f6a1c'],
    ['a script', 'javascript://app.example.com/%0aalert(1)'],
    ['nothing but a word', 'null'],
    ['a page without a host', 'about:blank'],
    ['an empty value', ''],
    ['a space', 'https://app.example.com/ x'],
    ['two in one, as a proxy joins them', 'https://app.example.com/, https://attacker.example/'],
    ['a look-alike in its ASCII form', 'https://xn--pp-7kc.example.com/'],
    ['a look-alike with a digit', 'https://app.examp1e.com/'],
    ['an address', 'https://127.0.0.1/'],
    ['an IPv6 address', 'https://[::1]/'],
    ['a port that is none', 'https://app.example.com:x/'],
    ['a host of 300 characters', `https://${'a'.repeat(300)}.example.org/`],
  ])('refuses %s: %s', async (_name, referer) => {
    expectError(await call('/acme/pages', { headers: { referer } }), 403, 'referer_not_allowed');
  });

  it('refuses two of them, also equal ones', async () => {
    const listed = 'https://app.example.com/';
    for (const referer of [
      [listed, listed],
      [listed, 'https://attacker.example/'],
      ['https://attacker.example/', listed],
    ]) {
      expectError(await call('/acme/pages', { headers: { referer } }), 403, 'referer_not_allowed');
    }
  });

  it.runIf(isLocal).each([
    [
      'two, whatever the case of their names',
      'Referer: https://app.example.com/',
      'REFERER: https://app.example.com/',
    ],
    ['two, a foreign one first', 'rEFERER: https://attacker.example/', 'Referer: https://app.example.com/'],
    ['two with another header between them', 'Referer: https://app.example.com/', 'X-A: 1', 'Referer: '],
    ['letters that look alike (Cyrillic)', 'Referer: https://аpp.example.com/'],
    ['letters that parsing would mend (full width)', 'Referer: https://ａpp.example.com/'],
    ['a dot that parsing would mend (ideographic)', 'Referer: https://app。example.com/'],
    ['a soft hyphen that parsing would leave out', 'Referer: https://app.exam\u00adple.com/'],
    ['a tab that parsing would leave out', 'Referer: https://app.exam\tple.com/'],
  ])('refuses %s', async (_name, ...lines) => {
    expectRawError(await sendLines(stack.url, '/acme/pages', ...lines), 403, 'referer_not_allowed');
  });
});
