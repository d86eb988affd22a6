// Serves the REST API of a template on 127.0.0.1.

import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { localFailure } from '../failure.ts';
import type { Functions } from '../functions/index.ts';
import type { ResolvedStack } from '../template/types.ts';
import { templateError } from '../template/values.ts';
import { type RestApi, readRestApi } from './api.ts';
import { NODE_HEADER_BYTES } from './limits.ts';
import { createRequestListener } from './server.ts';

export interface RunningRestApi {
  /** For example `http://127.0.0.1:3000`; the API is at its root, without the stage's name. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests and closes all connections, those with a request under way after `graceMs` (default 5,000) at most. */
  stop(graceMs?: number): Promise<void>;
}

export interface RestApiSettings {
  readonly stacks: readonly ResolvedStack[];
  readonly functions: Functions;
  /** 0 takes a free one. */
  readonly port: number;
  /** Name of the stage to run. @default the first of the template */
  readonly stage?: string | undefined;
  /** Tests only: take the caller's address from X-Forwarded-For, which any caller can set. */
  readonly trustForwardedFor?: boolean | undefined;
  readonly log: (line: string) => void;
}

const HOST = '127.0.0.1';
/** Longer than callers keep idle connections, so that callers close them, not the server. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts the server.
 * @throws LocalFailure `PORT_TAKEN`, or `TEMPLATE_NOT_SUPPORTED` with everything that is not supported
 */
export async function startRestApi(settings: RestApiSettings): Promise<RunningRestApi> {
  const api = readRestApi(settings.stacks, settings.stage);
  requireFunctions(settings, api);
  const listener = createRequestListener({
    api,
    functions: settings.functions,
    trustForwardedFor: settings.trustForwardedFor ?? false,
    log: settings.log,
  });
  const server = createServer(
    { maxHeaderSize: NODE_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS },
    listener,
  );
  server.on('clientError', rejectMalformed);
  await listen(server, settings.port);
  const { port } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${port}`, port, stop: (graceMs = 5_000) => stop(server, graceMs) };
}

// Answers bytes that are not HTTP, if possible, and closes the connection.
function rejectMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'HTTP header is larger than 10240 bytes.']
      : ['400 Bad Request', 'Bad Request'];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const taken = error.code === 'EADDRINUSE';
      const text = `Port ${port} is in use by another program. Stop it, or choose another port.`;
      reject(taken ? localFailure('PORT_TAKEN', text, error) : error);
    });
    server.listen(port, HOST, resolve);
  });
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

// Without this, a method with an unknown function would fail with its first request only.
function requireFunctions({ stacks, functions }: RestApiSettings, { methods }: RestApi): void {
  for (const { resource, httpMethod, authorizer, integration } of methods) {
    const arns = [authorizer?.functionArn, integration.kind === 'proxy' && integration.proxy.functionArn];
    const missing = arns.find((arn) => arn && !functions.has(arn));
    const api = stacks
      .flatMap((stack) => stack.resources)
      .find(({ type }) => type === 'AWS::ApiGateway::RestApi');
    if (missing && api !== undefined)
      throw templateError(
        api,
        `${httpMethod} ${resource.resourcePath} needs ${missing}, which no template has.`,
      );
  }
}
