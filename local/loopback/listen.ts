// Servers of the local run that only programs of this machine reach.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens. */
export interface LoopbackServer {
  /** Its address without a path, such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  /** Ends every connection at once. */
  stop(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. Rejects where there is none. */
export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
