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

/** A REST API that answers. */
export interface RunningRestApi {
  /** For example `http://127.0.0.1:3000`; the API is at its root, without the stage's name. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, lets those under way end for at most `graceMs` (default 5,000), then closes all. */
  stop(graceMs?: number): Promise<void>;
}

/** Settings for serving an API. */
export interface RestApiSettings {
  readonly stacks: readonly ResolvedStack[];
  readonly functions: Functions;
  /** 0 takes a free one. */
  readonly port: number;
  /** Name of the stage to run; the first of the template by default. */
  readonly stage?: string | undefined;
  /** Tests only: the caller's address is the last one of X-Forwarded-For, which any caller can set. */
  readonly trustForwardedFor?: boolean | undefined;
  readonly log: (line: string) => void;
}

const HOST = '127.0.0.1';
/** Longer than callers keep idle connections, so that they, not the server, close them. */
const KEEP_ALIVE_MS = 65_000;

/**
 * Starts the server.
 * @throws an error with code `PORT_TAKEN`, or `TEMPLATE_NOT_SUPPORTED` with everything that is not supported
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
  server.on('clientError', refuseMalformed);
  await listen(server, settings.port);
  const { port } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${port}`, port, stop: (graceMs = 5_000) => stop(server, graceMs) };
}

// Bytes that are not HTTP get an answer where one can be sent, and the connection is closed.
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
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

// Otherwise a method with an unknown function would fail at its first request only.
function requireFunctions(settings: RestApiSettings, api: RestApi): void {
  const resources = settings.stacks.flatMap((stack) => stack.resources);
  for (const method of api.methods) {
    const named = [
      method.authorizer?.functionArn,
      method.integration.kind === 'proxy' ? method.integration.proxy.functionArn : undefined,
    ];
    const missing = named.find((arn) => arn !== undefined && !settings.functions.has(arn));
    const resource = resources.find((other) => other.type === 'AWS::ApiGateway::RestApi');
    if (missing !== undefined && resource !== undefined) {
      const { resourcePath } = method.resource;
      throw templateError(
        resource,
        `${method.httpMethod} ${resourcePath} needs ${missing}, which no template has.`,
      );
    }
  }
}
