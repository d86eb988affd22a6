// Synthesizes the stages that are its arguments in one process, into cdk.out, with all checks. As with `cdk synth --strict`, a warning fails.
import { buildApp } from '../lib/app.ts';

for (const stage of process.argv.slice(2)) {
  const { stacks } = buildApp({ stage, outdir: 'cdk.out' }).synth();
  const messages = stacks.flatMap(({ id, messages: own }) =>
    own.filter(({ level }) => level !== 'info').map(({ level, entry }) => `${id}: ${level}: ${entry.data}`),
  );
  for (const message of messages) process.stderr.write(`${message}\n`);
  if (messages.length > 0) process.exitCode = 1;
}
