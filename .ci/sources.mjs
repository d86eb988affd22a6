// One digest for all sources of a folder, or for one file: SHA-256 over their paths and contents, in order of path.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** `path` of a folder or of a file, from the root of the repository. */
export function digestOfSources(path) {
  const hash = createHash('sha256');
  const pattern = /\.(?:ts|json)$/.test(path) ? path : `${path}/**/*.{ts,json}`;
  for (const file of globSync(pattern).toSorted()) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}
