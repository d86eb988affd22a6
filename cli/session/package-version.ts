// The version of this command.
import { readFileSync } from 'node:fs';

/** From package.json: two folders up in the clone, three folders up in the built package. */
export function readPackageVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // Not in this place.
    }
  }
  return 'unknown';
}
