// One digest for all sources of a folder: SHA-256 over their paths and contents, in order of path.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** `folder` from the root of the repository. */
export function digestOfSources(folder) {
  const hash = createHash('sha256');
  for (const file of globSync(`${folder}/**/*.{ts,json}`).toSorted()) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}
