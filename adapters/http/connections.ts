// Connections that several clients of the SDK share.
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { http } from './node-http.ts';

/** Shared by clients of one service with different bounds, so that a function makes one TLS handshake for all of them. */
export interface Connections {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/** As many sockets as a client of the SDK has by default. Not for clients that are destroyed: that would end the calls of all. */
export function createConnections(): Connections {
  const settings = { keepAlive: true, maxSockets: 50 };
  return { httpAgent: new http.Agent(settings), httpsAgent: new HttpsAgent(settings) };
}
