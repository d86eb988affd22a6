// A proxy before the embedded DynamoDB that asks what each call consumed, and adds it up.
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Capacity units by operation, such as `Query`, and how often each was called. */
export type Consumption = Readonly<Record<string, { readonly calls: number; readonly units: number }>>;

export interface CountingProxy {
  readonly endpoint: string;
  /** What was consumed since this was asked last. */
  take(): Consumption;
  stop(): void;
}

/** Only calls that are answered with 200 are counted. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let consumed: Record<string, { calls: number; units: number }> = {};
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then(
      (sent) => {
        const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
        const body = Buffer.from(sent.toString().replace(/\}\s*$/, ',"ReturnConsumedCapacity":"TOTAL"}'));
        const headers = { ...incoming.headers, 'content-length': String(body.byteLength) };
        const request = httpRequest(`${target}/`, { agent, method: 'POST', headers }, (answer) => {
          void buffer(answer).then((received) => {
            if (answer.statusCode === 200) {
              const { calls, units } = consumed[operation] ?? { calls: 0, units: 0 };
              consumed[operation] = { calls: calls + 1, units: units + unitsOf(received) };
            }
            outgoing.writeHead(answer.statusCode ?? 500, answer.headers).end(received);
          });
        });
        request.on('error', () => outgoing.destroy());
        request.end(body);
      },
      () => outgoing.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = consumed;
      consumed = {};
      return taken;
    },
    stop() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/** Of the answer's end or beginning: items of an answer have no such member. */
function unitsOf(answer: Buffer): number {
  const text = answer.toString();
  return [...text.matchAll(/"CapacityUnits":([0-9.]+)/g)].reduce((sum, [, units]) => sum + Number(units), 0);
}
