// Clicks through the page of the console as an operator does, and looks at it as people do.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { violations } from './axe.ts';
import { ROOT } from './command.ts';
import type { SeenStates } from './console-states.ts';
import type { Stack } from './stack.ts';

/** `NEURON_PICTURES=1` takes the pictures of docs/console.md again, of a busier day. */
export const TAKES_PICTURES = process.env['NEURON_PICTURES'] !== undefined;
const PICTURES: ReadonlySet<string> = new Set([
  ...['overview-1440-light', 'overview-390-dark', 'entry', 'compare', 'playground'],
  // A page each, as a test with something to show looks at it.
  ...['service', 'logs', 'neurons', 'api-keys', 'limits', 'access-explained', 'guards-found'].map(onDesk),
  ...['people-kept', 'rollouts-full', 'draft-run', 'changes', 'health'].map(onDesk),
]);
function onDesk(name: string): string {
  return `${name}-1440-light`;
}

/** A folder for a picture of all that is looked at. */
const SCREENS = process.env['NEURON_SCREENS'];

/** Set by .ci/deep. */
const IS_DEEP = process.env['NEURON_E2E_LONG'] !== undefined;

const DESK = { width: 1440, height: 900 };
const TELEPHONE = { width: 390, height: 844 };

/** What an operator does on every page. */
export interface ConsolePage {
  /** Goes to a page by its link in the menu, and waits until what it reads is there. */
  goTo(title: string): Promise<void>;
  /** Waits until nothing is being read. */
  settle(): Promise<void>;
  /** In both themes and at both widths: nothing that keeps people out, and nothing wider than the screen. */
  look(name: string): Promise<void>;
  /** Looks at the open dialog, confirms it and waits for its result. */
  confirm(label: string): Promise<void>;
  /** Presses the button, confirms, and closes what came of it. */
  change(label: string): Promise<void>;
  /** Closes the open dialog. */
  close(): Promise<void>;
  /** Keeps what is seen now, where it is one of the pictures and they are taken. */
  picture(name: string): Promise<void>;
}

/** `seen`: what was looked at and made is added to it. */
export function drive(page: Page, seen: SeenStates): ConsolePage {
  const dialog = page.getByRole('dialog');
  page.on('response', (response) => {
    const made = /\/api\/run\/(\w+)$/.exec(response.url())?.[1];
    if (response.request().method() === 'POST' && response.status() < 500 && made !== undefined)
      seen.changes.add(made);
  });
  const keep = async (name: string) => {
    if (TAKES_PICTURES && PICTURES.has(name))
      await page.screenshot({ path: join(ROOT, 'docs/console', `${name}.png`) });
    if (SCREENS !== undefined) await page.screenshot({ path: join(SCREENS, `${name}.png`), fullPage: true });
  };
  const driven: ConsolePage = {
    async goTo(title) {
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await driven.settle();
    },
    settle: () => expect.poll(() => page.locator('.placeholder, .long-foot [role=status]').count()).toBe(0),
    async look(name) {
      seen.pages.add(new URL(page.url()).pathname);
      for (const title of await page.locator('.empty > strong').allInnerTexts()) seen.empty.add(title);
      for (const size of [TELEPHONE, DESK])
        for (const colorScheme of ['dark', 'light'] as const) {
          const where = `${name}-${size.width}-${colorScheme}`;
          await page.setViewportSize(size);
          await page.evaluate('scrollTo(0, 0)');
          await page.emulateMedia({ colorScheme });
          expect(await page.evaluate('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(
            size.width,
          );
          // Of all that axe looks at, dark changes the contrast alone, and the width changes no colour: .ci/deep looks at both all the same.
          if (colorScheme === 'light') expect(await violations(page, 'all'), where).toEqual([]);
          else if (size === DESK || IS_DEEP) expect(await violations(page, 'contrast'), where).toEqual([]);
          await keep(where);
        }
    },
    async confirm(label) {
      await driven.look(`${await dialog.getAttribute('aria-label')}`.toLowerCase().replaceAll(/\W+/g, '-'));
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.getByText('Done.').waitFor();
    },
    async change(label) {
      await page.getByRole('button', { name: label, exact: true }).first().click();
      await driven.confirm(label);
      await driven.close();
    },
    close: () => dialog.getByRole('button', { name: 'Close' }).click(),
    picture: keep,
  };
  return driven;
}

/** The actions of the last changes, newest first, as the command shows them. */
export async function lastChanges(stack: Stack): Promise<readonly string[]> {
  const lines = await stack.operate(['logs', 'acme', '--changes', '--json']);
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { actions: string[] }).actions);
}
