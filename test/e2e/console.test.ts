// The console in a real browser: every page reached by clicking, every change made and found in the log of changes, and nothing that keeps people out.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putDay } from '../../bench/day-of-traffic.ts';
import { PAGES } from '../../console/data/paths.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { seriousViolations } from './support/axe.ts';
import { launchChromium } from './support/chromium.ts';
import { type RunningConsole, signIn, startConsole } from './support/console.ts';
import { type ConsolePage, drive, lastChanges, TAKES_PICTURES } from './support/console-page.ts';
import { LONG_SLUG, SECOND_SETTINGS, SETTINGS } from './support/console-settings.ts';
import { putHostileEntry } from './support/hostile-entry.ts';
import { type Stack, startStack } from './support/stack.ts';

let stack: Stack;
let running: RunningConsole;
let browser: Browser;
let page: Page;
let complaints: string[];
let { goTo, confirm, change, close, picture } = {} as ConsolePage;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ settings: SETTINGS }), launchChromium()]);
  await stack.operate(['keys', 'create', 'acme', '--name=back office']);
  await putDay(stack.dataFolder, 'acme', TAKES_PICTURES ? 3_000 : 400);
  running = await startConsole(stack);
  ({ page, complaints } = await signIn(browser, running));
  ({ goTo, confirm, change, close, picture } = drive(page));
});
afterAll(async () => {
  await browser?.close();
  await running?.stop();
  await stack?.stop();
});

describe('every page', () => {
  const sizes = [
    ['a desk', 1440, 900],
    ['a telephone', 390, 844],
  ] as const;
  it.each(sizes)(
    'fits %s, in light and dark, and axe finds nothing serious',
    async (_name, width, height) => {
      await page.setViewportSize({ width, height });
      for (const { title } of PAGES) {
        await goTo(title);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const where = `${title}, ${width} pixels, ${colorScheme}`;
          expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(
            width,
          );
          // Of all that axe looks at, dark changes the contrast alone.
          const rules = colorScheme === 'light' ? 'all' : 'contrast';
          expect(await seriousViolations(page, rules), where).toEqual([]);
          await picture(`${title.toLowerCase().replace(' ', '-')}-${width}-${colorScheme}`);
        }
      }
    },
    // Eighteen drawings, each judged by axe.
    240_000,
  );

  it('is reached by keyboard alone', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
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
    const { origin } = new URL(running.address);
    await page.goto(`${origin}/o/acme/logs?outcome=failed&since=7d`);
    await page.getByRole('table', { name: 'Log entries' }).getByText('failed').first().waitFor();
    expect(await page.getByLabel('Outcome').inputValue()).toBe('failed');
    expect(await page.getByText('success', { exact: true }).count()).toBe(1);
  });
});

describe('the log explorer', () => {
  it('shows an entry with its steps, and text of callers as characters', async () => {
    await goTo('Logs');
    await page.getByRole('table', { name: 'Log entries' }).getByText('miss', { exact: true }).first().click();
    const entry = page.getByRole('complementary', { name: 'Entry' });
    await entry.getByText('callModel').waitFor();
    await expect.poll(() => entry.getByLabel('Output', { exact: true }).textContent()).toContain('U+202E');
    expect(await entry.getByLabel('Input', { exact: true }).textContent()).toContain('<script>alert(');
    await picture('entry');
    await page.keyboard.press('Escape');
    await expect.poll(() => entry.count()).toBe(0);
  });

  it('shows markup in every field of an entry as characters', async () => {
    const { id, markups } = await putHostileEntry(stack.dataFolder, 'acme');
    expect(markups.length).toBeGreaterThan(15);
    const { origin } = new URL(running.address);
    await page.goto(`${origin}/o/acme/logs?${new URLSearchParams({ id, since: '1h' })}`);
    const entry = page.getByRole('complementary', { name: 'Entry' });
    await entry.getByText('onerror').first().waitFor();
    const text = await entry.evaluate((element) => element.textContent);
    expect(markups.filter((markup) => !text.includes(markup))).toEqual([]);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('follows new entries', async () => {
    await goTo('Logs');
    await page.getByRole('button', { name: 'Follow' }).click();
    const before = await page.locator('.long-rows .long-row').first().textContent();
    await stack.operate(['call', 'acme/hello', '--input', 'Hello']);
    await expect.poll(() => page.locator('.long-rows .long-row').first().textContent()).not.toBe(before);
    await page.getByRole('button', { name: 'Following' }).click();
  });

  it('says what to do where nothing matches', async () => {
    await goTo('Logs');
    await page.getByLabel('User').fill('nobody');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No entries match.').waitFor();
  });
});

describe('a change', () => {
  it('of a key is made, shown once, and undone', async () => {
    await goTo('API keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('<b>web</b> \u202eshop');
    await page.getByLabel('Limits').fill('cost 50 month');
    await page.getByLabel('Tags').fill('team=shop');
    await confirm('Create a key');
    expect(await page.getByRole('dialog').locator('.command code').first().textContent()).toMatch(/^nrn_/);
    await close();
    await page.getByText('cost 50 month').waitFor();
    await page.getByRole('button', { name: 'Limit', exact: true }).first().click();
    await page.getByLabel('Limits').fill('requests 1000 day\ncost 20 month');
    await confirm('Limit');
    await close();
    await page.getByText('requests 1000 day, cost 20 month').waitFor();
    expect(await page.getByText('team=shop').count()).toBe(1);
    await change('Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await change('Resume');
    await change('Revoke');
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await page.getByText('<b>web</b>').count()).toBe(1);
    expect((await lastChanges(stack)).slice(0, 3)).toEqual(['revoke_key', 'update_key', 'update_key']);
  });

  it('of a deployment is compared, rolled back and deployed again', async () => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(file, SECOND_SETTINGS);
    await stack.operate(['apply', file, '--message=brief answers']);
    await goTo('Neurons');
    await page.getByRole('link', { name: LONG_SLUG }).waitFor();
    await page.getByRole('link', { name: 'hello', exact: true }).click();
    await page.getByRole('button', { name: 'Compare' }).click();
    const difference = page.getByRole('region', { name: 'What differs' });
    await expect.poll(() => difference.locator('.added').textContent()).toContain('Be very brief.U+202E');
    expect(await difference.locator('.removed').textContent()).toContain('Be brief.');
    await picture('compare');
    await page.getByRole('button', { name: 'Versions' }).click();
    for (const label of ['Roll back', 'Deploy', 'Clear the cache']) await change(label);
    expect((await lastChanges(stack)).slice(0, 3)).toEqual(['clear_cache', 'deploy', 'deploy']);
  });

  it('creates a preview key, with which the playground calls that version with a conversation', async () => {
    await goTo('Neurons');
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
    await expect
      .poll(() => page.getByLabel('Output', { exact: true }).first().textContent())
      .toContain('Spain');
    await page.getByText('hello v1').waitFor();
    expect((await lastChanges(stack))[0]).toBe('set_preview_key');
    expect(page.url()).not.toMatch(/key/i);
  });

  it('is listed with its difference', async () => {
    await goTo('Changes');
    const row = page.getByRole('row', { name: 'brief answers' });
    await row.getByRole('button', { name: /^create version, .*deploy$/ }).click();
    await expect
      .poll(() => page.getByRole('dialog').getByRole('region', { name: 'What differs' }).count())
      .toBe(2);
    await close();
  });

  it('takes a neuron and all of the service from callers, and gives them back', async () => {
    await goTo('Neurons');
    await change('Pause organization');
    await page.getByRole('banner').getByText('paused').waitFor();
    await change('Resume organization');
    await page.getByRole('link', { name: LONG_SLUG }).click();
    await page.getByRole('banner').getByText('paused').waitFor({ state: 'detached' });
    await change('Undeploy');
    await page.getByText('not deployed').waitFor();
    await change('Deploy');
    await goTo('Health');
    const mode = page.getByRole('region', { name: 'Maintenance mode' });
    await mode.getByText('off', { exact: true }).waitFor();
    await change('Maintenance on');
    await mode.getByText('retry after 60 s').waitFor();
    await change('Maintenance off');
    await mode.getByText('off', { exact: true }).waitFor();
    expect((await lastChanges(stack)).slice(0, 6)).toEqual([
      'maintenance_off',
      'maintenance_on',
      'deploy',
      'undeploy',
      'resume',
      'pause',
    ]);
  });

  it('that fails says why and what to do', async () => {
    await goTo('API keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('x');
    await page.getByLabel('Lifetime').fill('soon');
    await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });
});

describe('the other pages', () => {
  it('explain access step by step', async () => {
    await goTo('Access');
    await page.getByLabel('Neuron', { exact: true }).selectOption('guarded');
    await page.getByLabel('Referer').fill('https://evil.example/');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('referer_not_allowed').first().waitFor();
  });

  it('call a neuron and show its entry, a megabyte of output included', async () => {
    await goTo('Playground');
    await page.getByLabel('Neuron', { exact: true }).selectOption('hello');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByText('Open in the logs').waitFor();
    await picture('playground');
    const input = `<img src=x onerror=alert(1)> ${'a'.repeat(900_000)}`;
    await page.getByRole('textbox', { name: 'Input' }).fill(input);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByLabel('Output', { exact: true }).first().waitFor();
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
    await goTo('Overview');
    await page.getByRole('region', { name: 'Alerts' }).getByText('2%').waitFor();
    const month = page.getByRole('region', { name: 'This month' });
    await month.getByRole('button', { name: 'API key' }).click();
    await month.getByRole('table').getByText('back office').waitFor();
    await goTo('Limits');
    await page.getByRole('table', { name: 'Alerts' }).getByText('50 requests each day').waitFor();
  });

  it('refuse a second use of the address, and to be framed', async () => {
    const other = await browser.newPage();
    await other.goto(running.address);
    await other.getByText('This address cannot be used').waitFor();
    await other.goto(new URL(running.address).origin);
    await other.getByText('You are not signed in.').waitFor();
    await other.goto('about:blank');
    await other.setContent(`<iframe src="${new URL(running.address).origin}"></iframe>`);
    await expect.poll(() => other.frames()[1]?.url()).toMatch(/^chrome-error:/);
    await other.close();
  });

  it('complain of nothing: no error, nothing that the policy forbids', () => {
    // The one failed change, and the browser that was not signed in, are answers and not complaints of the page.
    expect(complaints.filter((text) => !/status of 4(01|03|22)/.test(text))).toEqual([]);
  });
});
