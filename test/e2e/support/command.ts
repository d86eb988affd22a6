// Runs a program to its end and keeps what it said.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** The repository's root. */
export const ROOT = join(import.meta.dirname, '../../..');

/** How a program ended. */
export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a program gets besides its words. */
export interface CommandOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs `neuron WORDS…` as an operator does. Never rejects because of an exit code. */
export function runNeuron(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runNode(['bin/neuron.js', ...words], options);
}

/** Runs a program of the repository with Node. */
export function runNode(
  words: readonly string[],
  { input, environment }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  // A program that reads nothing may end before its input is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...said }));
  });
}
