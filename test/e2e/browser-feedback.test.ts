// The two buttons of the example page in a real Chromium, on a page of another origin, with the example's own neuron.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { startIssuer } from '../../examples/browser/issuer.ts';
import { startPages } from '../../examples/browser/pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launchChromium } from './support/chromium.ts';
import { ROOT } from './support/command.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

describe.runIf(isLocal)('the buttons of the example page', () => {
  let stack: Stack;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let browser: Browser;
  let page: Page;
  let sent: Request[];

  beforeAll(async () => {
    const dist = temporaryFolder();
    await buildClient({ folder: dist });
    issuer = await startIssuer(0);
    const members = readFileSync(join(ROOT, 'examples/members.yaml'), 'utf8');
    const settings = [
      'organization: acme\nproviders: { demo: { type: echo } }',
      members.replaceAll('http://127.0.0.1:8081', issuer.url),
      'neuron: acme/quiet\naccess: { public: true }\nflow: [{ callModel: { provider: demo, model: echo-1 } }]',
    ].join('\n---\n');
    [stack, pages, browser] = await Promise.all([
      startStack({ settings }),
      startPages(0, join(dist, 'index.js')),
      launchChromium(),
    ]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    pages?.server.close();
    issuer?.server.close();
    await stack?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 760, height: 660 } });
    page.setDefaultTimeout(10_000);
    sent = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/feedback')) sent.push(request);
    });
  });
  afterEach(() => page.close());

  async function ask(neuron: string): Promise<void> {
    const query = new URLSearchParams({ api: stack.url, issuer: issuer.url, neuron });
    await page.goto(`${pages.url}/?${query}`);
    await page.click('#sign-in');
    await page.click('button.primary');
    await page.waitForSelector('#result[data-state=answered]');
  }
  const asked = () => page.textContent('#asked');
  const entries = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const lines = (await stack.operate(['logs', 'acme', '--since', '1h', '--json'])).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  };

  it.each([
    ['helpful', true],
    ['not-helpful', false],
  ])('send one value each: %s', async (button, value) => {
    await ask('acme/members');
    expect(await asked()).toBe('Was this helpful?');
    await page.click(`#${button}`);
    await expect.poll(asked).toBe('Thank you.');
    expect(await page.isDisabled('#helpful')).toBe(true);
    expect(await page.isDisabled('#not-helpful')).toBe(true);
    expect(await page.getAttribute(`#${button}`, 'aria-pressed')).toBe('true');
    expect(sent).toHaveLength(1);
    const { token, ...rest } = sent[0]?.postDataJSON() ?? {};
    expect([token, rest]).toEqual([expect.stringMatching(/^[\w-]{100,}$/), { metric: 'helpful', value }]);
    const isKept = async () =>
      (await entries()).some(
        ({ reason, username }) =>
          reason === `feedback: helpful is ${value}` && username === 'alice@example.com',
      );
    await expect.poll(isKept, { timeout: 30_000 }).toBe(true);
  });

  it('say why where the answer has a value already, and stay for the next answer', async () => {
    await ask('acme/members');
    await page.click('#helpful');
    await expect.poll(asked).toBe('Thank you.');
    const body = sent[0]?.postData() ?? '';
    const again = await page.evaluate(
      async ({ url, issuerUrl, text }) => {
        const token = await (
          await fetch(`${issuerUrl}/token`, { method: 'POST', body: 'alice@example.com' })
        ).text();
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        return (await fetch(url, { method: 'POST', headers, body: text })).status;
      },
      { url: `${stack.url}/acme/members/feedback`, issuerUrl: issuer.url, text: body },
    );
    expect(again).toBe(409);
    await page.click('button.primary');
    await page.waitForSelector('#feedback:not([hidden])');
    expect(await page.isEnabled('#helpful')).toBe(true);
  });

  it('can be pressed again after a failure that may pass', async () => {
    await ask('acme/members');
    await page.route('**/feedback', (route) => route.abort(), { times: 1 });
    await page.click('#helpful');
    await expect.poll(() => page.isEnabled('#helpful')).toBe(true);
    expect(await asked()).not.toBe('Thank you.');
    await page.click('#helpful');
    await expect.poll(asked).toBe('Thank you.');
  });

  it('are not there where the neuron takes no feedback', async () => {
    await ask('acme/quiet');
    expect(await page.isVisible('#feedback')).toBe(false);
  });
});
