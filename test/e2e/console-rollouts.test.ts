// Rollouts, shadows and feedback in the console: nothing at first, then sides, moves, copies and values, in both widths and themes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addressesOfBothArms } from './support/both-arms.ts';
import { lastChanges } from './support/console-page.ts';
import { listUnseen } from './support/console-states.ts';
import { useConsole } from './support/console-suite.ts';

const settings = (model: string) => `organization: acme
providers: { demo: { type: echo } }
prices: { demo/one: { input: 10, output: 10 }, demo/two: { input: 10, output: 10 } }
---
neuron: acme/support
access: { public: true }
feedback: { metrics: { helpful: { type: boolean } } }
rollout: { by: address, stages: [{ share: 50%, for: 1h, runs: 1 }, { share: 100% }] }
flow: [{ callModel: { provider: demo, model: ${model} } }]
---
organization: quiet
`;

const suite = useConsole(
  { settings: settings('one'), trustForwardedFor: true },
  {
    prepare: async ({ operate }) => {
      const next = join(temporaryFolder(), 'next.yaml');
      writeFileSync(next, settings('two'));
      await operate(['apply', next, '--yes', '--no-deploy']);
    },
  },
);
let { stack, page, complaints, driven, origin } = suite;
beforeEach(() => {
  ({ stack, page, complaints, driven, origin } = suite);
});

const card = (name: string) => page.getByRole('region', { name, exact: true });

const row = async (table: string, at: number) =>
  (await page.getByRole('table', { name: table, exact: true }).locator('tbody tr').nth(at).innerText()).split(
    /\s*\t\s*/,
  );

it('says where there is nothing', async () => {
  await page.goto(`${origin}/o/quiet/rollouts`);
  await page.getByText('There are no neurons yet.').waitFor();
  await driven.look('rollouts-no-neuron');
  await page.goto(origin);
  await driven.goTo('Rollouts');
  for (const text of ['No rollout is going on.', 'No version repeats runs.', 'No feedback came this month.'])
    await page.getByText(text).waitFor();
  await driven.look('rollouts-none');
});

it('starts a rollout and a shadow, and says what is wrong with what was typed', async () => {
  await page.getByRole('button', { name: 'Start a rollout' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Share').fill('--yes');
  await dialog.getByRole('button', { name: 'Start a rollout' }).click();
  await dialog.getByText('It must be a share from 0.01% to 100%').waitFor();
  await dialog.getByLabel('Share').fill('');
  await driven.confirm('Start a rollout');
  await driven.close();
  await card('Rollout').getByText('of the callers').first().waitFor();
  expect(await row('Stages', 0)).toEqual(['1 now', '50%', '1 h', '1']);
  await page.getByRole('button', { name: 'Start a shadow' }).click();
  await dialog.getByLabel('Share of the runs').fill('100%');
  await dialog.getByLabel('Budget in dollars').fill('2');
  await driven.confirm('Start a shadow');
  await driven.close();
  await card('Shadow').getByText('of $2.00').waitFor();
});

/** Over all attempts of the test that makes them. */
let calls = 0;

it('shows both versions with their intervals, both sides, the evidence, copies and values', async () => {
  const call = (address: string) => {
    calls += 1;
    return stack.call('/acme/support', { json: { input: 'Hello' }, headers: { 'X-Forwarded-For': address } });
  };
  const status = await stack.operate(['versions', 'rollout', 'status', 'acme/support', '--json']);
  for (const address of addressesOfBothArms(JSON.parse(status).rollout.id, 4)) await call(address);
  const { headers } = await call('203.0.113.7');
  const value = { token: headers['x-feedback-token'], metric: 'helpful', value: true };
  expect((await stack.call('/acme/support/feedback', { json: value })).status).toBe(201);
  await expect
    .poll(
      async () => {
        await page.reload();
        await card('Feedback this month').waitFor();
        return page.getByRole('table', { name: 'Feedback' }).locator('tbody tr').count();
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe(1);
  await card('Two versions').getByRole('table').first().waitFor();
  const outcomes = [
    await row('Two versions: runs by outcome', 0),
    await row('Two versions: runs by outcome', 1),
  ];
  expect(outcomes.map(([version]) => version)).toEqual(['v1', 'v2']);
  const runs = outcomes.map((cells) => Number(cells[1]));
  expect(runs.reduce((all, one) => all + one)).toBe(calls);
  expect(Math.min(...runs)).toBeGreaterThanOrEqual(4);
  expect((await row('Two versions', 0))[0]).toBe('failed');
  expect(await page.getByRole('table', { name: 'Two versions', exact: true }).innerText()).toContain(
    'cost a run',
  );
  await page.getByRole('button', { name: 'Show the evidence of the guards' }).click();
  expect((await row('Evidence by guard', 0)).slice(0, 1)).toEqual(['failed']);
  await card('Answers and copies').getByRole('table').first().waitFor();
  await page.getByLabel('Address of the caller').fill('198.51.100.7');
  await page.getByRole('button', { name: 'Show the side' }).click();
  await page.getByText(/^This caller is on the side of the (control|candidate)\.$/).waitFor();
  await driven.look('rollouts-full');
});

it('waits with the next stage, pauses, resumes, promotes and aborts a rollout, and stops a shadow', async () => {
  await page.getByRole('button', { name: 'Next stage' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Next stage' }).click();
  await dialog.getByText(/cannot go on yet: the stage lasts \d+ more seconds/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await dialog.getByLabel('Reason').fill('--force');
  await driven.confirm('Pause');
  await driven.close();
  await card('Rollout').getByText('paused').waitFor();
  await card('Rollout').getByText('--force').waitFor();
  await driven.look('rollouts-paused');
  await driven.change('Resume');
  await driven.change('Abort');
  await page.getByText('No rollout is going on.').waitFor();
  await driven.change('Start a rollout');
  await driven.change('Promote');
  await page.getByText('No rollout is going on.').waitFor();
  await driven.change('Stop the shadow');
  await page.getByText('No version repeats runs.').waitFor();
  expect((await lastChanges(stack)).slice(0, 9)).toEqual([
    ...['shadow', 'deploy', 'rollout', 'rollout', 'rollout', 'rollout', 'rollout', 'shadow', 'rollout'],
  ]);
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
});

it('shows what its rights allow, and why the rest is missing', async () => {
  const refusal = { error: { what: 'These credentials lack a permission.', remedy: 'Use another profile.' } };
  await page.route('**/api/run/rollout?*', (route) => route.fulfill({ status: 422, json: refusal }));
  await page.reload();
  await page.getByText('These credentials lack a permission.').first().waitFor();
  await page.getByText('No version repeats runs.').waitFor();
  expect(await page.getByRole('button', { name: /rollout/ }).count()).toBe(0);
  await driven.look('rollouts-refused');
});

it('leaves out no state that it is to look at', () => {
  expect(listUnseen('console-rollouts', suite.seen)).toEqual([]);
});
