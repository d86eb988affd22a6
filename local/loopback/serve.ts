// Servers that only programs of this machine reach, and the HTTP side of what stands in for AWS services.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseObject } from '../json.ts';
import { createLoopbackAccess, type LoopbackAccess } from './access.ts';

export interface RunningServer {
  /** Its address; with a secret path if it stands in for a service. */
  readonly endpoint: string;
  /** Ends every connection at once. */
  stop(): Promise<void>;
}

/** An error of a service; `name` is its code. */
export class AwsError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

/** The body of an answer, with its content type. */
export interface Reply {
  readonly type: string;
  readonly body: string;
}

interface Service {
  /** For log lines. */
  readonly name: string;
  readonly maxBodyBytes: number;
  /**
   * Answers one call.
   * @param target the header X-Amz-Target, which names the operation
   * @throws AwsError
   */
  answer(target: string | undefined, body: string): Reply;
  /** @default AWS JSON 1.1 */
  renderError?(target: string | undefined, error: AwsError): Reply;
}

/** Serves a service on a free port and a secret path, to signed requests of programs. Signatures are not verified. */
export async function startService(service: Service, log: (line: string) => void): Promise<RunningServer> {
  const access = createLoopbackAccess();
  const server = createServer((request, response) => {
    respond(service, access, request, response).catch((error: unknown) => {
      log(`${service.name}: ${(error as Error).message}`);
      send(
        response,
        500,
        renderJsonError(undefined, new AwsError('InternalServiceError', 'Internal error.')),
      );
    });
  });
  const { endpoint, stop } = await listenOnLoopback(server);
  return { endpoint: `${endpoint}${access.path}`, stop };
}

async function respond(
  { maxBodyBytes, answer, renderError = renderJsonError }: Service,
  access: LoopbackAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = request.headers['x-amz-target']?.toString();
  const reject = (status: number, code: string, message: string) =>
    send(response, status, renderError(target, new AwsError(code, message)));
  const reason = access.forbiddenReason(request) ?? unsignedReason(request);
  if (reason !== undefined) {
    request.resume();
    reject(403, 'AccessDeniedException', reason);
    return;
  }
  const body = await readBody(request, maxBodyBytes);
  if (body === undefined) {
    reject(413, 'RequestEntityTooLargeException', 'The request is too long.');
    return;
  }
  try {
    send(response, 200, answer(target, body));
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    reject(400, error.name, error.message);
  }
}

function unsignedReason({ headers }: IncomingMessage): string | undefined {
  return headers.authorization === undefined ? 'Missing Authentication Token' : undefined;
}

/** Undefined if it is too long. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
  }
  return length <= maxBytes ? Buffer.concat(chunks).toString() : undefined;
}

/** An answer in AWS JSON 1.1. */
export function jsonReply(value: object): Reply {
  return { type: 'application/x-amz-json-1.1', body: JSON.stringify(value) };
}

function renderJsonError(_target: string | undefined, { name, message }: AwsError): Reply {
  return jsonReply({ __type: name, message });
}

/** Parses a body in AWS JSON. @throws AwsError */
export function parseInput(body: string): Readonly<Record<string, unknown>> {
  const input = parseObject(body || '{}');
  if (input === undefined) throw new AwsError('SerializationException', 'The body is not a JSON object.');
  return input;
}

function send(response: ServerResponse, status: number, { type, body }: Reply): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

/** Listens on a free port of 127.0.0.1. */
export async function listenOnLoopback(server: Server): Promise<RunningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
