// Stands for the internet's names: programs reach the API under the address that the stack's output says.
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A proxy for HTTPS (CONNECT) that leads every address to one port of this machine. */
export interface AddressProxy {
  /** With these variables Node's own `fetch` uses it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

export async function startAddressProxy(targetPort: number): Promise<AddressProxy> {
  const server: Server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (_request, client, head) => {
    const target = connect(targetPort, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
      target.pipe(client).pipe(target);
    });
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: `http://127.0.0.1:${port}`,
      NO_PROXY: 'localhost,127.0.0.1',
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
