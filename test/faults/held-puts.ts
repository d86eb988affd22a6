// A proxy before the tables that holds every put of a log entry for a while; who is gone when the time is up has put nothing.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The running proxy. */
export interface HeldPuts {
  readonly endpoint: string;
  /** Puts that are held now. */
  readonly held: () => number;
  stop(): Promise<void>;
}

/** Where the tables are, and which of them the log is. */
export interface Tables {
  readonly endpoint: string;
  readonly logTable: string;
}

/** Starts it; `find` is asked with the first call, since a stack knows its tables only once it runs. */
export async function holdPuts(find: () => Tables, holdMs: number): Promise<HeldPuts> {
  let held = 0;
  let tables: Tables | undefined;
  const server = createServer((incoming, outgoing) => {
    void readBody(incoming).then(async (body) => {
      tables ??= find();
      const operation = String(incoming.headers['x-amz-target']);
      if (operation.endsWith('.PutItem') && body.includes(`"${tables.logTable}"`)) {
        held += 1;
        await new Promise((resolve) => setTimeout(resolve, holdMs));
        held -= 1;
        if (outgoing.destroyed || incoming.socket.destroyed) return;
      }
      forward(tables.endpoint, incoming, body, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    held: () => held,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

function forward(target: string, incoming: IncomingMessage, body: string, outgoing: ServerResponse): void {
  const { host: _host, ...headers } = incoming.headers;
  const request = httpRequest(
    new URL(incoming.url ?? '/', target),
    { method: incoming.method, headers },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    },
  );
  request.on('error', () => outgoing.destroy());
  request.end(body);
}
