// Servers that send exactly the bytes a test tells them, on a free port of loopback.
import { createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server saw and did. */
export interface RawServer {
  readonly url: string;
  readonly port: number;
  /** Everything received, a text per connection. */
  readonly received: readonly string[];
  /** Connections that are open now. */
  readonly open: () => number;
}

/** Answers each connection's first bytes by `onRequest`; ends with the test. */
export async function startRawServer(onRequest: (socket: Socket) => void): Promise<RawServer> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const index = received.push('') - 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received[index] += bytes.toString('latin1');
      onRequest(socket);
    });
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/v1`, port, received, open: () => sockets.size };
}

/** Starts listening on a free port of loopback. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('no port'));
      else resolve(address.port);
    });
  });
}
