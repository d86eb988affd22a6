// Sockets that several clients of the SDK share.
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { http } from './node-http.ts';

/** For clients of one service with different bounds: a function that starts makes one TLS handshake for all of them. */
export interface Connections {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** As many sockets, kept alive, as a client of the SDK has of its own. Not for clients that are destroyed: one would end the calls of all. */
export function createConnections(): Connections {
  const settings = { keepAlive: true, maxSockets: 50 };
  return { httpAgent: new http.Agent(settings), httpsAgent: new HttpsAgent(settings) };
}
