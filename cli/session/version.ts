// The version of this package.
import { readFileSync } from 'node:fs';

/** Reads it from package.json, which stands one folder up in the clone and two in the built package. */
export function readVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        version: string;
      };
      return version;
    } catch {
      // Not here: the next place.
    }
  }
  return 'unknown';
}
