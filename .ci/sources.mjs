// One digest for all sources of a folder, or for one file: SHA-256 over their paths and contents, in order of path.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

/** `path` of a folder or of a file, from the root of the repository. Throws where there is none. */
export function digestOfSources(path) {
  const hash = createHash('sha256');
  const files = globSync(/\.[a-z]+$/.test(path) ? path : `${path}/**/*.{ts,json}`);
  if (files.length === 0) throw new Error(`${path} has no sources: a proof about it would be about nothing`);
  for (const file of files.toSorted()) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest('hex');
}
