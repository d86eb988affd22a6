// A proxy before one of the stack's services that delays, loses or refuses the calls that a test names.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of an AWS service over its JSON protocol. */
export interface ServiceCall {
  /** Such as `PutItem`. */
  readonly operation: string;
  readonly body: string;
}

/**
 * What happens to a call: `hold` lets it go on after some milliseconds, unless the caller is gone by then; `hang` never
 * answers; `lose` carries it out and never answers, whether or not the caller is still there; `drop` closes the connection; `throttle`
 * and `fail` answer as DynamoDB does.
 */
export type Fault = { readonly holdMs: number } | 'hang' | 'lose' | 'drop' | 'throttle' | 'fail' | undefined;

/** The running proxy. */
export interface FaultyService {
  readonly endpoint: string;
  /** Decides on every call from now on. */
  injectFaults(faultOf: (call: ServiceCall) => Fault): void;
  /** Calls that had a fault so far, those that are held now included. */
  readonly faults: () => number;
  stop(): Promise<void>;
}

/** `findTarget` is asked with the first call, since a stack knows its services only once it runs. */
export async function startFaultyService(findTarget: () => string): Promise<FaultyService> {
  let faultOf: (call: ServiceCall) => Fault = () => undefined;
  let target: string | undefined;
  let faults = 0;
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then(async (body) => {
      target ??= findTargetWhileRunning();
      // The caller was killed, or its stack is stopping and its services are gone.
      if (body === undefined || target === undefined) {
        outgoing.destroy();
        return;
      }
      const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
      const fault = faultOf({ operation, body });
      if (fault !== undefined) faults += 1;
      if (typeof fault === 'object') await new Promise((resolve) => setTimeout(resolve, fault.holdMs));
      if (fault === 'lose') carryOut(target, incoming, body);
      else if (typeof fault === 'string') reject(fault, outgoing);
      else if (!incoming.socket.destroyed) forward(target, incoming, body, outgoing);
    });
  });
  const findTargetWhileRunning = () => {
    try {
      return findTarget();
    } catch {
      return undefined;
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    injectFaults(next) {
      faultOf = next;
    },
    faults: () => faults,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Undefined where the caller hung up in the middle of it. */
async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of incoming) pieces.push(piece as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).toString();
}

function reject(fault: 'hang' | 'drop' | 'throttle' | 'fail', outgoing: ServerResponse): void {
  const type = { 'content-type': 'application/x-amz-json-1.0' };
  const name = 'com.amazonaws.dynamodb.v20120810#';
  if (fault === 'drop') outgoing.destroy();
  else if (fault === 'throttle')
    outgoing.writeHead(400, type).end(`{"__type":"${name}ProvisionedThroughputExceededException"}`);
  else if (fault === 'fail') outgoing.writeHead(500, type).end(`{"__type":"${name}InternalServerError"}`);
}

/** Nobody gets the answer. */
function carryOut(target: string, incoming: IncomingMessage, body: string): void {
  const { host: _host, ...headers } = incoming.headers;
  const url = new URL(`${target}${incoming.url ?? '/'}`);
  const request = httpRequest(url, { method: incoming.method, headers }, (answer) => answer.resume());
  request.on('error', () => undefined);
  request.end(body);
}

function forward(target: string, incoming: IncomingMessage, body: string, outgoing: ServerResponse): void {
  const { host: _host, ...headers } = incoming.headers;
  const request = httpRequest(
    new URL(`${target}${incoming.url ?? '/'}`),
    { method: incoming.method, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    },
  );
  request.on('error', () => outgoing.destroy());
  request.end(body);
}
