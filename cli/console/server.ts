// The server of `neuron console`: on the loopback address alone, for one page and its calls.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { CommandFailure, toCommandFailure } from '../output/failure.ts';
import type { ConsoleFailure } from './api.ts';
import type { CallHandler, ConsoleAnswer, ConsoleCall } from './calls.ts';
import { checkCall, checkSource, type Rejected, renderCookie } from './guard.ts';
import type { PageFile, PageFiles } from './page-files.ts';
import { SECURITY_HEADERS } from './security-headers.ts';
import type { SignIn } from './sign-in.ts';

/** A conversation with pictures fits. */
const MAX_BODY_BYTES = 4_000_000;
const HOST = '127.0.0.1';
/** A failure that comes later is part of the lines. */
const QUICK_MS = 200;

/** What the server needs. */
export interface ConsoleServerOptions {
  /** 0: one that is free. */
  readonly port: number;
  readonly files: PageFiles;
  readonly signIn: SignIn;
  /** Answers `/api/…`, once a request is known to be the page's. */
  readonly call: CallHandler;
}

/** A server that listens. */
export interface ConsoleServer {
  readonly port: number;
  /** The address that signs in, once. */
  createAddress(): string;
  close(): Promise<void>;
}

/** Listens. Throws what `listen` throws, such as EADDRINUSE. */
export async function startConsoleServer(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    answer(request, response, { ...options, port }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendFailure(response, 500, toCommandFailure(error, undefined).detail);
    });
  });
  await listen(server, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    createAddress: () => `http://${HOST}:${port}/sign-in?token=${options.signIn.createToken()}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/** Checks come first, whatever is asked for. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ConsoleServerOptions,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  const method = request.method ?? '';
  const guarded = { method, headers: request.headers };
  const foreign = checkSource(guarded, options.port);
  if (foreign !== undefined) return reject(response, foreign);
  const url = URL.parse(request.url ?? '/', `http://${HOST}`);
  if (url === null) return sendFailure(response, 400, { what: 'The address cannot be read.' });
  if (url.pathname.startsWith('/api/')) {
    const checked = checkCall(guarded, options.port, options.signIn);
    if ('status' in checked) return reject(response, checked);
    const { csrfToken } = checked;
    return answerCall(request, response, url, (call, signal) => options.call({ ...call, csrfToken }, signal));
  }
  if (method !== 'GET' && method !== 'HEAD')
    return sendFailure(response, 405, { what: 'Pages are only read.' });
  if (url.pathname === '/sign-in') return signIn(response, url, options);
  // Browsers ask for it on their own where a page names no icon, as that of the sign-in.
  if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
  return sendFile(response, options.files.find(url.pathname));
}

function reject(response: ServerResponse, { status, what, remedy }: Rejected): void {
  sendFailure(response, status, { what, remedy });
}

async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  call: (call: Omit<ConsoleCall, 'csrfToken'>, signal: AbortSignal) => Promise<ConsoleAnswer>,
): Promise<void> {
  const ended = new AbortController();
  response.once('close', () => ended.abort());
  try {
    const body = request.method === 'GET' ? undefined : await readBody(request);
    const parameters = body ?? Object.fromEntries(url.searchParams);
    const isChange = request.method !== 'GET';
    const found = await call(
      { path: url.pathname.slice('/api/'.length), isChange, parameters },
      ended.signal,
    );
    if (found.kind === 'json') sendJson(response, 200, found.value);
    else await sendLines(response, found.lines);
  } catch (error) {
    if (ended.signal.aborted) return;
    if (!(error instanceof CommandFailure)) throw error;
    sendFailure(response, 422, error.detail);
  }
}

/** JSON objects, one a line, as they come. A failure before the first is an answer of its own; after it, the last line says it. */
async function sendLines(response: ServerResponse, lines: AsyncIterable<unknown>): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = iterator.next();
  // What follows may wait for long: the page is told at once that it is connected.
  const isQuick = await Promise.race([first.then(() => true), setTimeout(QUICK_MS, false)]);
  let next = isQuick ? await first : undefined;
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
  response.flushHeaders();
  try {
    for (next ??= await first; !next.done && !response.destroyed; next = await iterator.next())
      response.write(`${JSON.stringify(next.value)}\n`);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { what, why, remedy } = error.detail;
    response.write(`${JSON.stringify({ error: { what, why, remedy } } satisfies ConsoleFailure)}\n`);
  }
  response.end();
}

/** Throws `CommandFailure` for anything but an object. */
async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new CommandFailure({ what: 'The request is too large.' });
    chunks.push(chunk);
  }
  const body: unknown = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new CommandFailure({ what: 'The request is not a JSON object.' });
  return body as Readonly<Record<string, unknown>>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Answers with a page that leads on instead of a redirect: after a redirect from elsewhere (a click in a chat, a terminal in a browser)
 * a `SameSite=Strict` cookie would not be sent.
 */
function signIn(response: ServerResponse, url: URL, { port, signIn: gate }: ConsoleServerOptions): void {
  const cookie = gate.redeem(url.searchParams.get('token') ?? '');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (cookie === undefined) {
    response.statusCode = 403;
    response.end(
      htmlPage(
        '<h1>This address cannot be used</h1><p>Each address signs in once. Press Enter in the terminal where <code>neuron console</code> runs, and open the new one. If this browser is already signed in, go to <a href="/">the console</a>.</p>',
      ),
    );
    return;
  }
  response.setHeader('Set-Cookie', renderCookie(port, cookie));
  response.end(
    htmlPage('<meta http-equiv="refresh" content="0;url=/"><p><a href="/">Go to the console</a></p>'),
  );
}

function htmlPage(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Neuron console</title>${content}</html>`;
}

function sendFile(response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) {
    sendFailure(response, 404, { what: 'There is no such file.' });
    return;
  }
  response.writeHead(200, { 'Content-Type': file.type });
  response.end(file.body);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

function sendFailure(
  response: ServerResponse,
  status: number,
  { what, why, remedy }: ConsoleFailure['error'],
): void {
  sendJson(response, status, { error: { what, why, remedy } } satisfies ConsoleFailure);
}
