// Runs the clients where they belong: those for Node in one process, the one for Python in another, the one for browsers in Chromium.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { launchChromium } from '../e2e/support/chromium.ts';
import { BROWSER_CLIENT, type Client, type Drive, type Outcomes } from './plan.ts';

/** The cases of each client that a program has. */
export type Asked = Partial<Readonly<Record<Client, readonly Drive[]>>>;

/** A program that has loaded its clients, or is about to. */
export interface Program {
  readonly clients: readonly Client[];
  run(asked: Asked): Promise<Partial<Record<Client, Outcomes>>>;
  stop(): Promise<void>;
}

/** Starts a program that reads cases from its input and writes outcomes; it loads its clients meanwhile. */
export async function startProgram(
  clients: readonly Client[],
  program: string,
  file: string,
): Promise<Program> {
  const child = spawn(program, [join(import.meta.dirname, file)], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    clients,
    async run(asked) {
      child.stdin.end(JSON.stringify(asked));
      const [said, complained] = await ended;
      if (!said.startsWith('{')) throw new Error(`${file}: ${complained}`);
      return JSON.parse(said) as Partial<Record<Client, Outcomes>>;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** Starts Chromium with a page of another origin than the service's, which has OpenAI's client. */
export async function startBrowser(): Promise<Program> {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, 'drive-browser.mjs')],
    ...{ bundle: true, write: false, platform: 'browser', format: 'esm', keepNames: true, logLevel: 'error' },
  });
  const script = bundled.outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/drive.js';
    response
      .writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      .end(isScript ? script : '<!doctype html><script type="module" src="/drive.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    clients: [BROWSER_CLIENT],
    async run(asked) {
      const run = (cases: Asked[Client]) =>
        (globalThis as unknown as { runCases(input: Asked[Client]): Promise<Outcomes> }).runCases(cases);
      return { [BROWSER_CLIENT]: await page.evaluate(run, asked[BROWSER_CLIENT]) };
    },
    async stop() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
