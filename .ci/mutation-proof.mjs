// Reads what Stryker found in one area of core, fails on a survivor without a written reason or a reason without a survivor,
// and writes docs/proof/mutation-NAME.json. AREA is the name, access where it is not set.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import areas from './mutation-areas.json' with { type: 'json' };
import { digestOfSources } from './sources.mjs';

const name = process.env['AREA'] ?? 'access';
const { files } = JSON.parse(readFileSync(`reports/mutation/${name}.json`, 'utf8'));
const reasonsFile = `docs/proof/survivors-${name}.json`;
/** `{ file, mutator, original, replacement, reason }`: the text in place of a line number, which every edit above moves. */
const reasons = existsSync(reasonsFile) ? JSON.parse(readFileSync(reasonsFile, 'utf8')) : [];

/** The text of the source that a mutant replaces. */
function originalOf(source, { start, end }) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return lines.join('\n');
}

const mutants = Object.entries(files).flatMap(([file, { source, mutants: found }]) =>
  found.map(({ status, mutatorName, replacement, location }) => ({
    status,
    file,
    mutator: mutatorName,
    original: originalOf(source, location),
    replacement: replacement ?? '',
    line: location.start.line,
  })),
);
const isOf = (one) => (other) =>
  ['file', 'mutator', 'original', 'replacement'].every((key) => one[key] === other[key]);
const KILLED = ['Killed', 'Timeout'];
// What did not compile or crashed the runner was tested by nothing, so it counts as survived.
const survivors = mutants.filter(({ status }) => !KILLED.includes(status));
const unexplained = survivors.filter((one) => !reasons.some(isOf(one)));
const superfluous = reasons.filter((one) => !one.reason || !survivors.some(isOf(one)));

for (const { status, file, line, mutator, original, replacement } of unexplained) {
  process.stderr.write(
    `${file}:${line} ${status} ${mutator}: ${JSON.stringify(original)} => ${JSON.stringify(replacement)}\n`,
  );
}
for (const { file, original, replacement } of superfluous) {
  process.stderr.write(
    `${reasonsFile}: nothing survives, or no reason is given, for ${file}: ${original} => ${replacement}\n`,
  );
}
const count = (status) => mutants.filter((one) => one.status === status).length;
const proof = {
  name: `mutation-${name}`,
  date: new Date().toISOString().slice(0, 10),
  commit: execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.versions.node,
  sources: Object.fromEntries(areas[name].map((path) => [path, digestOfSources(path)])),
  files: Object.keys(files).length,
  mutants: mutants.length,
  killed: count('Killed'),
  timedOut: count('Timeout'),
  survivedWithReason: survivors.length - unexplained.length,
  survivedWithoutReason: unexplained.length,
};
process.stdout.write(`${JSON.stringify(proof)}\n`);
if (unexplained.length > 0 || superfluous.length > 0) process.exit(1);
writeFileSync(`docs/proof/mutation-${name}.json`, `${JSON.stringify(proof, null, 2)}\n`);
