// Serves the stand-in for Secrets Manager on 127.0.0.1, in the protocol that the AWS SDK speaks (AWS JSON 1.1).

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createLoopbackAccess, type LoopbackAccess } from '../loopback/access.ts';
import { listenOnLoopback } from '../loopback/listen.ts';
import type { Input } from './input.ts';
import { OPERATIONS, type SecretsContext } from './operations.ts';
import { SecretsError } from './secret.ts';

/** The stand-in, answering. */
export interface SecretsServer {
  readonly endpoint: string;
  stop(): Promise<void>;
}

const TARGET_PREFIX = 'secretsmanager.';
/** A value of 64 KB, escaped. */
const LONGEST_BODY_BYTES = 512 * 1024;

/** Starts the server on a free port and a secret path. Programs of this machine that know both can read the secrets; web pages cannot. */
export async function startSecretsServer(
  context: SecretsContext,
  log: (line: string) => void,
): Promise<SecretsServer> {
  const access = createLoopbackAccess();
  const server = createServer((request, response) => {
    answer(context, access, request, response).catch((error: unknown) => {
      log(`secrets: ${(error as Error).message}`);
      if (!response.headersSent)
        send(response, 500, { __type: 'InternalServiceError', Message: 'Internal error.' });
    });
  });
  const { origin, stop } = await listenOnLoopback(server);
  return { endpoint: `${origin}${access.path}`, stop };
}

async function answer(
  context: SecretsContext,
  access: LoopbackAccess,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = forbiddenReason(access, request);
  if (refusal !== undefined) {
    request.resume();
    send(response, 403, { __type: 'AccessDeniedException', Message: refusal });
    return;
  }
  const body = await readBody(request);
  if (body === undefined) {
    send(response, 413, { __type: 'InvalidRequestException', Message: 'The request is too long.' });
    return;
  }
  try {
    const target = String(request.headers['x-amz-target'] ?? '');
    const name = target.slice(TARGET_PREFIX.length);
    const operation =
      target.startsWith(TARGET_PREFIX) && Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
    if (operation === undefined)
      throw new SecretsError('UnknownOperationException', `${name} is not supported.`);
    send(response, 200, operation(context, parse(body)));
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    send(response, 400, { __type: error.name, Message: error.message });
  }
}

function forbiddenReason(access: LoopbackAccess, request: IncomingMessage): string | undefined {
  const reason = access.forbiddenReason(request);
  if (reason !== undefined) return reason;
  return request.headers.authorization === undefined ? 'Missing Authentication Token' : undefined;
}

function parse(body: string): Input {
  try {
    const value: unknown = JSON.parse(body || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input;
  } catch {
    // Refused below.
  }
  throw new SecretsError('InvalidRequestException', 'The body is not a JSON object.');
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amzn-requestid': randomUUID(),
  });
  response.end(JSON.stringify(body));
}
