// The server of `neuron console`: serves its page and answers its calls, on the loopback address alone.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson, toJsonObject } from '../../core/text/json.ts';
import { CommandFailure, toCommandFailure } from '../output/failure.ts';
import type { CallHandler, ConsoleAnswer, ConsoleCall } from './calls.ts';
import { checkCall, checkSource, type Rejection, renderCookie } from './guard.ts';
import type { PageFiles } from './page-files.ts';
import { SECURITY_HEADERS, sendFailure, sendFile, sendJson, sendLines } from './respond.ts';
import type { SignIn } from './sign-in.ts';

/** Large enough for a conversation with images. */
const MAX_BODY_BYTES = 4_000_000;
const HOST = '127.0.0.1';

export interface ConsoleServerOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly files: PageFiles;
  readonly signIn: SignIn;
  /** Answers checked calls of `/api/…`. */
  readonly call: CallHandler;
}

export interface ConsoleServer {
  readonly port: number;
  /** An address that signs in once. */
  createAddress(): string;
  close(): Promise<void>;
}

/** Throws errors of `listen`, such as EADDRINUSE. */
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

/** Every request is checked first. */
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
  // Browsers request it for a page that names no icon, such as that of the sign-in.
  if (url.pathname === '/favicon.ico') return void response.writeHead(204).end();
  return sendFile(response, options.files.find(url.pathname));
}

function reject(response: ServerResponse, { status, what, remedy }: Rejection): void {
  sendFailure(response, status, { what, remedy });
}

async function answerCall(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  call: (call: Omit<ConsoleCall, 'csrfToken'>, signal: AbortSignal) => Promise<ConsoleAnswer>,
): Promise<void> {
  const controller = new AbortController();
  response.once('close', () => controller.abort());
  try {
    const body = request.method === 'GET' ? undefined : await readBody(request);
    const parameters = body ?? Object.fromEntries(url.searchParams);
    const isChange = request.method !== 'GET';
    const found = await call(
      { path: url.pathname.slice('/api/'.length), isChange, parameters },
      controller.signal,
    );
    if (found.kind === 'json') sendJson(response, 200, found.value);
    else await sendLines(response, found.lines);
  } catch (error) {
    if (controller.signal.aborted) return;
    if (!(error instanceof CommandFailure)) throw error;
    sendFailure(response, 422, error.detail);
  }
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
  const body = toJsonObject(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (body === undefined) throw new CommandFailure({ what: 'The request is not a JSON object.' });
  return body;
}

/**
 * Answers with a page that leads on, not with a redirect: after a redirect from another site (a click in a chat) browsers do not send a
 * `SameSite=Strict` cookie.
 */
function signIn(response: ServerResponse, url: URL, { port, signIn: gate }: ConsoleServerOptions): void {
  const cookie = gate.redeem(url.searchParams.get('token') ?? '');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  if (cookie === undefined) {
    response.statusCode = 403;
    response.end(
      htmlPage(
        '<main><h1>This address cannot be used</h1><p>Each address signs in once. Press Enter in the terminal where <code>neuron console</code> runs, and open the new one. If this browser is already signed in, go to <a href="/">the console</a>.</p></main>',
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
