// Writes docs/proof/NAME.json: date, commit, the digests of the proven sources, and the results.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './assembly.ts';

/** The folders on the request path. */
const REQUEST_PATH = ['core', 'adapters', 'lambdas'];

/** The machine, as the tables of docs/performance.md name it. */
export const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`;

/**
 * To be called from the root of the repository, when everything held. `sources` are folders and files: a later change of one of them
 * makes the proof stale (.ci/check-proofs.mjs). A long measurement may name its own commit.
 */
export async function writeProof(
  name: string,
  measured: object,
  sources: readonly string[] = REQUEST_PATH,
): Promise<void> {
  const { digestOfSources } = (await import(new URL('../.ci/sources.mjs', import.meta.url).href)) as {
    readonly digestOfSources: (path: string) => string;
  };
  const proof = {
    name,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    node: process.versions.node,
    machine,
    sources: Object.fromEntries(sources.map((path) => [path, digestOfSources(path)])),
    ...measured,
  };
  writeFileSync(join(ROOT, 'docs', 'proof', `${name}.json`), `${JSON.stringify(proof, null, 2)}\n`);
}
