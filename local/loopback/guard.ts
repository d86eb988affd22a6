// Stands between the programs of this machine and the database, which itself answers everybody: checks each request, then hands it on.

import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createLoopbackAccess } from './access.ts';
import { listenOnLoopback } from './listen.ts';

/** The guard, answering. */
interface Guard {
  /** Of what it guards, for those who may call: `http://127.0.0.1:40123/0c5e…`. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** Guards a DynamoDB of this machine, whose path is `/`. */
export async function startGuard(target: string): Promise<Guard> {
  const access = createLoopbackAccess();
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    const reason = access.forbiddenReason(incoming);
    if (reason === undefined) forward(target, agent, incoming, outgoing);
    else refuse(reason, incoming, outgoing);
  });
  const { origin, stop } = await listenOnLoopback(server);
  return {
    endpoint: `${origin}${access.path}`,
    stop: async () => {
      const stopped = stop();
      agent.destroy();
      await stopped;
    },
  };
}

function forward(target: string, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const request = httpRequest(target, { agent, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on('error', () => outgoing.destroy()).pipe(outgoing);
  });
  // The database has ended, or the caller has: the other side sees its connection end as well.
  request.once('error', () => outgoing.destroy());
  outgoing.once('close', () => request.destroy());
  incoming.on('error', () => request.destroy()).pipe(request);
}

function refuse(reason: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing
    .writeHead(403, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' })
    .end(JSON.stringify({ __type: 'AccessDeniedException', message: reason }));
}
