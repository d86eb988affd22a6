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
  /** The repository's root where absent. */
  readonly folder?: string;
}

/** Its bundle, where `npm run test:e2e` made one (bundle-command.ts). */
export const COMMAND = process.env['E2E_COMMAND'] ?? 'bin/neuron.js';

/** Runs `neuron WORDS…` as an operator does. Never rejects because of an exit code. */
export function runNeuron(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  // With 16 MiB for new objects nothing is collected in so short a run.
  return runNode(['--min-semi-space-size=16', COMMAND, ...words], options);
}

/** Runs a program of the repository with Node. */
export function runNode(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return tryProgram(process.execPath, words, options);
}

/** Runs a program that must succeed; gives its standard output. */
export async function runProgram(
  program: string,
  words: readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const { exitCode, stdout, stderr } = await tryProgram(program, words, options);
  if (exitCode === 0) return stdout;
  throw new Error(`${program} ${words[0] ?? ''} ended with ${exitCode}: ${(stderr + stdout).trim()}`);
}

/** Runs a program to its end. Rejects when it cannot be started. */
export function tryProgram(
  program: string,
  words: readonly string[],
  { input, environment, folder = ROOT }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, words, {
    cwd: folder,
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
