// Compares streams through the local stack and through Portkey of the same provider: the latency added to the first piece and to each
// other one, by one caller and with 200 open streams, some of them unread. `node bench/streams.ts [OPEN]` measures only these.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chat, end, type Gateway, JSON_TYPE } from './gateways/gateway.ts';
import { load, type Target } from './gateways/load.ts';
import { startLocalStack } from './gateways/local-stack.ts';
import { startPortkey } from './gateways/peers.ts';
import { percentile } from './statistics.ts';
import { type PartMemory, readMemory } from './streams/memory.ts';
import type { StreamQuestion } from './streams/provider.ts';
import { type Reading, readStream } from './streams/read.ts';
import { withTemporaryFolder } from './with-temporary-folder.ts';

/** Streams that are open at once, and the text offered to unread ones. */
const OPEN = 200;
const FLOOD_KIB = 64 * 1024;
/** Not measured: environments start, and Node compiles what serves streams. */
const WARM_UP = { streams: 1_000, pieces: 2, everyMs: 1 };
/** Alone: streams one after the other, and their pieces. */
const ALONE = { streams: 200, pieces: 10, everyMs: 10 };
/** Open at once: the measured pieces of each, and the share of unread streams. The streams end over half of the time, not all within 500 ms. */
const TOGETHER = { pieces: 40, everyMs: 500, unreadShare: 0.1, spread: 20 };
/** Callers one after the other while the streams are open. */
const BESIDE = 20;
const OPENED_AT_ONCE = 4;
/** Environments for the callers beside the open streams, each of which may find one at work after its answer. */
const SPARE = 10;

/** Milliseconds. */
interface Times {
  readonly p50: number;
  readonly p99: number;
}

/** One gateway; times are those that it adds to the median of the provider's own. */
export interface StreamFigures {
  readonly name: string;
  /** Warm processes without a stream. */
  readonly idle: Readonly<Record<string, PartMemory>>;
  readonly alone: { readonly first: Times; readonly piece: Times };
  /** How far the provider's own p99 is above its median: what the machine alone adds. */
  readonly withoutGateway: { readonly first: number; readonly piece: number };
  readonly open: {
    readonly streams: number;
    readonly unread: number;
    readonly first: Times;
    readonly piece: Times;
    /** The longest time without a piece on a stream that is read; one is sent every 500 ms. */
    readonly longestGapMs: number;
    /** Calls without a stream that were answered meanwhile. */
    readonly answered: { readonly calls: number; readonly p50: number; readonly p99: number };
    /** KiB that the provider could send on an unread stream. */
    readonly takenUnreadKib: number;
    readonly memory: Readonly<Record<string, PartMemory>>;
  };
}

/** A gateway, and the request for a stream of it. */
interface Streamer {
  readonly gateway: Pick<Gateway, 'name' | 'pid' | 'nameProcess' | 'stop' | 'target'>;
  readonly ask: (question: StreamQuestion) => Target;
}

/** The provider's process, which takes messages. */
interface Provider {
  readonly child: ChildProcess;
  readonly baseUrl: string;
}

/** One after the other: ours with a process for each call, ours with many calls in one, and the other; it is left out, with a line on why, if it cannot be measured here. */
export async function measureStreams(open = OPEN): Promise<StreamFigures[]> {
  const provider = await startProvider();
  try {
    return await withTemporaryFolder(async (folder) => {
      const measureOurs = (compute?: 'shared') =>
        measureOne(() => startOurs(folder, provider.baseUrl, { open, compute }), provider, open);
      const ours = [await measureOurs(), await measureOurs('shared')];
      try {
        return [...ours, await measureOne(() => startTheirs(provider.baseUrl), provider, open)];
      } catch (error) {
        process.stderr.write(`streams of Portkey gateway: ${(error as Error).message}\n`);
        return ours;
      }
    });
  } finally {
    await end(provider.child);
  }
}

async function measureOne(
  start: () => Promise<Streamer>,
  provider: Provider,
  open: number,
): Promise<StreamFigures> {
  const streamer = await start();
  try {
    return await measure(streamer, provider, open);
  } finally {
    await streamer.gateway.stop();
  }
}

async function startProvider(): Promise<Provider> {
  const child = fork(join(import.meta.dirname, 'streams', 'provider.ts'));
  const [port] = (await once(child, 'message')) as [number];
  return { child, baseUrl: `http://127.0.0.1:${port}/v1` };
}

async function startOurs(
  folder: string,
  baseUrl: string,
  { open, compute }: { readonly open: number; readonly compute: 'shared' | undefined },
): Promise<Streamer> {
  // An environment for each stream, as on Lambda, and some for the other calls.
  const gateway = await startLocalStack(folder, baseUrl, {
    concurrency: Math.min(256, open + 2 * SPARE),
    ...(compute === undefined ? {} : { compute }),
  });
  const ask = (question: StreamQuestion): Target => {
    const { url, headers, body } = gateway.target(JSON.stringify(question));
    // The neuron with the longest deadline.
    return {
      url: url.replace(/hello$/, 'streamed'),
      headers: { ...headers, accept: 'text/event-stream' },
      body,
    };
  };
  return { gateway, ask };
}

async function startTheirs(baseUrl: string): Promise<Streamer> {
  const gateway = await startPortkey(baseUrl);
  const ask = (question: StreamQuestion): Target => {
    const target = gateway.target(JSON.stringify(question));
    return { ...target, body: JSON.stringify({ ...JSON.parse(target.body), stream: true }) };
  };
  return { gateway, ask };
}

async function measure({ gateway, ask }: Streamer, provider: Provider, open: number): Promise<StreamFigures> {
  const direct = (question: StreamQuestion): Target => ({
    url: `${provider.baseUrl}/chat/completions`,
    headers: JSON_TYPE,
    body: JSON.stringify({ ...JSON.parse(chat(JSON.stringify(question))), stream: true }),
  });
  await inTurn(ask, WARM_UP);
  const base = await inTurn(direct, ALONE);
  const alone = await inTurn(ask, ALONE);
  // Starts environments, also for those that call beside them: all that is measured finds them warm. Cold starts have a table of their own.
  await openMany(ask, provider, open + SPARE, { pieces: 1, everyMs: 1_000, unreadShare: 0 }).then(
    ({ finish }) => finish(),
  );
  const idle = readMemory(gateway.pid, gateway.nameProcess);
  const together = await measureTogether({ gateway, ask }, provider, open);
  const added = (times: Times, own: Times) => ({ p50: times.p50 - own.p50, p99: times.p99 - own.p50 });
  return {
    name: gateway.name,
    idle,
    alone: { first: added(alone.first, base.first), piece: added(alone.piece, base.piece) },
    withoutGateway: { first: base.first.p99 - base.first.p50, piece: base.piece.p99 - base.piece.p50 },
    open: {
      ...together,
      first: added(together.first, base.first),
      piece: added(together.piece, base.piece),
    },
  };
}

/** Streams by one caller, one after the other. */
async function inTurn(
  ask: (question: StreamQuestion) => Target,
  { streams, pieces, everyMs }: typeof ALONE,
): Promise<{ readonly first: Times; readonly piece: Times }> {
  const firsts: number[] = [];
  const delays: number[] = [];
  for (let count = 0; count < streams; count += 1) {
    const reading = readStream(ask({ pieces, everyMs }));
    firsts.push(await reading.first);
    await reading.ended;
    delays.push(...reading.delays.slice(1));
  }
  return { first: timesOf(firsts), piece: timesOf(delays) };
}

/** Opens streams that go on until they are told to end. All but unread ones have their first piece. */
async function openMany(
  ask: (question: StreamQuestion) => Target,
  { child }: Provider,
  open: number,
  {
    pieces,
    everyMs,
    unreadShare,
    spread = 1,
  }: {
    readonly pieces: number;
    readonly everyMs: number;
    readonly unreadShare: number;
    readonly spread?: number;
  },
) {
  const unreadStreams = Math.round(open * unreadShare);
  const read: Reading[] = [];
  const unread: Reading[] = [];
  for (let begun = 0; begun < open; begun += OPENED_AT_ONCE) {
    const opening = Array.from({ length: Math.min(OPENED_AT_ONCE, open - begun) }, (_, index) => {
      const isUnread = begun + index < unreadStreams;
      const reading = readStream(
        ask(
          isUnread
            ? { floodKib: FLOOD_KIB }
            : { pieces: pieces + ((begun + index) % spread), everyMs, waits: true },
        ),
        isUnread,
      );
      (isUnread ? unread : read).push(reading);
      return reading.first;
    });
    await Promise.all(opening);
  }
  return {
    read,
    unread,
    go: () => void child.send('go'),
    async finish() {
      child.send('go');
      for (const reading of unread) reading.leave();
      await Promise.all(read.map(({ ended }) => ended));
    },
  };
}

async function measureTogether({ gateway, ask }: Streamer, provider: Provider, open: number) {
  const before = await floodedKib(provider);
  const { read, unread, go, finish } = await openMany(ask, provider, open, TOGETHER);
  for (const { delays } of read) delays.length = 0;
  const firsts: number[] = [];
  for (let count = 0; count < BESIDE; count += 1) {
    const beside = readStream(ask({ pieces: 2, everyMs: 20 }));
    firsts.push(await beside.first);
    await beside.ended;
  }
  const answered = await load(gateway.target('Hello'), { callers: 2, ms: 5_000 });
  go();
  await sleep((TOGETHER.pieces * TOGETHER.everyMs) / 2);
  const memory = readMemory(gateway.pid, gateway.nameProcess);
  const takenUnreadKib = ((await floodedKib(provider)) - before) / Math.max(1, unread.length);
  await finish();
  const { calls, p50, p99 } = answered;
  return {
    streams: open,
    unread: unread.length,
    memory,
    takenUnreadKib,
    answered: { calls, p50, p99 },
    first: timesOf(firsts),
    piece: timesOf(read.flatMap(({ delays }) => delays)),
    longestGapMs: Math.max(...read.map((reading) => reading.longestGapMs())),
  };
}

async function floodedKib({ child }: Provider): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ readonly flooded: number }]>;
  child.send('flooded?');
  const [{ flooded }] = await answer;
  return flooded / 1024;
}

function timesOf(values: readonly number[]): Times {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) };
}

if (import.meta.main) {
  const figures = await measureStreams(Number(process.argv[2] ?? OPEN));
  process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}
