// One digest for the code of a folder, or of one file: SHA-256 over paths and code, in order of path.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { transformSync } from 'esbuild';

/**
 * The code of one file, without comments, types and layout: a proof is about what runs, so a reworded comment must not cost an hour of
 * proving. Names, literals, statements and the paths of imports stay. A new version of esbuild may print the same code in another way;
 * then every proof is stale.
 */
function codeOf(file) {
  const text = readFileSync(file, 'utf8');
  if (extname(file) === '.json') return JSON.stringify(JSON.parse(text));
  return transformSync(text, {
    loader: extname(file).slice(1).replace('mjs', 'js'),
    target: 'esnext',
    charset: 'utf8',
    minifyWhitespace: true,
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code;
}

/** `path` of a folder or of a file, from the root of the repository. Throws where there is none. */
export function digestOfSources(path) {
  const hash = createHash('sha256');
  const files = globSync(/\.[a-z]+$/.test(path) ? path : `${path}/**/*.{ts,json}`, {
    exclude: ['local/test/**', '**/node_modules/**'],
  });
  if (files.length === 0) throw new Error(`${path} has no sources: a proof about it would be about nothing`);
  for (const file of files.toSorted()) {
    const code = codeOf(file);
    // A file of types alone.
    if (code === '') continue;
    hash.update(`${file}\0${Buffer.byteLength(code)}\0`).update(code);
  }
  return hash.digest('hex');
}
