// Fails when a proof is missing, or one of access or limits is of other sources than these. Of the others, which take hours together,
// it names those whose sources have changed since: `.ci/deep` renews them before a release.
import { existsSync, readFileSync } from 'node:fs';
import { digestOfSources } from './sources.mjs';

/** Nobody gets in, and limits hold: these are never of other sources. */
const CURRENT = {
  'docs/proof/mutation-access.json': 'npm run mutation',
  'docs/proof/mutation-limits.json': 'AREA=limits npm run mutation',
};

/** What was measured once, and at which commit. */
const DATED = {
  'docs/proof/limits.json': 'npm run prove:limits',
  'docs/proof/log-200000.json': 'npm run prove:log',
  'docs/proof/seals-200000.json': 'npm run prove:audit',
  'docs/proof/export-200000.json': 'npm run prove:audit',
  'docs/proof/console-200000.json': 'npm run prove:console',
  'docs/proof/stream-cuts.json': 'npm run prove:streams',
  'docs/proof/streams-at-once.json': 'npm run prove:streams',
  'docs/proof/guards-corpora.json': 'npm run prove:guards -- --each --sets sets',
  'docs/proof/erasure-200000.json': 'ERASURE_ENTRIES=200000 npm run prove:erasure',
  'docs/proof/rollouts-10000.json': '.ci/deep',
  'docs/proof/hostile-schemas.json':
    'HOSTILE_ANSWERS=1000 npx vitest run --config vitest.e2e.config.ts test/adapters/schema/hostile.test.ts',
};

/** Whether the code at `path` is what the proof was made of. A path that is gone is another code. */
function isSame(path, digest) {
  return existsSync(path) && digestOfSources(path) === digest;
}

/** Paths whose code has changed since; undefined for a proof that is missing, or names no sources. */
function changedSince(file) {
  const sources = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).sources : undefined;
  return sources && Object.entries(sources).flatMap(([path, digest]) => (isSame(path, digest) ? [] : [path]));
}

let failures = 0;
for (const [file, command] of Object.entries({ ...CURRENT, ...DATED })) {
  const changed = changedSince(file);
  if (changed?.length === 0) continue;
  const fails = changed === undefined || Object.hasOwn(CURRENT, file);
  const reason =
    changed === undefined ? 'is missing, or names no sources' : `is of other sources: ${changed.join(', ')}`;
  process.stderr.write(`${fails ? 'FAILED' : 'note'}: ${file} ${reason}. \`${command}\` renews it.\n`);
  if (fails) failures += 1;
}
process.exit(failures > 0 ? 1 : 0);
