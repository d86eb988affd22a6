// Writes docs/proof/emulator.json from reports of `npm run emulator -- [PART] --report FILE`: date, commit, what was judged, every step.
// Usage: node .ci/emulator-proof.mjs REPORT...
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { digestOfSources } from './sources.mjs';

const files = process.argv.slice(2);
if (!files.every((file) => existsSync(file))) {
  process.stdout.write('The emulator did not run, so its proof stays as it is.\n');
  process.exit(0);
}
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
const [{ emulator }] = reports;
// Keys of the emulator open nothing, but look like keys.
const withoutKeys = (seen) => seen.replaceAll(/nrn_\w+/g, 'nrn_…').slice(0, 300);
const steps = reports.flatMap((report) =>
  report.steps.map((step) => ({ ...step, seen: withoutKeys(step.seen) })),
);
const count = (result) => steps.filter((step) => step.result === result).length;
const proof = {
  name: 'emulator',
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.versions.node,
  emulator,
  sources: Object.fromEntries(
    ['core', 'adapters', 'lambdas', 'lib', 'cli', 'test/emulator'].map((folder) => [
      folder,
      digestOfSources(folder),
    ]),
  ),
  asDocumented: count('as documented'),
  deviations: count('deviates'),
  failed: count('failed'),
  steps,
};
writeFileSync('docs/proof/emulator.json', `${JSON.stringify(proof, null, 2)}\n`);
process.exit(proof.failed > 0 ? 1 : 0);
