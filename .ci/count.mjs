// Adds up vitest's JSON reports and prints the closing line; fails when a test failed or none ran.
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
