// Reads an API key or JWT from a place that other users of the machine cannot see.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure, usageFailure } from '../output/failure.ts';
import type { Terminal } from '../output/terminal.ts';

export interface ProvidedToken {
  readonly token: string;
  /** Names its origin in messages, which never contain the token. */
  readonly source: string;
}

/** From `--token-file` (`-` is standard input), else from NEURON_TOKEN or NEURON_API_KEY, the first that is set. Throws `CommandFailure` for an empty or unreadable file. */
export async function readProvidedToken(
  tokenFile: string | undefined,
  { environment, stdin, folder }: Terminal,
): Promise<ProvidedToken | undefined> {
  if (tokenFile === undefined) {
    const source = ['NEURON_TOKEN', 'NEURON_API_KEY'].find((name) => environment[name]);
    const token = source === undefined ? undefined : environment[source];
    return source === undefined || token === undefined ? undefined : { token, source };
  }
  const source = tokenFile === '-' ? 'standard input' : tokenFile;
  const token = (tokenFile === '-' ? await stdin.readAll() : readFile(folder, tokenFile)).trim();
  if (token === '') throw usageFailure(`The token from ${source} is empty.`);
  return { token, source };
}

function readFile(folder: string, path: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (error) {
    throw new CommandFailure({
      what: `The token file ${path} cannot be read.`,
      why: (error as Error).message,
    });
  }
}
