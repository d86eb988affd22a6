// Writes docs/proof/NAME.json from a test report: date, commit, the sources and the results.
// Usage: node .ci/proof.mjs NAME REPORT FOLDER...
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { digestOfSources } from './sources.mjs';

const [name, report, ...folders] = process.argv.slice(2);
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
const proof = {
  name,
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.versions.node,
  sources: Object.fromEntries(folders.map((folder) => [folder, digestOfSources(folder)])),
  passed: numPassedTests,
  failed: numFailedTests,
  skipped: numPendingTests,
};
writeFileSync(`docs/proof/${name}.json`, `${JSON.stringify(proof, null, 2)}\n`);
process.exit(numFailedTests > 0 ? 1 : 0);
