// Streams in a real Chromium: words as they come, streams that are cut, callers who leave. Takes pictures of docs/browser/.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { startPages } from '../../examples/browser/pages.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launchChromium } from './support/chromium.ts';
import { ROOT } from './support/command.ts';
import { descendantsOf } from './support/processes.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';
import { type StepwiseModel, startStepwiseModel } from './support/stepwise-model.ts';
import { streamSettings } from './support/stream-settings.ts';
import { findEntry, openTables } from './support/tables.ts';

/** `NEURON_PICTURES=1` writes the pictures into the documentation. */
const PICTURES =
  process.env['NEURON_PICTURES'] === undefined ? temporaryFolder() : join(ROOT, 'docs', 'browser');

describe.runIf(isLocal)('a page that streams', () => {
  let model: StepwiseModel;
  let stack: Stack;
  let pages: Awaited<ReturnType<typeof startPages>>;
  let browser: Browser;
  let page: Page;
  const dist = temporaryFolder();

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    await buildClient({ folder: dist });
    model = await startStepwiseModel();
    [stack, pages, browser] = await Promise.all([
      startStack({ settings: streamSettings(model.baseUrl) }),
      startPages(0, join(dist, 'index.js')),
      launchChromium(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    pages?.server.close();
    await stack?.stop();
    await model?.stop();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 760, height: 660 } });
    page.setDefaultTimeout(20_000);
  });
  afterEach(() => page.close());

  const shown = async () => {
    const state = await page.getAttribute('#result', 'data-state');
    const [badge, kind, text, facts] = await Promise.all(
      ['badge', 'kind', 'text', 'facts'].map((id) => page.textContent(`#${id}`)),
    );
    return { state, badge, kind, text, facts };
  };
  const picture = (name: string) => page.screenshot({ path: join(PICTURES, `${name}.png`) });
  /** Asks, and gives the call of the model and the id of the execution once the page shows the first word. */
  const begin = async () => {
    const answered = page.waitForResponse(`${stack.url}/acme/stepwise`);
    const query = new URLSearchParams({ api: stack.url, neuron: 'acme/stepwise' });
    await page.goto(`${pages.url}/?${query}`);
    await page.click('button.primary');
    const asked = await model.nextCall();
    await asked.send('Blue light ');
    await expect.poll(shown).toMatchObject({ state: 'writing', text: 'Blue light ' });
    return { asked, id: (await answered).headers()['x-execution-id'] ?? '' };
  };

  it('shows each word before the next is written, and then the answer', async () => {
    const { asked } = await begin();
    await asked.send('is scattered ');
    await expect.poll(shown).toMatchObject({ state: 'writing', text: 'Blue light is scattered ' });
    await picture('writing');
    await asked.send('most. 🌅');
    await expect.poll(shown).toMatchObject({ state: 'writing', text: 'Blue light is scattered most. 🌅' });
    asked.finish({ prompt_tokens: 7, completion_tokens: 6 });
    await expect.poll(shown).toMatchObject({
      ...{ state: 'answered', badge: '200', text: 'Blue light is scattered most. 🌅' },
      facts: 'from cachenostoppedno',
    });
  });

  it('shows an error where the model breaks off, and what came as no answer', async () => {
    const { asked, id } = await begin();
    asked.cut();
    await expect.poll(shown).toMatchObject({
      ...{ state: 'later', badge: '503', kind: 'NeuronError · upstream_unavailable' },
      text: 'The model provider is unavailable. Try again shortly.',
      facts: expect.stringContaining(`execution id${id}came beforeBlue light `),
    });
    await picture('cut');
  });

  it('leaves an entry of the whole run when its user stops it', async () => {
    const { asked, id } = await begin();
    await page.click('#stop');
    await expect.poll(shown).toMatchObject({ state: 'ended', badge: 'abort', kind: 'AbortError' });
    await asked.send('is scattered most.');
    asked.finish({ prompt_tokens: 7, completion_tokens: 6 });
    const client = openTables(stack.dataFolder);
    try {
      const entry = () => findEntry({ client, dataFolder: stack.dataFolder }, id);
      await expect.poll(entry).toMatchObject({ outcome: 'success', tokensInput: 7, tokensOutput: 6 });
    } finally {
      client.destroy();
    }
  });

  it('takes a stream whose function died for no answer', async () => {
    await begin();
    const functions = descendantsOf(stack.pid).filter(({ command }) => /boot\.ts/.test(command));
    for (const { pid } of functions) process.kill(pid, 'SIGKILL');
    await expect.poll(shown).toMatchObject({
      ...{ state: 'refused', badge: 'cut', kind: 'IncompleteStreamError' },
      facts: 'came beforeBlue light ',
    });
  });
});
