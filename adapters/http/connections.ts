// Connections that several clients of the SDK share.
import type { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { http } from './node-http.ts';

/** Shared by clients of one service with different bounds, so that a function makes one TLS handshake for all of them. */
export interface Connections {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/**
 * Sockets for the 64 runs that an environment takes at most, with four requests each. A request waits for one in its own time, so with too few
 * a slow table would make the calls of all others fail. Far below the 1,024 files that a process of Lambda may open.
 */
export const MAX_SOCKETS = 256;

/** Not for clients that are destroyed: that would end the calls of all. */
export function createConnections(): Connections {
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return { httpAgent: new http.Agent(settings), httpsAgent: new HttpsAgent(settings) };
}
