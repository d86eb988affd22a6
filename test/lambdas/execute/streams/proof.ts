// Writes docs/proof/NAME.json where the tests of whole streams run as proofs (`npm run prove:streams`).
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** True for every byte and every caller; the same tests are tried on some of them with `npm test`. */
export const IS_PROOF = process.env['STREAMS'] === 'proof';

/** To be called when everything held. */
export function writeStreamProof(name: string, results: object): void {
  const proof = {
    name,
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim(),
    node: process.versions.node,
    ...results,
  };
  writeFileSync(join(ROOT, 'docs', 'proof', `${name}.json`), `${JSON.stringify(proof, null, 2)}\n`);
}
