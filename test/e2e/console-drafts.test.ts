// A change of a prompt by someone who writes no files: tried beside the deployed flow, saved, deployed and rolled back.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { launchChromium } from './support/chromium.ts';
import { type RunningConsole, signIn, startConsole } from './support/console.ts';
import { type ConsolePage, drive, lastChanges } from './support/console-page.ts';
import { type Stack, startStack } from './support/stack.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 10, output: 10 } }
---
neuron: acme/support
access: { public: true }
variables: { tone: { type: string, default: kind } }
flow: [{ callModel: { provider: demo, model: echo-1, prompt: 'Please, be {{tone}}: {{input}}' } }]
`;

let stack: Stack;
let running: RunningConsole;
let browser: Browser;
let page: Page;
let complaints: string[];
let driven: ConsolePage;
let flow: Locator;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ settings: SETTINGS }), launchChromium()]);
  running = await startConsole(stack);
  ({ page, complaints } = await signIn(browser, running));
  driven = drive(page);
  flow = page.getByLabel('Flow (YAML)');
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
  await stack?.stop();
});

let asked = 0;
const ask = async () => {
  asked += 1;
  return (await stack.call('/acme/support', { json: { input: 'Hi', bypassCache: true } })).text;
};
const card = (name: string) => page.getByRole('region', { name, exact: true });

it('shows the answers of a draft and of the deployed flow on the same input, with cost and time', async () => {
  await page.goto(new URL(running.address).origin);
  await driven.goTo('Playground');
  await page.getByRole('button', { name: 'Draft', exact: true }).click();
  await expect.poll(() => flow.inputValue()).toContain('Please, be {{tone}}');
  await flow.fill((await flow.inputValue()).replace('Please, be', 'Please be'));
  await page.getByLabel('Input', { exact: true }).fill('Where is it?');
  await page.getByLabel('Variables (JSON)').fill('{ "tone": "brief\\nand warm" }');
  await page.getByRole('button', { name: 'Run both' }).click();
  await page.getByLabel('Output of deployed').waitFor();
  await page.getByLabel('Output of draft').waitFor();
  expect(await page.getByLabel('Output of deployed').textContent()).toContain(
    'Please, be brief\nand warm: Where is it?',
  );
  expect(await page.getByLabel('Output of draft').textContent()).toContain(
    'Please be brief\nand warm: Where is it?',
  );
  for (const name of ['Deployed', 'Draft'])
    expect(await card(name).innerText()).toMatch(/Cost\s+\S*\$0\.000\d+[\s\S]*Time\s+\d+ ms/i);
  expect(await seriousViolations(page, 'all')).toEqual([]);
  await flow.fill(`${await flow.inputValue()}\n`);
  await card('Draft').getByText('edited since').waitFor();
});

it('fits a telephone', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
});

it('says what is wrong with a draft, and neither runs nor saves it', async () => {
  const draft = await flow.inputValue();
  await flow.fill(draft.replace('provider: demo', 'provider: nobody'));
  await page.getByRole('button', { name: 'Run both' }).click();
  await card('Draft').getByRole('alert').waitFor();
  expect(await card('Draft').innerText()).toMatch(/standard input:\d+:\d+: flow\[0\].*nobody/);
  // The browser's own line on an answer that is no success.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 422')]);
  await flow.fill(draft);
});

it('saves the draft as a version with a message, which callers notice once it is deployed, until it is rolled back', async () => {
  await page.getByRole('button', { name: 'Save as version' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Save as version' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Message').fill('A comma less');
  await driven.confirm('Save as version');
  expect(await ask()).toContain('Please, be kind');
  await dialog.getByRole('link', { name: 'see the versions of support' }).click();
  const saved = page.getByRole('row').filter({ hasText: 'A comma less' });
  await saved.waitFor();
  expect(await saved.innerText()).toMatch(/^v2\s/);
  expect(await saved.getByText('deployed').count()).toBe(0);
  await driven.change('Deploy');
  await expect.poll(ask).toContain('Please be kind');
  await driven.change('Roll back');
  await expect.poll(ask).toContain('Please, be kind');
  expect((await lastChanges(stack)).slice(0, 3)).toEqual(['deploy', 'deploy', 'update_neuron']);
  expect(complaints).toEqual([]);
});

it('leaves no run in the log', async () => {
  const count = async () =>
    (await stack.operate(['logs', 'acme', '--json'])).split('\n').filter(Boolean).length;
  await expect.poll(count).toBe(asked);
});
