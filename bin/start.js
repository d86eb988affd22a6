// The first file of `npm start`: plain JavaScript, so that an old Node says what to do instead of failing to parse.

import * as nodeModule from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`Node ${process.versions.node} is too old: the service needs 22.18 or later, preferably 24.
Run it as \`npm start\` after \`npm ci\`, which brings Node 24 on Linux, or install Node 24 from https://nodejs.org.
`);
  process.exit(1);
}
// Compiled once, in a folder of the clone: what is under a shared folder for temporary files could be another's.
const cache = join(dirname(fileURLToPath(import.meta.url)), '..', 'node_modules', '.cache', 'neuron');
if (nodeModule.enableCompileCache) nodeModule.enableCompileCache(cache);
import('./start.ts').then(
  ({ startService }) => startService(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
