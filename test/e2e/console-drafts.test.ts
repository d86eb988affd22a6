// A change of a prompt by someone who writes no files: tried beside the deployed flow, saved, deployed and rolled back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { lastChanges } from './support/console-page.ts';
import { listUnseen } from './support/console-states.ts';
import { useConsole } from './support/console-suite.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
prices: { demo/echo-1: { input: 10, output: 10 } }
---
neuron: acme/support
access: { public: true }
variables:
  tone: { type: string, default: kind, description: How it is said }
  days: { type: number, min: 1, max: 30, default: 7 }
  form: { type: string, enum: [short, long], default: short }
flow:
  - callModel:
      provider: demo
      model: echo-1
      maxTokens: 50
      prompt: 'Please, be {{tone}}, {{form}}, in {{days}} days: {{input}}'
`;

/** One of them fails without the comma. */
const CASES = `tests: acme/support
cases:
${Array.from({ length: 12 }, (_, at) => {
  const value = at === 3 ? 'Please, be' : `Case ${at}`;
  return `  - { name: case ${at}, input: Case ${at}, assert: [{ type: contains, value: '${value}' }] }`;
}).join('\n')}
`;

const suite = useConsole({ settings: SETTINGS }, { freshPages: true });
let { stack, page, complaints, driven, origin } = suite;
let flow: Locator;
beforeEach(async () => {
  ({ stack, page, complaints, driven, origin } = suite);
  flow = page.getByLabel('Flow (YAML)');
  await page.goto(origin);
  await driven.goTo('Playground');
});

let asked = 0;
const ask = async () => {
  asked += 1;
  return (await stack.call('/acme/support', { json: { input: 'Hi', bypassCache: true } })).text;
};
const card = (name: string) => page.getByRole('region', { name, exact: true });
const variable = (name: string) => page.getByRole('group', { name: 'Variables' }).getByLabel(name);

async function openDraft(from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: 'Draft', exact: true }).click();
  await expect.poll(() => flow.inputValue()).toContain('Please, be {{tone}}');
  await flow.fill((await flow.inputValue()).replace(from, to));
}

/** A 422 is a line of the browser's own, which may come after what the page shows. */
async function expectRejection(): Promise<void> {
  await expect.poll(() => complaints.length).toBe(1);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 422')]);
}

it('shows the answers of a draft and of the deployed flow on the same input, with cost and time', async () => {
  await openDraft('Please, be', 'Please be');
  await page.getByLabel('Input', { exact: true }).fill('Where is it?');
  await variable('tone').fill('brief\nand warm');
  await page.getByRole('button', { name: 'Run both' }).click();
  await page.getByLabel('Output of deployed').waitFor();
  await page.getByLabel('Output of draft').waitFor();
  expect(await page.getByLabel('Output of deployed').textContent()).toContain(
    'Please, be brief\nand warm, short, in 7 days: Where is it?',
  );
  expect(await page.getByLabel('Output of draft').textContent()).toContain(
    'Please be brief\nand warm, short, in 7 days: Where is it?',
  );
  for (const name of ['Deployed', 'Draft'])
    expect(await card(name).innerText()).toMatch(/Cost\s+\S*\$0\.000\d+[\s\S]*Time\s+\d+ ms/i);
  await flow.fill(`${await flow.inputValue()}\n`);
  await card('Draft').getByText('edited since').waitFor();
  await driven.look('draft-run');
  expect(complaints).toEqual([]);
});

it('says what is wrong with a draft and with cases, and runs neither', async () => {
  await openDraft('provider: demo', 'provider: nobody');
  await page.getByRole('button', { name: 'Run both' }).click();
  await card('Draft').getByRole('alert').waitFor();
  expect(await card('Draft').innerText()).toMatch(/standard input:\d+:\d+: flow\[0\].*nobody/);
  await expectRejection();
  await flow.fill((await flow.inputValue()).replace('nobody', 'demo'));
  await page.getByLabel('Cases (YAML)').fill('tests: acme/support\ncases: [{ name: a, input: b }]');
  await page.getByRole('button', { name: 'Run 10 cases on both' }).click();
  await card('Cases').getByRole('alert').waitFor();
  expect(await card('Cases').innerText()).toMatch(/cases:2:\d+: cases\[0\]/);
  await expectRejection();
});

it('has a field for each variable, with type, bounds and default, also for one that the draft adds', async () => {
  await variable('tone').fill('warm');
  await variable('days').fill('31');
  await variable('form').selectOption('long');
  const described = await page.getByRole('group', { name: 'Variables' }).innerText();
  expect(described).toContain('Text, at most 10,000 characters, default kind. How it is said');
  expect(described).toContain('Number, 1 to 30, default 7');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  expect(await page.evaluate("document.querySelector('.variables input').validity.rangeOverflow")).toBe(true);
  expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0);
  await variable('days').fill('3');
  asked += 1;
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect
    .poll(() => page.getByLabel('Output of the call').textContent())
    .toContain('Please, be warm, long, in 3 days: Hello');

  await openDraft('in {{days}} days', 'in {{days}} days, {{aloud}} aloud');
  await flow.fill(
    (await flow.inputValue()).replace('days:', 'aloud:\n    type: boolean\n    required: true\n  days:'),
  );
  await variable('aloud').selectOption('true');
  await page.getByRole('button', { name: 'Run both' }).click();
  await page.getByLabel('Output of draft').waitFor();
  expect(await page.getByLabel('Output of draft').textContent()).toContain('in 7 days, true aloud');
  // The deployed flow has no such variable, and gets none.
  expect(await page.getByLabel('Output of deployed').textContent()).toContain('in 7 days: Hello');
  expect(complaints).toEqual([]);
});

it('stops cases at the budget', async () => {
  await openDraft('Please, be', 'Please be');
  await page.getByLabel('Cases (YAML)').fill(CASES);
  await page.getByLabel('Cases to run').fill('2');
  await page.getByLabel('Budget (US dollars)').fill('0');
  await page.getByRole('button', { name: 'Run 2 cases on both' }).click();
  const table = page.getByRole('table', { name: 'Cases on both' });
  await table.waitFor();
  expect(await table.getByText('over the budget').count()).toBe(4);
  await page.getByText('The budget ended before every case had run.').waitFor();
  expect(complaints).toEqual([]);
});

let attempts = 0;

it('lets a product owner change a comma, see both answers, run 10 cases, save, deploy and roll back', async () => {
  attempts += 1;
  // A retry finds the version of the attempt before it.
  const start = attempts === 1 ? 'Please be' : `Please be ${attempts} times`;
  const message = `A comma less, ${attempts}`;
  await openDraft('Please, be', start);
  await page.getByRole('button', { name: 'Run both' }).click();
  await page.getByLabel('Output of draft').waitFor();
  expect(await page.getByLabel('Output of draft').textContent()).toContain(`${start} kind`);
  await page.getByLabel('Output of deployed').waitFor();
  expect(await page.getByLabel('Output of deployed').textContent()).toContain('Please, be kind');

  const file = join(temporaryFolder(), 'cases.yaml');
  writeFileSync(file, CASES);
  await page.getByLabel('A tests file').setInputFiles(file);
  await page.getByRole('button', { name: 'Run 10 cases on both' }).click();
  const table = page.getByRole('table', { name: 'Cases on both' });
  await table.waitFor();
  const rows = (await table.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t'));
  expect(rows).toHaveLength(10);
  for (const [at, [, deployed, deployedCost, deployedTime, draft, cost, time]] of rows.entries()) {
    expect([deployed, draft]).toEqual(['passed', at === 3 ? 'failed' : 'passed']);
    for (const money of [deployedCost, cost]) expect(money).toMatch(/\$0\.000\d+/);
    for (const took of [deployedTime, time]) expect(took).toMatch(/^\d+ ms$/);
  }
  expect(rows[3]?.[0]).toContain('Draft: contains:');
  await page.getByText('Draft passes 1 case fewer: with 10 cases this may be chance').waitFor();
  await driven.look('draft-cases');

  await page.getByRole('button', { name: 'Save as version' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Save as version' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Message').fill(message);
  await driven.confirm('Save as version');
  expect(await ask()).toContain('Please, be kind');
  await dialog.getByRole('link', { name: 'see the versions of support' }).click();
  const saved = page.getByRole('row').filter({ hasText: message });
  await saved.waitFor();
  expect(await saved.innerText()).toMatch(/^v\d+\s/);
  expect(await saved.getByText('deployed').count()).toBe(0);
  await driven.change('Deploy');
  await expect.poll(ask).toContain(`${start} kind`);
  await driven.change('Roll back');
  await expect.poll(ask).toContain('Please, be kind');
  expect((await lastChanges(stack)).slice(0, 3)).toEqual(['deploy', 'deploy', 'update_neuron']);
  expect(complaints).toEqual([]);
});

it('leaves no run in the log but the real calls', async () => {
  const count = async () =>
    (await stack.operate(['logs', 'acme', '--json'])).split('\n').filter(Boolean).length;
  await expect.poll(count).toBe(asked);
});

it('leaves out no state that it is to look at', () => {
  expect(listUnseen('console-drafts', suite.seen)).toEqual([]);
});
