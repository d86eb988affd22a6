// The console in a real browser: every page reached by clicking, every change made and found in the log of changes, and nothing that keeps people out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { putDay } from '../../bench/day-of-traffic.ts';
import { PAGES } from '../../console/data/paths.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { drive, lastChanges, TAKES_PICTURES } from './support/console-page.ts';
import { LONG_SLUG, SECOND_SETTINGS, SETTINGS } from './support/console-settings.ts';
import { listUnseen } from './support/console-states.ts';
import { useConsole } from './support/console-suite.ts';
import { putHostileEntry } from './support/hostile-entry.ts';

const suite = useConsole(
  { settings: SETTINGS },
  {
    prepare: async ({ operate, dataFolder }) => {
      await operate(['keys', 'create', 'acme', '--name=back office']);
      await putDay(dataFolder, 'acme', TAKES_PICTURES ? 3_000 : 400);
    },
  },
);
let { stack, page, complaints, driven, origin } = suite;
beforeEach(() => {
  ({ stack, page, complaints, driven, origin } = suite);
});

describe('every page', () => {
  it.each(PAGES.map(({ title }) => title))(
    'fits a desk and a telephone, in light and dark, and axe finds nothing: %s',
    async (title) => {
      await driven.goTo(title);
      await driven.look(title.toLowerCase().replace(' ', '-'));
    },
  );

  it('is reached on a telephone by the menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const title of ['Limits', 'Overview']) await driven.goTo(title);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is reached by keyboard alone', async () => {
    for (const [key, title] of [
      ['l', 'Logs'],
      ['n', 'Neurons'],
      ['h', 'Health'],
      ['o', 'Overview'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      // Keys go to the page again, whatever had the focus before.
      await page.locator('main').focus();
    }
  });

  it('has an address of its own that can be opened again', async () => {
    await page.goto(`${origin}/o/acme/logs?outcome=failed&since=7d`);
    await page.getByRole('table', { name: 'Log entries' }).getByText('failed').first().waitFor();
    expect(await page.getByLabel('Outcome').inputValue()).toBe('failed');
    expect(await page.getByText('success', { exact: true }).count()).toBe(1);
  });
});

describe('the log explorer', () => {
  it('shows an entry with its steps, and text of callers as characters', async () => {
    await driven.goTo('Logs');
    await page.getByRole('table', { name: 'Log entries' }).getByText('miss', { exact: true }).first().click();
    const entry = page.getByRole('complementary', { name: 'Entry' });
    await entry.getByText('callModel').waitFor();
    await expect.poll(() => entry.getByLabel('Output', { exact: true }).textContent()).toContain('U+202E');
    expect(await entry.getByLabel('Input', { exact: true }).textContent()).toContain('<script>alert(');
    await driven.picture('entry');
    await driven.look('log-entry');
    await page.keyboard.press('Escape');
    await expect.poll(() => entry.count()).toBe(0);
  });

  it('shows markup in every field of an entry as characters', async () => {
    const { id, markups } = await putHostileEntry(stack.dataFolder, 'acme');
    expect(markups.length).toBeGreaterThan(15);
    await page.goto(`${origin}/o/acme/logs?${new URLSearchParams({ id, since: '1h' })}`);
    const entry = page.getByRole('complementary', { name: 'Entry' });
    await entry.getByText('onerror').first().waitFor();
    const text = await entry.evaluate((element) => element.textContent);
    expect(markups.filter((markup) => !text.includes(markup))).toEqual([]);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('follows new entries', async () => {
    await driven.goTo('Logs');
    await page.getByRole('button', { name: 'Follow' }).click();
    const before = await page.locator('.long-rows .long-row').first().textContent();
    await stack.operate(['call', 'acme/hello', '--input', 'Hello']);
    await expect.poll(() => page.locator('.long-rows .long-row').first().textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Following' }).click();
  });

  it('says what to do where nothing matches', async () => {
    await driven.goTo('Logs');
    await page.getByLabel('User').fill('nobody');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No entries match.').waitFor();
    await driven.look('logs-none');
  });
});

describe('a change', () => {
  it('of a key is made, shown once, and undone', async () => {
    await driven.goTo('API keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('<b>web</b> \u202eshop');
    await page.getByLabel('Limits').fill('cost 50 month');
    await page.getByLabel('Tags').fill('team=shop');
    await driven.confirm('Create a key');
    expect(await page.getByRole('dialog').locator('.command code').first().textContent()).toMatch(/^nrn_/);
    await driven.close();
    await page.getByText('cost 50 month').waitFor();
    await page.getByRole('button', { name: 'Limit', exact: true }).first().click();
    await page.getByLabel('Limits').fill('requests 1000 day\ncost 20 month');
    await driven.confirm('Limit');
    await driven.close();
    await page.getByText('requests 1000 day, cost 20 month').waitFor();
    expect(await page.getByText('team=shop').count()).toBe(1);
    await driven.change('Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await driven.change('Resume');
    await driven.change('Revoke');
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await page.getByText('<b>web</b>').count()).toBe(1);
    expect((await lastChanges(stack)).slice(0, 3)).toEqual(['revoke_key', 'update_key', 'update_key']);
  });

  it('of a deployment is compared, rolled back and deployed again', async () => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, SECOND_SETTINGS);
    await stack.operate(['apply', file, '--message=brief answers']);
    await driven.goTo('Neurons');
    await page.getByRole('link', { name: LONG_SLUG }).waitFor();
    await page.getByRole('link', { name: 'hello', exact: true }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    const difference = page.getByRole('region', { name: 'What differs' });
    await expect.poll(() => difference.locator('.added').textContent()).toContain('Be very brief.U+202E');
    expect(await difference.locator('.removed').textContent()).toContain('Be brief.');
    await driven.picture('compare');
    for (const part of ['Compare', 'Settings', 'Versions']) {
      await page.getByRole('button', { name: part }).click();
      await driven.settle();
      await driven.look(`neuron-${part.toLowerCase()}`);
    }
    for (const label of ['Roll back', 'Deploy', 'Clear the cache']) await driven.change(label);
    expect((await lastChanges(stack)).slice(0, 3)).toEqual(['clear_cache', 'deploy', 'deploy']);
  });

  it('creates a preview key, with which the playground calls that version with a conversation', async () => {
    await driven.goTo('Neurons');
    await page.getByRole('link', { name: 'hello', exact: true }).click();
    await page
      .getByRole('button', { name: /preview key/i })
      .last()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /preview key/i }).click();
    await page.getByRole('link', { name: 'try v1 in the playground' }).click();
    await page.getByRole('button', { name: 'Conversation' }).click();
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await expect.poll(() => page.getByLabel('Output of the call').textContent()).toContain('Spain');
    await page.getByText('hello v1').waitFor();
    expect((await lastChanges(stack))[0]).toBe('set_preview_key');
    expect(page.url()).not.toMatch(/key/i);
  });

  it('is listed with its difference', async () => {
    await driven.goTo('Changes');
    const row = page.getByRole('row', { name: 'brief answers' });
    await row.getByRole('button', { name: /^create version, .*deploy$/ }).click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('region', { name: 'What differs' }).count())
      .toBe(2);
    await driven.look('change');
    await driven.close();
  });

  it('takes a neuron and all of the service from callers, and gives them back', async () => {
    await driven.goTo('Neurons');
    await driven.change('Pause organization');
    await page.getByRole('banner').getByText('paused').waitFor();
    await driven.change('Resume organization');
    await page.getByRole('link', { name: LONG_SLUG }).click();
    await page.getByRole('banner').getByText('paused').waitFor({ state: 'detached' });
    await driven.look('neuron-long-name');
    for (const label of ['Pause', 'Resume', 'Undeploy']) await driven.change(label);
    await page.getByText('not deployed').waitFor();
    await driven.change('Deploy');
    await driven.goTo('Health');
    const mode = page.getByRole('region', { name: 'Maintenance mode' });
    await mode.getByText('off', { exact: true }).waitFor();
    await driven.change('Maintenance on');
    await mode.getByText('retry after 60 s').waitFor();
    await driven.change('Maintenance off');
    await mode.getByText('off', { exact: true }).waitFor();
    expect((await lastChanges(stack)).slice(0, 8)).toEqual([
      'maintenance_off',
      'maintenance_on',
      'deploy',
      'undeploy',
      'resume',
      'pause',
      'resume',
      'pause',
    ]);
  });

  it('that fails says why and what to do', async () => {
    await driven.goTo('API keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('x');
    await page.getByLabel('Lifetime').fill('soon');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await driven.look('change-failed');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the other pages', () => {
  it('explain access step by step', async () => {
    await driven.goTo('Access');
    await page.getByLabel('Neuron', { exact: true }).selectOption('guarded');
    await page.getByLabel('Referer').fill('https://evil.example/');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('referer_not_allowed').first().waitFor();
    await driven.look('access-explained');
  });

  it('call a neuron and show its entry, a megabyte of output included', async () => {
    await driven.goTo('Playground');
    await page.getByLabel('Neuron', { exact: true }).selectOption('hello');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Open in the logs').waitFor();
    await driven.picture('playground');
    await driven.look('playground-answer');
    const input = `<img src=x onerror=alert(1)> ${'a'.repeat(900_000)}`;
    await page.getByRole('textbox', { name: 'Input' }).fill(input);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByLabel('Output of the call').waitFor();
    await page.getByText('Log entry').waitFor();
    await page
      .getByText(/characters are not shown/)
      .first()
      .waitFor();
  });

  it('say where a limit comes near its end, and what each key has used', async () => {
    // The calls above are more than a fiftieth of the limit; they are counted a moment later.
    await expect.poll(() => stack.operate(['alerts', 'acme', '--json'])).toContain('"share":2');
    await expect.poll(() => stack.operate(['usage', 'acme', '--by=key', '--json'])).toContain('back office');
    await driven.goTo('Overview');
    await page.getByRole('region', { name: 'Alerts' }).getByText('2%').waitFor();
    const month = page.getByRole('region', { name: 'This month' });
    await month.getByRole('button', { name: 'API key' }).click();
    await month.getByRole('table').getByText('back office').waitFor();
    await driven.goTo('Limits');
    await page.getByRole('table', { name: 'Alerts' }).getByText('50 requests each day').waitFor();
  });

  it('refuse a second use of the address, and to be framed', async () => {
    const other = await suite.browser.newPage({ reducedMotion: 'reduce' });
    await other.goto(suite.running.address);
    await other.getByText('This address cannot be used').waitFor();
    await drive(other, suite.seen).look('used-address');
    await other.goto(origin);
    await other.getByText('You are not signed in.').waitFor();
    await drive(other, suite.seen).look('not-signed-in');
    await other.goto('about:blank');
    await other.setContent(`<iframe src="${origin}"></iframe>`);
    await expect.poll(() => other.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await other.close();
  });

  it('complain of nothing: no error, nothing that the policy forbids', () => {
    // The one failed change, and the browser that was not signed in, are answers and not complaints of the page.
    expect(complaints.filter((text) => !/status of 4(01|03|22)/.test(text))).toEqual([]);
  });
});

it('leaves out no state that it is to look at', () => {
  expect(listUnseen('console', suite.seen)).toEqual([]);
});
