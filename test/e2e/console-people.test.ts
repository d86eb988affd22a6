// A person's page in the console: nothing at first, then what is kept by place, its export, its erasure after a confirmation, and rights that do not suffice.
import { readFileSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { listUnseen } from './support/console-states.ts';
import { useConsole } from './support/console-suite.ts';

const SETTINGS = `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/support
access: { apiKey: true }
logging: { bodies: full }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
`;

const suite = useConsole(
  { settings: SETTINGS },
  {
    prepare: async ({ operate, call }) => {
      const made = JSON.parse(
        await operate(['keys', 'create', 'acme', '--name', 'app', '--on-behalf-of', '--json']),
      ) as { readonly key: string; readonly keyId: string };
      name = `nrn_${made.keyId}/ann@example.com`;
      for (const user of ['ann@example.com', 'ann@example.com', 'bob@example.com']) {
        const { status, text } = await call('/acme/support', {
          headers: { authorization: `Bearer ${made.key}` },
          json: { input: `I am ${user}`, user },
        });
        expect(status, text).toBe(200);
      }
    },
  },
);
let { stack, page, complaints, driven, origin } = suite;
let name: string;
beforeEach(() => {
  ({ stack, page, complaints, driven, origin } = suite);
});

const pageOf = (user: string) => `${origin}/o/acme/people?user=${encodeURIComponent(user)}`;
const rowsOf = async (table: string) => {
  const found = page.getByRole('table', { name: table });
  await found.waitFor();
  return (await found.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').slice(0, 2));
};

it('asks for a name, and says where nothing is kept', async () => {
  await page.goto(origin);
  await driven.goTo('People');
  await page.getByText('Name a person.').waitFor();
  await driven.look('people-none');
  await page.getByLabel('Username').fill('--yes');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByText('Nothing is kept of this person in acme.').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  await driven.look('people-nothing');
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
  expect(places).toContainEqual(expect.stringMatching(/^exports of the log/));
  await expect.poll(async () => (await rowsOf('Newest calls')).length, { timeout: 90_000 }).toBe(2);
  await driven.look('people-kept');
});

it('hands it out as a file of JSON', async () => {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await driven.confirm('Export');
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
  await driven.close();
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
  await driven.look('people-erase');
  await driven.confirm('Erase');
  await dialog.getByText('Recorded as').waitFor();
  await driven.close();
  await page.getByText('Nothing is kept of this person in acme.').waitFor();
  await page.getByText('No calls in 30 days.').waitFor();
  await driven.look('people-erased');
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
  await driven.look('people-refused');
});

it('leaves out no state that it is to look at', () => {
  expect(listUnseen('console-people', suite.seen)).toEqual([]);
});
