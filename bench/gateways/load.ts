// Calls one URL repeatedly over kept-alive connections, and times every call.
import { Agent, request } from 'node:http';
import { percentile } from '../statistics.ts';

/** A request to repeat. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The results of a series of calls; times in milliseconds of the wall clock. */
export interface Load {
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** How many call at once, and for how long. */
interface Series {
  readonly callers: number;
  readonly ms: number;
}

/** Calls from `callers` callers, each waiting for its answer, until the time is over. Throws on any answer but 200. */
export async function load(target: Target, { callers, ms }: Series): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const times: number[] = [];
  const startedMs = performance.now();
  const caller = async (): Promise<void> => {
    let beganMs = performance.now();
    while (beganMs - startedMs < ms) {
      await call(target, agent);
      const endedMs = performance.now();
      times.push(endedMs - beganMs);
      beganMs = endedMs;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return {
    calls: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    perSecond: times.length / seconds,
  };
}

/** One caller, so many calls: milliseconds of the wall clock. Throws on any answer but 200. */
export async function timeCalls(target: Target, calls: number): Promise<Pick<Load, 'p50' | 'p99'>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let time = 0; time < calls; time += 1) {
    const beganMs = performance.now();
    await call(target, agent);
    times.push(performance.now() - beganMs);
  }
  agent.destroy();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function call({ url, headers, body }: Target, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
