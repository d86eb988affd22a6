// The built client in a real Chromium, on a page of another origin than the service. Takes the pictures of docs/browser/.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { startIssuer } from '../../examples/browser/issuer.ts';
import { startPages } from '../../examples/browser/pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launchChromium } from './support/chromium.ts';
import { ROOT } from './support/command.ts';
import { type Stack, startStack } from './support/stack.ts';

const settings = (issuerUrl: string) => `organization: acme
name: Acme Inc.
providers: { demo: { type: echo }, slow: { type: echo, delay: 20s } }
---
neuron: acme/hello
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/cached
access: { public: true }
caching: { exact: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/slow
access: { public: true }
flow: [{ callModel: { provider: slow, model: echo-1 } }]
---
neuron: acme/private
access: { apiKey: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/members
access:
  jwt: { jwks: [${issuerUrl}/.well-known/jwks.json], algorithms: [ES256], issuer: ${issuerUrl}, audience: browser-example, usernamePath: sub }
flow: [{ callModel: { provider: demo, model: echo-1, prompt: "{{username}} said: {{input}}" } }]
---
neuron: acme/here
access: { referers: [127.0.0.1] }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/elsewhere
access: { referers: [app.example.com] }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;
/** `NEURON_PICTURES=1` writes the pictures into the documentation. */
const PICTURES =
  process.env['NEURON_PICTURES'] === undefined ? temporaryFolder() : join(ROOT, 'docs', 'browser');

let stack: Stack;
let pages: Awaited<ReturnType<typeof startPages>>;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let browser: Browser;
let page: Page;
let requests: Request[];
const dist = temporaryFolder();

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  await buildClient({ folder: dist });
  issuer = await startIssuer(0);
  [stack, pages, browser] = await Promise.all([
    startStack({ settings: settings(issuer.url) }),
    startPages(0, join(dist, 'index.js')),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  pages?.server.close();
  issuer?.server.close();
  await stack?.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 760, height: 660 } });
  page.setDefaultTimeout(10_000);
  requests = [];
  page.on('request', (request) => requests.push(request));
});
afterEach(() => page.close());

async function open(neuron: string): Promise<void> {
  const query = new URLSearchParams({ api: stack.url, issuer: issuer.url, neuron });
  await page.goto(`${pages.url}/?${query}`);
}

/** Asks as a user does and gives what the page shows then. */
async function ask(neuron: string): Promise<Record<string, string>> {
  await open(neuron);
  await page.click('button.primary');
  return shown();
}

async function shown(): Promise<Record<string, string>> {
  await page.waitForSelector('#result:not(:is([data-state=idle],[data-state=asking],[data-state=writing]))');
  const text = async (id: string) => (await page.textContent(`#${id}`)) ?? '';
  return {
    badge: await text('badge'),
    kind: await text('kind'),
    text: await text('text'),
    facts: await text('facts'),
  };
}

const picture = (name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });

/** Settings take effect within a second in each environment. */
async function askUntil(neuron: string, badge: string): Promise<Record<string, string>> {
  await expect.poll(async () => (await ask(neuron))['badge']).toBe(badge);
  return ask(neuron);
}

describe('a page of another origin', () => {
  it('gets an answer', async () => {
    const { badge, text, facts } = await ask('acme/hello');
    expect(new URL(pages.url).origin).not.toBe(new URL(stack.url).origin);
    expect({ badge, text, facts }).toEqual({
      badge: '200',
      text: 'You said: Why is the sky blue?',
      facts: 'from cachenostoppedno',
    });
    await picture('answer');
  });

  it('passes the preflight with headers of its own', async () => {
    await ask('acme/hello');
    const call = requests.find((request) => request.url() === `${stack.url}/acme/hello`);
    expect(call?.method()).toBe('POST');
    expect(await call?.allHeaders()).toMatchObject({
      'x-page': 'browser-example',
      origin: new URL(pages.url).origin,
      'content-type': 'application/json',
    });
    expect((await call?.response())?.status()).toBe(200);
  });

  it('sees that the second answer comes from the cache', async () => {
    expect((await ask('acme/cached'))['facts']).toBe('from cachenostoppedno');
    const again = async () => {
      await page.click('button.primary');
      return shown();
    };
    // The first answer is kept a moment after it has arrived.
    await expect.poll(again).toMatchObject({ badge: '200', facts: 'from cacheyesstoppedno' });
    expect((await shown())['text']).toBe('You said: Why is the sky blue?');
    await picture('cached');
  });

  it('sees 401 where a credential is wanted', async () => {
    const { badge, kind, text } = await ask('acme/private');
    expect({ badge, kind }).toEqual({ badge: '401', kind: 'NeuronError · unauthorized' });
    expect(text).toBe(
      'Authentication failed. Send a valid API key or JWT as "Authorization: Bearer <token>".',
    );
    await picture('unauthorized');
  });

  it('sees 403 where its host is not listed, by the Referer that the browser sends, and is let in where it is', async () => {
    const { badge, kind, text } = await ask('acme/elsewhere');
    expect({ badge, kind, text }).toEqual({
      badge: '403',
      kind: 'NeuronError · referer_not_allowed',
      text: 'Calls from this web page are not allowed.',
    });
    await picture('forbidden');
    expect((await ask('acme/here'))['badge']).toBe('200');
  });

  it('cannot get past the list by suppressing its Referer, nor from a sandboxed frame', async () => {
    await open('acme/hello');
    const read = `async (neuron, referrerPolicy, body = '{"input":"x"}') => {
      const response = await fetch('${stack.url}/acme/' + neuron, { method: 'POST', body, referrerPolicy });
      return response.status + ' ' + ((await response.json()).code ?? 'in');
    }`;
    for (const policy of ['no-referrer', 'origin', 'unsafe-url']) {
      expect(await page.evaluate(`(${read})('elsewhere', '${policy}')`)).toBe('403 referer_not_allowed');
      expect(await page.evaluate(`(${read})('here', '${policy}')`)).toBe('200 in');
    }
    const posts = requests.filter((request) => request.method() === 'POST');
    const sent = await posts.find((request) => request.url().endsWith('/elsewhere'))?.allHeaders();
    expect(sent).toMatchObject({ origin: new URL(pages.url).origin });
    expect(sent).not.toHaveProperty('referer');
    const framed = await page.evaluate(`new Promise((resolve) => {
      onmessage = ({ data }) => resolve(data);
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = ${JSON.stringify(`<script>(${read})('here', 'no-referrer').then((text) => parent.postMessage(text, '*'))</script>`)};
      document.body.append(frame);
    })`);
    expect(framed).toBe('403 referer_not_allowed');
  });

  it('sees 429 with a Retry-After that it can read, and does not wait two minutes for it', async () => {
    await stack.operate(['organization', 'pause', 'acme', '--retry-after', '2m']);
    const { kind, text, facts } = await askUntil('acme/hello', '429');
    expect({ kind, text }).toEqual({
      kind: 'NeuronError · organization_paused',
      text: 'This organization is paused. Try again later.',
    });
    expect(facts).toContain('try again in120 s');
    await picture('paused');
    const header = await page.evaluate(
      async (url) => (await fetch(url, { method: 'POST', body: '{}' })).headers.get('Retry-After'),
      `${stack.url}/acme/hello`,
    );
    expect(header).toBe('120');
    await stack.operate(['organization', 'resume', 'acme']);
    await askUntil('acme/hello', '200');
  });

  it('sees 503 in maintenance', async () => {
    await stack.operate(['maintenance', 'on', '--retry-after', '90s']);
    const { kind, text, facts } = await askUntil('acme/hello', '503');
    expect({ kind, text }).toEqual({
      kind: 'NeuronError · maintenance',
      text: 'The service is in maintenance. Try again later.',
    });
    expect(facts).toContain('try again in90 s');
    await picture('maintenance');
    await stack.operate(['maintenance', 'off']);
    await askUntil('acme/hello', '200');
  });

  it('signs in at an issuer and is let in by a fresh JWT with every call, until it signs out', async () => {
    expect(await ask('acme/members')).toMatchObject({ badge: '401', kind: 'NeuronError · unauthorized' });
    await page.click('#sign-in');
    for (const _ of [1, 2]) {
      await page.click('button.primary');
      const text = 'You said: alice@example.com said: Why is the sky blue?';
      await expect.poll(shown).toMatchObject({ badge: '200', text });
    }
    await picture('signed-in');
    await page.click('#sign-out');
    await page.click('button.primary');
    await expect.poll(shown).toMatchObject({ badge: '401' });
    const calls = requests.filter((request) => request.url() === `${stack.url}/acme/members`);
    const sent = await Promise.all(calls.map((call) => call.headerValue('authorization')));
    expect(sent.map((header) => /^Bearer [\w-]+\.[\w-]+\.[\w-]+$/.test(header ?? ''))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(sent[1]).not.toBe(sent[2]);
  });

  it('ends a call that its user stops', async () => {
    await open('acme/slow');
    await page.click('button.primary');
    await page.waitForSelector('#stop:not([disabled])');
    await picture('asking');
    await page.click('#stop');
    expect(await shown()).toMatchObject({
      badge: 'abort',
      kind: 'AbortError',
      text: 'The call was aborted.',
    });
    await picture('aborted');
    const call = requests.find((request) => request.url() === `${stack.url}/acme/slow`);
    await expect.poll(() => call?.failure()?.errorText).toBe('net::ERR_ABORTED');
  });

  it('sees when nothing answers', async () => {
    await page.goto(`${pages.url}/?api=http://127.0.0.1:9`);
    await page.click('button.primary');
    expect(await shown()).toMatchObject({ badge: 'network', kind: 'NetworkError' });
    await picture('no-answer');
  });
});

describe('the built module', () => {
  // Text and no functions: the test runner would rewrite their imports.
  it('loads in a worker as the one file that it is, and sees that its key was answered before', async () => {
    await open('acme/hello');
    const source = `import { NeuronClient } from '${pages.url}/neuron-client.js';
      const client = new NeuronClient({ baseURL: '${stack.url}' });
      const call = () => client.callNeuron('acme', 'hello', { input: 'worker', idempotencyKey: 'k' });
      postMessage(await call().then(call));`;
    const answer = await page.evaluate(`new Promise((resolve, reject) => {
      const source = new Blob([${JSON.stringify(source)}], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(source), { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
    })`);
    expect(answer).toMatchObject({ output: 'You said: worker', replayed: true });
  });

  it("never calls the page's own origin where nothing says where the service is", async () => {
    await open('acme/hello');
    const called = await page.evaluate(`import('/neuron-client.js').then(async ({ NeuronClient }) => {
      const urls = [];
      const fetch = async (url) => { urls.push(url); throw new Error('enough'); };
      await new NeuronClient({ fetch }).callNeuron('acme', 'hello').catch(() => undefined);
      return urls;
    })`);
    expect(called).toEqual(['http://127.0.0.1:3000/acme/hello']);
  });
});
