// A gateway as the benchmark uses it: its address and its processes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './load.ts';
import type { NameProcess } from './processes.ts';

/** A gateway that runs in front of the mock provider. */
export interface Gateway {
  readonly name: string;
  /** The parent of all its processes. */
  readonly pid: number;
  readonly nameProcess: NameProcess;
  /** A call with `text` as its question. */
  target(text: string): Target;
  /** Further kinds of calls, by name, whose CPU is measured too. */
  readonly variants: Readonly<Record<string, Target>>;
  stop(): Promise<void>;
}

export const JSON_TYPE = { 'content-type': 'application/json' };

/** A call as OpenAI's API takes it. */
export function chat(text: string): string {
  return JSON.stringify({
    model: 'mock-1',
    max_tokens: 1024,
    messages: [{ role: 'user', content: text }],
  });
}

/** Kept from the end of a program's output, for the error if it fails. */
const MAX_OUTPUT_CHARACTERS = 2_000;

/** Starts a program and waits until `url` answers 200. */
export async function startServer(
  command: readonly [program: string, ...args: string[]],
  environment: Readonly<Record<string, string>>,
  url: string,
): Promise<ChildProcess & { readonly pid: number }> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-MAX_OUTPUT_CHARACTERS);
    });
  }
  const untilMs = performance.now() + 300_000;
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > untilMs) {
      await end(child);
      throw new Error(`${program} did not start: ${output}`);
    }
    await sleep(200);
  }
  if (child.pid === undefined) throw new Error(`${program} has no process`);
  return Object.assign(child, { pid: child.pid });
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Ends a program and waits for its end. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(kill);
}
