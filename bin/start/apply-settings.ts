// Applies the settings that `npm start` was given, when they have changed since this data folder last saw them.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main as neuron } from '../../cli/main.ts';
import { openSession } from '../../cli/session/open-session.ts';
import { createProcessTerminal } from '../../cli/session/process-terminal.ts';

const STAMP = 'applied.sha256';

/** `failed`: the command has printed why. */
export type ApplyOutcome = 'applied' | 'unchanged' | 'failed' | 'none';

/**
 * Applies a file or folder through the command itself. `target` names the tables: with another stage or engine they are others. What has not changed is left alone, so that a later `neuron apply` by hand
 * is not undone by the next start.
 */
export async function applySettings(path: string, dataFolder: string, target: string): Promise<ApplyOutcome> {
  if (path === 'none') return 'none';
  const stampFile = join(dataFolder, STAMP);
  const stamp = fingerprintOf(path, target);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 'unchanged';
  const words = ['apply', path, `--local=${dataFolder}`, '--yes', '--quiet'];
  const exitCode = await neuron(words, createProcessTerminal(), openSession);
  if (exitCode !== 0) return 'failed';
  writeFileSync(stampFile, stamp);
  return 'applied';
}

function fingerprintOf(path: string, target: string): string {
  const hash = createHash('sha256').update(`${path}\0${target}`);
  for (const file of settingsFiles(path)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Every file below a folder, since a document may name others; a file alone is itself. */
export function settingsFiles(path: string): string[] {
  if (!existsSync(path) || statSync(path).isFile()) return existsSync(path) ? [path] : [];
  return globSync('**/*.{yaml,yml,json,txt,md}', { cwd: path })
    .map((file) => join(path, file))
    .filter(isFile)
    .toSorted();
}

/** False for a link to nothing or to itself too: the command says what is wrong with it. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
