// The first file of `npm start`: plain JavaScript, so that an old Node says what to do instead of failing to parse.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`Node ${process.versions.node} is too old: the service needs 22.18 or later, preferably 24.
Run it as \`npm start\` after \`npm ci\`, which brings Node 24 on Linux, or install Node 24 from https://nodejs.org.
`);
  process.exit(1);
}
import('./start.ts').then(
  ({ startService }) => startService(process.argv.slice(2)),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);
