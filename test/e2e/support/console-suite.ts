// The stack, the console and the signed-in browser of a file of tests.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openPage, type RunningConsole, signIn, startConsole } from './console.ts';
import { keepCoverage } from './console-coverage.ts';
import { type ConsolePage, drive } from './console-page.ts';
import { createSeen } from './console-states.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/** Filled before the first test; `page`, `complaints` and `driven` anew for each test of a suite of fresh pages. */
export interface ConsoleSuite {
  stack: Stack;
  running: RunningConsole;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** Errors of the page, and whatever its policy forbids. */
  complaints: string[];
  driven: ConsolePage;
  /** `http://127.0.0.1:4680` */
  origin: string;
  readonly seen: ReturnType<typeof createSeen>;
}

interface SuiteOptions {
  /** A page for each test, so that one that fails leaves nothing to the next. By default one for all. */
  readonly freshPages?: boolean;
  /** Runs before the console starts. */
  readonly prepare?: (stack: Stack) => Promise<void>;
}

/** Four drawings of each state, each judged by axe, and 30 days of the log, on machines that do other things too. */
const STRETCHED_MS = 300_000;

/** Registers the hooks of a file. */
export function useConsole(
  stackOptions: StackOptions,
  { freshPages = false, prepare = async () => undefined }: SuiteOptions = {},
): ConsoleSuite {
  vi.setConfig({ testTimeout: STRETCHED_MS });
  const suite = { seen: createSeen() } as ConsoleSuite;
  const closePage = async () => {
    await keepCoverage(suite.page);
    await suite.page.close();
  };
  beforeAll(async () => {
    [suite.stack, suite.browser] = await Promise.all([startStack(stackOptions), launchChromium()]);
    await prepare(suite.stack);
    suite.running = await startConsole(suite.stack);
    suite.origin = new URL(suite.running.address).origin;
    Object.assign(suite, await signIn(suite.browser, suite.running));
    suite.driven = drive(suite.page, suite.seen);
    if (freshPages) await closePage();
  }, STRETCHED_MS);
  afterAll(async () => {
    if (suite.page !== undefined) await closePage();
    await suite.browser?.close();
    await suite.running?.stop();
    await suite.stack?.stop();
  });
  if (!freshPages) return suite;
  beforeEach(async () => {
    Object.assign(suite, await openPage(suite.context));
    suite.driven = drive(suite.page, suite.seen);
  });
  afterEach(closePage);
  return suite;
}
