// Runs a program to its end.
import { spawn } from 'node:child_process';

/** What a program printed. */
export interface Printed {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where and with what a program runs. */
export interface Surroundings {
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program and gives what it printed. Rejects when it cannot be started. */
export function tryProgram(
  program: string,
  words: readonly string[],
  { folder, environment }: Surroundings = {},
): Promise<Printed> {
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...printed }));
  });
}

/** Runs a program that must succeed; gives its standard output. */
export async function runProgram(
  program: string,
  words: readonly string[],
  surroundings?: Surroundings,
): Promise<string> {
  const { exitCode, stdout, stderr } = await tryProgram(program, words, surroundings);
  if (exitCode === 0) return stdout;
  throw new Error(`${program} ${words[0] ?? ''} ended with ${exitCode}: ${(stderr + stdout).trim()}`);
}
