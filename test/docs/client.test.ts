// Every snippet of docs/client.md compiles against the built package, runs against a service, and prints what the page says.
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildClient } from '../../bin/build-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
const folder = temporaryFolder();
const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```)?/gm)].map(
  ([, code = '', printed = ''], index) => ({ name: `snippet-${index + 1}.ts`, code, printed }),
);

/** Sends whatever the snippets call to the service of this test. */
const PRELOAD = `const { fetch } = globalThis;
globalThis.fetch = (url, init) => fetch(String(url).replace(/^https:..[a-z]+.example.com/, process.env.STUB), init);`;

let server: Server;
let rejections = 2;
/** The body that each idempotency key came with. */
const keyed = new Map<string, string>();

beforeAll(async () => {
  const installed = join(folder, 'node_modules', 'neuron-client');
  await buildClient({ folder: join(installed, 'dist') });
  writeFileSync(join(installed, 'package.json'), readFileSync(join(root, 'client/package.json')));
  mkdirSync(join(folder, 'node_modules', '@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  symlinkSync(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'preload.mjs'), PRELOAD);
  for (const { name, code } of snippets) writeFileSync(join(folder, name), code);
  server = createServer(async (request, response) => {
    const body = await text(request);
    const key = request.headers['idempotency-key'];
    if (typeof key === 'string') {
      const first = keyed.get(key);
      keyed.set(key, first ?? body);
      if (first === undefined && request.url === '/acme/lossy') request.socket.destroy();
      if (first !== undefined) response.setHeader('Idempotency-Replayed', 'true');
      if ((first ?? body) !== body) {
        response.writeHead(422).end('{"error":"No.","statusCode":422,"code":"idempotency_mismatch"}');
        return;
      }
    }
    const { status, answer } = serve(new URL(request.url ?? '', 'http://stub'), request.headers, body);
    if (request.headers.accept === 'text/event-stream' && answer !== undefined) {
      const result = JSON.parse(answer) as { readonly output: string };
      const events = result.output
        .split(/(?<= )/)
        .map((piece) => `event: delta\ndata: ${JSON.stringify({ text: piece })}\n\n`);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      // A neuron whose stream is cut, and all others.
      const isCut = request.url?.startsWith('/acme/cut') === true;
      response.end(events.join('') + (isCut ? '' : `event: result\ndata: ${answer}\n\n`));
    } else if (answer !== undefined) response.writeHead(status).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}, 60_000);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const DONE = { fromCache: false, executionStopped: false };

interface Sent {
  readonly input?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: unknown;
}

function serve(
  { pathname, searchParams }: URL,
  headers: import('node:http').IncomingHttpHeaders,
  body: string,
): { status: number; answer?: string } {
  const error = (statusCode: number, code: string, more = {}) => ({
    status: statusCode,
    answer: JSON.stringify({ error: 'No.', statusCode, code, ...more }),
  });
  if (pathname === '/token') return { status: 200, answer: 'a-token' };
  if (pathname === '/acme/slow') return { status: 200 };
  if (pathname === '/acme/paused') return error(429, 'organization_paused', { retryAfter: 120 });
  if (pathname === '/acme/busy' && rejections-- > 0) return error(503, 'overloaded');
  if (pathname === '/acme/private' && headers.authorization !== 'Bearer a-token')
    return error(401, 'unauthorized');
  const { input, messages = [], tools } = JSON.parse(body) as Sent;
  const last = messages.at(-1);
  if (tools !== undefined && last?.role === 'user') {
    const toolCalls = [{ id: 'call_1', name: 'weather', arguments: { city: 'Bern' } }];
    return { status: 200, answer: JSON.stringify({ ...DONE, output: '', toolCalls }) };
  }
  const output = last?.role === 'tool' ? `It is ${last.content}.` : `You said: ${input ?? last?.content}`;
  const isRaw = searchParams.get('rawOutput') === 'true';
  return {
    status: 200,
    answer: isRaw ? output : JSON.stringify({ output, ...DONE }),
  };
}

describe('the snippets of docs/client.md', () => {
  it('are found', () => {
    expect(snippets.length).toBe(page.split('```ts').length - 1);
    expect(snippets.length).toBeGreaterThanOrEqual(7);
  });

  it('compile', () => {
    const flags = [
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2022',
    ];
    const names = snippets.map(({ name }) => name);
    const compile = () =>
      execFileSync(join(root, 'node_modules/.bin/tsc'), [...flags, '--types', 'node', ...names], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(compile()).toBe('');
  }, 30_000);

  it.each(snippets)('$name prints the output below it', async ({ name, printed }) => {
    const { port } = server.address() as AddressInfo;
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', './preload.mjs', name], {
      cwd: folder,
      env: { STUB: `http://127.0.0.1:${port}`, NEURON_API_KEY: 'a-token' },
    });
    expect(stdout).toBe(printed);
  });

  it('are preceded by where a key belongs', () => {
    expect(page.indexOf('**An API key belongs in a back end only. A front end uses a JWT.**')).toBeLessThan(
      30,
    );
  });
});
