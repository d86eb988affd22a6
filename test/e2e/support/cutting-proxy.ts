// A proxy before a stack that loses answers: the run is over, and its caller does not hear of it.
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy; `cuts` says how many bytes of a next answer's body still come through, one number for each answer to lose. */
export interface CuttingProxy {
  readonly url: string;
  readonly cuts: number[];
  /** The idempotency keys of the requests that came through. */
  readonly keys: (string | undefined)[];
  stop(): Promise<void>;
}

/** Passes requests on to `target`, and the answers that are not to be lost back. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const cuts: number[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const key = incoming.headers['idempotency-key'];
    keys.push(Array.isArray(key) ? key.join() : key);
    const body = await buffer(incoming);
    const { method = 'POST', url = '/', headers } = incoming;
    const forwarded = httpRequest(new URL(url, target), { method, headers }, async (answer) => {
      // All of it, so that the run is over.
      const whole = await buffer(answer);
      const { statusCode = 502, headers: input } = answer;
      send(outgoing, { status: statusCode, headers: input, whole }, cuts.shift());
    });
    forwarded.on('error', () => outgoing.destroy());
    forwarded.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ cuts, keys },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Passed {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly whole: Buffer;
}

function send(outgoing: ServerResponse, { status, headers, whole }: Passed, cut: number | undefined): void {
  if (cut === 0) return void outgoing.destroy();
  const { 'transfer-encoding': _framing, connection: _hop, ...kept } = headers;
  outgoing.writeHead(status, { ...kept, 'content-length': whole.length });
  if (cut === undefined) outgoing.end(whole);
  else outgoing.write(whole.subarray(0, cut), () => outgoing.destroy());
}
