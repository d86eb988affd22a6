// Stands between functions and DynamoDB: hands every call on, and where a scenario says so makes a counter write and drops its answer,
// or drops a settlement before it is made. It also notes which processes write counters.
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pidsOfPeers } from './pids-of-peers.ts';
import type { Scenario } from './scenario.ts';

/** What was lost since the last scenario began. */
export interface Losses {
  /** Takes that were made, answers dropped. */
  takes: number;
  /** Settlements and releases that were never made. */
  settlements: number;
}

/** A running proxy. */
export interface LossyProxy {
  readonly url: string;
  /** Begins a scenario: nothing is lost yet, and nobody took part. */
  begin(loses: Scenario['loses']): void;
  readonly losses: Losses;
  /** Processes that wrote counters since then. */
  readonly writers: () => ReadonlySet<number>;
  /** Counter writes since then. */
  readonly writes: () => number;
  stop(): Promise<void>;
}

/** Starts it; `target` is asked for with each call, since the engine may start later. */
export async function startLossyProxy(target: () => string): Promise<LossyProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const losses: Losses = { takes: 0, settlements: 0 };
  const sockets = new Set<Socket>();
  const writers = new Set<number>();
  /** Connections end when they are idle, so they are looked at while the scenario runs. */
  function findWriters(): ReadonlySet<number> {
    for (const pid of pidsOfPeers(sockets)) writers.add(pid);
    sockets.clear();
    return new Set(writers);
  }
  const timer = setInterval(findWriters, 2_000).unref();
  let loses: Scenario['loses'];
  let takes = 0;
  let settlements = 0;

  /** What to do with a counter write: hand it on, lose its answer, or lose it. */
  function loseSome(kind: 'take' | 'settle'): 'forward' | 'lose answer' | 'lose' {
    if (kind === 'take') {
      takes += 1;
      return isTurn(takes, loses?.takeAnswers) ? 'lose answer' : 'forward';
    }
    settlements += 1;
    return isTurn(settlements, loses?.settlements) ? 'lose' : 'forward';
  }

  const server = createServer((incoming, outgoing) => {
    void readBody(incoming)
      .then(
        async (body) => {
          const kind = kindOf(incoming, body);
          if (kind !== undefined) sockets.add(incoming.socket);
          const verdict = kind === undefined ? 'forward' : loseSome(kind);
          if (verdict === 'lose') {
            losses.settlements += 1;
            incoming.socket.destroy();
            return;
          }
          const answer = await forward(incoming, body, target(), agent);
          if (verdict === 'lose answer' && answer.status === 200) {
            losses.takes += 1;
            incoming.socket.destroy();
            return;
          }
          outgoing.writeHead(answer.status, answer.headers).end(answer.body);
        },
        () => incoming.socket.destroy(),
      )
      .catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(next) {
      loses = next;
      takes = 0;
      settlements = 0;
      losses.takes = 0;
      losses.settlements = 0;
      sockets.clear();
      writers.clear();
    },
    losses,
    writers: findWriters,
    writes: () => takes + settlements,
    async stop() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isTurn(count: number, every: number | undefined): boolean {
  return every !== undefined && count % every === 0;
}

/** Settlements and releases subtract: their condition names no limit, only that the item or the lease must exist. */
function kindOf({ headers }: IncomingMessage, body: Buffer): 'take' | 'settle' | undefined {
  if (headers['x-amz-target'] !== 'DynamoDB_20120810.UpdateItem') return undefined;
  const { ConditionExpression: condition = '' } = JSON.parse(body.toString()) as {
    readonly ConditionExpression?: string;
  };
  if (/^attribute_exists\(pk\)|^end\w+ >= :one$/.test(condition)) return 'settle';
  return condition.includes('Room') ? 'take' : undefined;
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

interface Forwarded {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: Buffer;
}

function forward(incoming: IncomingMessage, body: Buffer, target: string, agent: Agent): Promise<Forwarded> {
  const { hostname, port, pathname } = new URL(target);
  // The local run's endpoint has a secret path in front of what the client asks for.
  const path = pathname.replace(/\/$/, '') + (incoming.url ?? '/');
  const { connection: _connection, ...headers } = incoming.headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method: incoming.method, path, headers, agent },
      (answer: IncomingMessage) => {
        readBody(answer).then((bytes) => {
          const { connection: _c, 'transfer-encoding': _t, ...kept } = answer.headers;
          resolve({ status: answer.statusCode ?? 500, headers: kept, body: bytes });
        }, reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
