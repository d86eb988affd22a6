// Applies the settings of `npm start` if they have changed since they were last applied to the data folder.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NEURON = join(import.meta.dirname, '..', 'neuron.js');
const FINGERPRINT_FILE = 'applied.sha256';

/** `failed`: the command, or this, has printed why. */
export type ApplyOutcome = 'applied' | 'unchanged' | 'failed' | 'none';

/**
 * Applies files and folders with `neuron apply`, in a process of its own: its heap, twice the runner's, would stay with the runner, whose
 * collection of garbage holds up every answer. `target` names the tables, which depend on stage and engine. Unchanged settings are not
 * applied again, so that a start does not undo a later `neuron apply`. Rejects when the signal is aborted.
 */
export async function applySettings(
  paths: readonly string[],
  dataFolder: string,
  target: string,
  signal: AbortSignal,
): Promise<ApplyOutcome> {
  if (paths.length === 0) return 'none';
  const fingerprintFile = join(dataFolder, FINGERPRINT_FILE);
  const fingerprint = fingerprintOf(paths, target);
  if (existsSync(fingerprintFile) && readFileSync(fingerprintFile, 'utf8') === fingerprint)
    return 'unchanged';
  const words = ['apply', ...paths, `--local=${dataFolder}`, '--yes', '--quiet'];
  if ((await runNeuron(words, signal)) !== 0) return 'failed';
  writeFileSync(fingerprintFile, fingerprint);
  return 'applied';
}

/**
 * The exit code. What the command says goes through the runner, which a full disk or a reader that has ended does not end: the command
 * itself would end before its changes.
 */
async function runNeuron(words: readonly string[], signal: AbortSignal): Promise<number> {
  const child = spawn(process.execPath, [NEURON, ...words], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  child.stdout.on('data', (text: Buffer) => process.stdout.write(text));
  child.stderr.on('data', (text: Buffer) => process.stderr.write(text));
  const [code, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...how) => resolve(how));
  });
  if (killedBy !== null)
    process.stderr.write(`The command that applies the settings was ended by ${killedBy}.\n`);
  return code ?? 1;
}

function fingerprintOf(paths: readonly string[], target: string): string {
  const hash = createHash('sha256').update(`${paths.join('\0')}\0${target}`);
  for (const file of paths.flatMap(settingsFiles)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** The file, or all files below a folder, because a document may name other files. */
export function settingsFiles(path: string): string[] {
  if (!existsSync(path) || statSync(path).isFile()) return existsSync(path) ? [path] : [];
  return globSync('**/*.{yaml,yml,json,txt,md}', { cwd: path })
    .map((file) => join(path, file))
    .filter(isFile)
    .toSorted();
}

/** False also for a broken link, which the command reports. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
