// Writes files that were not there: none is overwritten, and none is written where one of them exists.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommandFailure } from './failure.ts';

/** Texts by path. Makes folders that are missing. Throws `CommandFailure` where a file exists, with `remedy`, or cannot be written. */
export function writeNewFiles(files: ReadonlyMap<string, string>, remedy: string): void {
  const existing = [...files.keys()].find((path) => existsSync(path));
  if (existing !== undefined)
    throw new CommandFailure({ what: `${existing} already exists. Nothing was written.`, remedy });
  for (const [path, text] of files) writeNewFile(path, text);
}

function writeNewFile(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Fails for a file that came since: it is not overwritten either.
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    throw new CommandFailure({ what: `${path} cannot be written.`, why: (error as Error).message });
  }
}
