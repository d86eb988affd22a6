// The example page on a telephone: 360 pixels wide, nothing reaches beyond the edge, whatever the page shows.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { startPages } from '../../examples/browser/pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launchChromium } from './support/chromium.ts';
import { type Stack, startStack } from './support/stack.ts';

const WIDTH = 360;
const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/hello
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: acme/elsewhere
access: { referers: [app.example.com] }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

const dist = temporaryFolder();
let stack: Stack;
let pages: Awaited<ReturnType<typeof startPages>>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await buildClient({ folder: dist });
  [stack, pages, browser] = await Promise.all([
    startStack({ settings: SETTINGS }),
    startPages(0, join(dist, 'index.js')),
    launchChromium(),
  ]);
  page = await browser.newPage({ viewport: { width: WIDTH, height: 740 } });
});
afterAll(async () => {
  await browser?.close();
  pages?.server.close();
  await stack?.stop();
});

async function open(neuron: string): Promise<void> {
  const query = new URLSearchParams({ api: stack.url, issuer: 'http://127.0.0.1:9', neuron });
  await page.goto(`${pages.url}/?${query}`);
}

/** Calls the neuron and waits for what the page says. */
async function ask(neuron: string): Promise<void> {
  await open(neuron);
  await page.click('button.primary');
  await page.waitForSelector('#result:not([data-state=idle]):not([data-state=asking])');
}

it.each([
  ['before a call', () => open('acme/hello')],
  ['with an answer', () => ask('acme/hello')],
  ['with an error', () => ask('acme/elsewhere')],
])('fits a telephone %s', async (_state, reach) => {
  await reach();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(WIDTH);
  for (const selector of ['button.primary', '#stop', '#sign-in', '#sign-out', '#input']) {
    const box = await page.locator(selector).boundingBox();
    expect(box?.x, selector).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? WIDTH) + (box?.width ?? 1), selector).toBeLessThanOrEqual(WIDTH);
  }
});
