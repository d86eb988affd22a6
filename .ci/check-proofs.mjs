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

/** Whether the code at `path` is what the proof was made of. A path that is gone is another code. */
function isSame(path, digest) {
  return existsSync(path) && digestOfSources(path) === digest;
}

/** What is wrong with a proof, or undefined. */
function reasonAgainst(file) {
  const sources = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sources : undefined;
  if (sources === undefined) return 'is missing, or names no sources';
  const changed = Object.entries(sources).flatMap(([path, digest]) => (isSame(path, digest) ? [] : [path]));
  return changed.length > 0 ? `is stale, its sources have changed since: ${changed.join(', ')}` : undefined;
}

const stale = Object.entries(PROOFS).flatMap(([file, command]) => {
  const reason = reasonAgainst(file);
  return reason === undefined ? [] : [`${file} ${reason}. Run \`${command}\` and commit what it writes.\n`];
});
process.stderr.write(stale.join(''));
process.exit(stale.length > 0 ? 1 : 0);
