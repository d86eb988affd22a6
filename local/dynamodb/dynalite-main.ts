// The program of the dynalite process: serves a folder on a free port, prints the port, ends with its standard input.

import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

// CommonJS without types.
const dynalite = createRequire(import.meta.url)('dynalite') as (options: object) => Server;

process.umask(0o077);
const server = dynalite({ path: process.argv[2], createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 });
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume();
process.stdin.once('close', () => process.exit(0));
process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeAllConnections();
});
