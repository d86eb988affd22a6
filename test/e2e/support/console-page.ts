// Clicks through the page of the console as an operator does.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from './command.ts';
import type { Stack } from './stack.ts';

/** `NEURON_PICTURES=1` takes the pictures of docs/console.md again, of a busier day. */
export const TAKES_PICTURES = process.env['NEURON_PICTURES'] !== undefined;
const PICTURES = ['overview-1440-light', 'overview-390-dark', 'entry', 'compare', 'playground'];

/** What an operator does on every page. */
export interface ConsolePage {
  /** Goes to a page by its link in the menu, and waits until what it reads is there. */
  goTo(title: string): Promise<void>;
  /** Confirms the open dialog and waits for its result. */
  confirm(label: string): Promise<void>;
  /** Presses the button, confirms, and closes what came of it. */
  change(label: string): Promise<void>;
  /** Closes the open dialog. */
  close(): Promise<void>;
  /** Keeps what is seen now, where it is one of the pictures and they are taken. */
  picture(name: string): Promise<void>;
}

export function drive(page: Page): ConsolePage {
  const dialog = page.getByRole('dialog');
  const driven: ConsolePage = {
    async goTo(title) {
      const menu = page.getByRole('button', { name: 'Menu' });
      if (await menu.isVisible()) await menu.click();
      await page.getByRole('navigation').getByRole('link', { name: title, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await expect.poll(() => page.locator('.placeholder, .long-foot [role=status]').count()).toBe(0);
    },
    async confirm(label) {
      await dialog.getByRole('button', { name: label, exact: true }).click();
      await dialog.getByText('Done.').waitFor();
    },
    async change(label) {
      await page.getByRole('button', { name: label, exact: true }).first().click();
      await driven.confirm(label);
      await driven.close();
    },
    close: () => dialog.getByRole('button', { name: 'Close' }).click(),
    async picture(name) {
      if (TAKES_PICTURES && PICTURES.includes(name))
        await page.screenshot({ path: join(ROOT, 'docs/console', `${name}.png`) });
    },
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
