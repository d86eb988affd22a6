// A person's page in the console: nothing at first, then what is kept by place, its export, its erasure after a confirmation, and rights that do not suffice.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seriousViolations } from './support/axe.ts';
import { launchChromium } from './support/chromium.ts';
import { type RunningConsole, signIn, startConsole } from './support/console.ts';
import { drive } from './support/console-page.ts';
import { type Stack, startStack } from './support/stack.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/support
access: { apiKey: true }
logging: { bodies: full }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

let stack: Stack;
let running: RunningConsole;
let browser: Browser;
let page: Page;
let complaints: string[];
let name: string;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ settings: SETTINGS }), launchChromium()]);
  running = await startConsole(stack);
  ({ page, complaints } = await signIn(browser, running));
  const made = JSON.parse(
    await stack.operate(['keys', 'create', 'acme', '--name', 'app', '--on-behalf-of', '--json']),
  ) as { readonly key: string; readonly keyId: string };
  name = `nrn_${made.keyId}/ann@example.com`;
  for (const user of ['ann@example.com', 'ann@example.com', 'bob@example.com']) {
    const { status, text } = await stack.call('/acme/support', {
      headers: { authorization: `Bearer ${made.key}` },
      json: { input: `I am ${user}`, user },
    });
    expect(status, text).toBe(200);
  }
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
  await stack?.stop();
});

const origin = () => new URL(running.address).origin;
const pageOf = (user: string) => `${origin()}/o/acme/people?user=${encodeURIComponent(user)}`;
const rowsOf = async (table: string) => {
  const found = page.getByRole('table', { name: table });
  await found.waitFor();
  return (await found.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').slice(0, 2));
};

/** In both themes and at both widths: nothing that keeps people out, and nothing wider than the screen. */
async function expectUsable(label: string) {
  for (const theme of ['light', 'dark'] as const)
    for (const size of WIDTHS) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: theme });
      expect(await seriousViolations(page, 'all'), `${label} ${theme} ${size.width}`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      const folder = process.env['NEURON_SCREENS'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/${label}-${theme}-${size.width}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
}

it('asks for a name, and says where nothing is kept', async () => {
  await page.goto(origin());
  await drive(page).goTo('People');
  await page.getByText('Name a person.').waitFor();
  await expectUsable('people-none');
  await page.getByLabel('Username').fill('--yes');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('Nothing is kept of this person in acme.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  await expectUsable('people-nothing');
});

it('shows what is kept by place, what is not reached, and the calls', async () => {
  await page.goto(pageOf(name));
  expect(await rowsOf('Kept, by place')).toEqual([
    ['Log entries, feedback included', '2'],
    ['Rows of usage', '1'],
    ['Cached answers', '0'],
    ['Kept answers of idempotency keys', '0'],
    ['Counters of limits', '0'],
  ]);
  const places = (await rowsOf('Places that an erasure does not reach')).map(([place]) => place);
  expect(places).toContain('exports of the log');
  await expect.poll(async () => (await rowsOf('Newest calls')).length).toBe(2);
  await expectUsable('people-kept');
});

it('hands it out as a file of JSON', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await drive(page).confirm('Export');
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save the file' }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^person-acme-\d{4}-\d\d-\d\d\.json$/);
  const lines = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
    readonly place: string;
    readonly record: { readonly counts?: object };
  }[];
  expect(lines.map(({ place }) => place)).toEqual(['log', 'log', 'usage', 'summary']);
  expect(lines.at(-1)?.record.counts).toMatchObject({ log: 2, usage: 1 });
  expect(JSON.stringify(lines)).not.toContain('bob@example.com');
  await drive(page).close();
});

it('erases after a reason and the name, and nothing before', async () => {
  await page.getByRole('button', { name: 'Erase', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this person' });
  const confirm = dialog.getByRole('button', { name: 'Erase', exact: true });
  expect(await dialog.getByRole('listitem').first().innerText()).toBe('Log entries, feedback included: 2');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('request 17');
  await dialog.getByLabel('Type the username to confirm').fill('ann@example.com');
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Type the username to confirm').fill(name);
  await expectUsable('people-erase');
  await drive(page).confirm('Erase');
  await dialog.getByText('Recorded as').waitFor();
  await drive(page).close();
  await page.getByText('Nothing is kept of this person in acme.').waitFor();
  await page.getByText('No calls in 30 days.').waitFor();
  const log = await stack.operate(['logs', 'acme', '--json']);
  expect(log).not.toContain('ann@example.com');
  expect(log).toContain('bob@example.com');
  expect(await stack.operate(['logs', 'acme', '--changes', '--json'])).toContain('erase_user');
  expect(complaints).toEqual([]);
});

it('shows the calls to whoever may read the log alone, and says what is missing', async () => {
  const refusal = { error: { what: 'These credentials lack a permission.', remedy: 'Use another profile.' } };
  for (const operation of ['person', 'organizations'])
    await page.route(`**/api/run/${operation}*`, (route) => route.fulfill({ status: 422, json: refusal }));
  await page.goto(pageOf(name.replace('ann', 'bob')));
  await page.getByText('These credentials lack a permission.').first().waitFor();
  expect(await rowsOf('Newest calls')).toHaveLength(1);
  expect(await page.getByRole('button', { name: /^(Erase|Export)$/ }).count()).toBe(0);
  await expectUsable('people-refused');
});
