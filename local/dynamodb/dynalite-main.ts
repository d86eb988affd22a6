// The program of the dynalite process: serves a folder on a free port, prints the port, and ends with its standard input.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { webPageReason } from '../loopback/access.ts';

// CommonJS without types.
const dynalite = createRequire(import.meta.url)('dynalite') as (options: object) => Server;

process.umask(0o077);
const server = dynalite({ path: process.argv[2], createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
// dynalite itself answers any origin, and web pages can find its port by trying all of them.
const [serve] = server.listeners('request') as RequestListener[];
server.removeAllListeners('request');
server.on('request', (request: IncomingMessage, response: ServerResponse) => {
  if (webPageReason(request) === undefined) serve?.(request, response);
  else response.writeHead(403, { connection: 'close' }).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
