// The console where there is little: no organization, an organization without anything, a neuron without a flow, one version, calls that named nobody.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { PAGES } from '../../console/data/paths.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { listUnseen } from './support/console-states.ts';
import { useConsole } from './support/console-suite.ts';

const BARE = `organization: quiet
`;
const NEURONS = `${BARE}providers: { demo: { type: echo } }
---
neuron: quiet/settled
access: { public: true }
flow: [{ callModel: { provider: demo, model: echo-1 } }]
---
neuron: quiet/later
access: { public: true }
`;

/** What each page of an organization says before anything was made of it. */
const SAYS = {
  overview: ['No calls in this time.', 'Nothing was used this month.'],
  logs: ['No entries match.'],
  neurons: ['There are no neurons yet.'],
  keys: ['There are no keys yet.'],
  limits: ['quiet has no limits.', 'No share of a limit was reached.'],
  access: ['There are no neurons yet.'],
  guards: ['No guard found anything in 7 days.'],
  people: ['Name a person.'],
  rollouts: ['There are no neurons yet.'],
  playground: ['There are no neurons yet.'],
  changes: [],
  health: [],
} as const satisfies Readonly<Record<(typeof PAGES)[number]['name'], readonly string[]>>;

const suite = useConsole({});
let { stack, page, complaints, driven, origin } = suite;
beforeEach(() => {
  ({ stack, page, complaints, driven, origin } = suite);
});

const emptyTitles = () => page.locator('.empty > strong').allInnerTexts();

async function apply(settings: string): Promise<void> {
  const file = join(temporaryFolder(), 'settings.yaml');
  writeFileSync(file, settings);
  await stack.operate(['apply', file, '--yes']);
}

it('says how to begin where there is no organization', async () => {
  await page.goto(origin);
  await page.getByText('There are no organizations yet.').waitFor();
  expect(await page.getByRole('navigation').getByRole('link').allInnerTexts()).toEqual(['All organizations']);
  await driven.look('nothing');
  await page.goto(`${origin}/o/quiet/overview`);
  await page.getByText('There are no organizations yet.').waitFor();
});

it.each(PAGES)(
  'says what is missing and how to change that, in an organization without anything: $name',
  async ({ name, title }) => {
    // The first of them: applying again changes nothing.
    if (name === 'overview') await apply(BARE);
    await page.goto(`${origin}/o/quiet/${name}`);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await driven.settle();
    await expect.poll(emptyTitles).toEqual([...SAYS[name]]);
    await driven.look(`empty-${name}`);
  },
);

it('says so where a draft has no neuron, a time has no change, and an address leads nowhere', async () => {
  await page.goto(`${origin}/o/quiet/playground?part=draft`);
  await expect.poll(emptyTitles).toEqual(['There are no neurons yet.']);
  await driven.look('empty-draft');
  // What was changed a moment ago is in every time that the page offers.
  await page.route('**/api/run/changes?*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), values: [] } });
  });
  await page.goto(`${origin}/o/quiet/changes?since=1d`);
  await expect.poll(emptyTitles).toEqual(['Nothing was changed in this time.']);
  await driven.look('empty-changes');
  await page.goto(`${origin}/o/quiet/nowhere`);
  await page.getByRole('heading', { level: 1, name: 'There is no such page.' }).waitFor();
  await driven.look('no-such-page');
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

it('says so where a neuron has no version, or nothing to compare', async () => {
  await apply(NEURONS);
  await page.goto(`${origin}/o/quiet/neurons/later`);
  await expect.poll(emptyTitles).toEqual(['There are no versions yet.']);
  await page.getByText('not deployed').waitFor();
  await driven.look('empty-versions');
  await page.goto(`${origin}/o/quiet/neurons/settled?part=compare`);
  await expect.poll(emptyTitles).toEqual(['There is only one version, so there is nothing to compare.']);
  await driven.look('empty-comparison');
});

it('says so where no call failed, named a user or a key', async () => {
  await page.goto(`${origin}/o/quiet/overview`);
  await stack.call('/quiet/settled', { json: { input: 'Hello' } });
  await expect
    .poll(async () => {
      await page.reload();
      await driven.settle();
      return page.getByRole('region', { name: 'Calls by' }).count();
    })
    .toBe(1);
  const calls = page.getByRole('region', { name: 'Calls by' });
  for (const [division, says] of [
    ['User', 'No call named a user.'],
    ['API key', 'No call named an API key.'],
    ['Error code', 'No call was refused or failed.'],
  ] as const) {
    await calls.getByRole('button', { name: division }).click();
    await calls.getByText(says).waitFor();
    await driven.look(`empty-${division.toLowerCase().replace(' ', '-')}`);
  }
  const month = page.getByRole('region', { name: 'This month' });
  await month.getByRole('button', { name: 'Tag' }).click();
  await month.getByText('Nothing was used this month.').waitFor();
  await driven.look('empty-month');
  expect(complaints).toEqual([]);
});

it('leaves out no state that it is to look at', () => {
  expect(listUnseen('console-empty', suite.seen)).toEqual([]);
});
