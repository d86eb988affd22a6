// Fails when a proof is missing, or its sources have changed since: the proof then says nothing about what is here.
import { existsSync, readFileSync } from 'node:fs';
import { digestOfSources } from './sources.mjs';

/** Proofs, and the commands that write them. */
const PROOFS = {
  'docs/proof/mutation-access.json': 'npm run mutation',
  'docs/proof/mutation-limits.json': 'AREA=limits npm run mutation',
  'docs/proof/limits.json': 'npm run prove:limits',
  'docs/proof/log-200000.json': 'npm run prove:log',
  'docs/proof/seals-200000.json': 'npm run prove:audit',
  'docs/proof/export-200000.json': 'npm run prove:audit',
  'docs/proof/console-200000.json': 'npm run prove:console',
  'docs/proof/stream-cuts.json': 'npm run prove:streams',
  'docs/proof/streams-at-once.json': 'npm run prove:streams',
};

let stale = 0;
for (const [file, command] of Object.entries(PROOFS)) {
  const sources = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sources : undefined;
  if (sources === undefined) {
    process.stderr.write(
      `${file} is missing, or names no sources. Run \`${command}\` and commit what it writes.\n`,
    );
    stale += 1;
    continue;
  }
  for (const [folder, digest] of Object.entries(sources)) {
    if (digestOfSources(folder) === digest) continue;
    process.stderr.write(
      `${file} is about another ${folder} than this one. Run \`${command}\` and commit what it writes.\n`,
    );
    stale += 1;
  }
}
process.exit(stale > 0 ? 1 : 0);
