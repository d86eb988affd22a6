// A console as an operator starts it, and a browser that is signed in to it.
import { spawn } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { COMMAND, ROOT } from './command.ts';
import { startCoverage } from './console-coverage.ts';
import type { Stack } from './stack.ts';

/** A console that listens. */
export interface RunningConsole {
  /** The address that was printed; it signs in once. */
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts `neuron console` on a free port. The page is built first where it is older than its sources. */
export function startConsole(stack: Pick<Stack, 'dataFolder'>): Promise<RunningConsole> {
  const words = [COMMAND, `--local=${stack.dataFolder}`, 'console', '--port=0', '--no-open'];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.removeListener('exit', kill);
      resolve();
    });
  });
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (text: string) => {
      output += text;
      const address = /^http:\S+token=\S+$/m.exec(output)?.[0];
      if (address === undefined) return;
      resolve({
        address,
        pid: child.pid ?? 0,
        stop: () => {
          child.kill('SIGTERM');
          return ended;
        },
      });
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`the console ended:\n${output}`)));
  });
}

/** A page of a signed-in browser, and whatever it complained of. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** A browser that opened the address, and whatever its pages complained of. */
export async function signIn(
  browser: Browser,
  { address }: RunningConsole,
): Promise<WatchedPage & { readonly context: BrowserContext }> {
  // Colours that are still changing have any contrast.
  const context = await browser.newContext({
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const watched = await openPage(context);
  await watched.page.goto(address);
  await watched.page.getByRole('heading', { level: 1 }).waitFor();
  return { context, ...watched };
}

/** Another page of the same browser, so that what a test leaves behind reaches no other. */
export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  const complaints: string[] = [];
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  await startCoverage(page);
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}
