// Stands between programs of this machine and the database, which itself answers everybody: checks and forwards each request.

import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createLoopbackAccess } from './access.ts';
import { listenOnLoopback, type RunningServer } from './serve.ts';

/** Guards a DynamoDB of this machine, whose path is `/`. */
export async function startGuard(target: string): Promise<RunningServer> {
  const access = createLoopbackAccess();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const reason = access.forbiddenReason(incoming);
    if (reason === undefined) forward(target, agent, incoming, outgoing);
    else reject(reason, incoming, outgoing);
  });
  const { endpoint, stop } = await listenOnLoopback(server);
  return { endpoint: `${endpoint}${access.path}`, stop: () => stop().finally(() => agent.destroy()) };
}

function forward(target: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const request = httpRequest(target, { agent, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  // If one side ends its connection, so does the other.
  request.once('error', () => outgoing.destroy());
  outgoing.once('close', () => request.destroy());
  incoming.on('error', () => request.destroy()).pipe(request);
}

function reject(reason: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing
    .writeHead(403, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
    .end(JSON.stringify({ __type: 'AccessDeniedException', message: reason }));
}
