// Runs a process, and watches the most memory that it holds.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Run {
  readonly exitCode: number | null;
  readonly seconds: number;
  /** In MiB. */
  readonly peakMiB: number;
  readonly output: string;
}

interface Program {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It is killed without a warning if it is still running then. */
  readonly killAfterMs?: number;
}

/** Runs a file of TypeScript with its arguments. */
export async function runProcess({ words, env, killAfterMs }: Program): Promise<Run> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const peak = watchMemory(child);
  if (killAfterMs !== undefined)
    await Promise.race([ended, sleep(killAfterMs).then(() => child.kill('SIGKILL'))]);
  await ended;
  return {
    exitCode: child.exitCode,
    seconds: Math.round((performance.now() - startedMs) / 100) / 10,
    peakMiB: await peak,
    output,
  };
}

/** Linux keeps the peak itself, as long as the process lives. */
async function watchMemory(child: ChildProcess): Promise<number> {
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      if (kilobytes !== undefined) peak = Math.round(Number(kilobytes) / 1024);
    } catch {
      return peak;
    }
    await sleep(50);
  }
  return peak;
}
