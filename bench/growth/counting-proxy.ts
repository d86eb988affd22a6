// A proxy in front of DynamoDB that counts calls and the capacity they consume.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { round } from '../statistics.ts';

/** By operation and table. */
export type CallCounts = Readonly<Record<string, { readonly calls: number; readonly units: number }>>;

/** A running proxy; it ends with its process. */
export interface CountingProxy {
  readonly endpoint: string;
  /** The counts since the last call. */
  take(): CallCounts;
}

interface Consumed {
  readonly TableName: string;
  readonly CapacityUnits: number;
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let tally: Record<string, { calls: number; units: number }> = {};
  function count(operation: string, { TableName, CapacityUnits }: Consumed): void {
    const name = `${operation} ${TableName}`;
    const before = tally[name] ?? { calls: 0, units: 0 };
    tally[name] = { calls: before.calls + 1, units: round(before.units + CapacityUnits) };
  }
  const server = createServer((incoming, outgoing) => {
    void forward(target, incoming, outgoing, count).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = Object.fromEntries(Object.entries(tally).toSorted());
      tally = {};
      return taken;
    },
  };
}

/** Requests the consumed capacity, which the product does not. */
async function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  count: (operation: string, consumed: Consumed) => void,
): Promise<void> {
  const asked = JSON.parse(await readText(incoming)) as object;
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = incoming.headers;
  const answer = await fetch(target, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: JSON.stringify({ ...asked, ReturnConsumedCapacity: 'TOTAL' }),
  });
  const text = await answer.text();
  const { ConsumedCapacity = [] } = JSON.parse(text) as { ConsumedCapacity?: Consumed | Consumed[] };
  const operation = String(headers['x-amz-target']).split('.').at(-1) ?? '';
  for (const consumed of [ConsumedCapacity].flat()) count(operation, consumed);
  outgoing.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(text);
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
