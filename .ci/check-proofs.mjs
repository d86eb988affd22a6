// Fails when the sources that a mutation proof judged have changed since: the proof then says nothing about what is here.
import { existsSync, readFileSync } from 'node:fs';
import { digestOfSources } from './sources.mjs';

const PROOFS = ['docs/proof/mutation-access.json'];

let stale = 0;
for (const file of PROOFS.filter((path) => existsSync(path))) {
  const { sources } = JSON.parse(readFileSync(file, 'utf8'));
  for (const [folder, digest] of Object.entries(sources)) {
    if (digestOfSources(folder) === digest) continue;
    process.stderr.write(
      `${file} judged another ${folder} than this one. Run \`npm run mutation\` and commit what it writes.\n`,
    );
    stale += 1;
  }
}
process.exit(stale > 0 ? 1 : 0);
