// A proxy in front of DynamoDB that counts calls and the capacity they consume.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { round } from '../statistics.ts';

/** Calls and capacity units, by operation and table. */
export type CallCounts = Readonly<Record<string, { readonly calls: number; readonly units: number }>>;

/** A running proxy; it ends with its process. */
export interface CountingProxy {
  readonly endpoint: string;
  /** The counts since the last call. */
  take(): CallCounts;
}

interface Consumption {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let counts: Record<string, { calls: number; units: number }> = {};
  function count(operation: string, { TableName, CapacityUnits }: Consumption): void {
    const name = `${operation} ${TableName}`;
    const before = counts[name] ?? { calls: 0, units: 0 };
    counts[name] = { calls: before.calls + 1, units: round(before.units + CapacityUnits) };
  }
  const server = createServer((incoming, outgoing) => {
    void forward(target, incoming, outgoing, count).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = Object.fromEntries(Object.entries(counts).toSorted());
      counts = {};
      return taken;
    },
  };
}

/** Requests the consumed capacity, which the product does not. */
async function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  count: (operation: string, consumed: Consumption) => void,
): Promise<void> {
  const input = JSON.parse(await text(incoming)) as object;
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
  const answer = await fetch(target, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
  });
  const output = await answer.text();
  const { ConsumedCapacity = [] } = JSON.parse(output) as { ConsumedCapacity?: Consumption | Consumption[] };
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  for (const consumed of [ConsumedCapacity].flat()) count(operation, consumed);
  outgoing.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(output);
}
