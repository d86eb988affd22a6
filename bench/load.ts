// Calls one URL repeatedly over kept-alive connections, and times every call.
import { Agent, request } from 'node:http';
import { percentile, round } from './statistics.ts';

/** What to call. */
export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The results of a series of calls, in milliseconds. */
export interface Load {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** Makes `calls` calls from `callers` callers, each waiting for its answer. Throws on any answer but 200. */
export async function load(target: Target, callers: number, calls: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const times: number[] = [];
  let left = calls;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const startedMs = performance.now();
      await call(target, agent);
      times.push(performance.now() - startedMs);
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - startedMs) / 1000;
  agent.destroy();
  return {
    p50: round(percentile(times, 0.5)),
    p99: round(percentile(times, 0.99)),
    perSecond: Math.round(calls / seconds),
  };
}

function call({ url, headers, body }: Target, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${answer.statusCode}`));
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
