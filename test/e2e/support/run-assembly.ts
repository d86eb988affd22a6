// A program that runs an assembly as `npm start` would, with options that no command has: its one argument is `LocalOptions` as JSON.
import { type LocalOptions, startLocal } from 'run-template-locally';

const options = JSON.parse(process.argv[2] ?? '{}') as Omit<LocalOptions, 'log'>;

try {
  const local = await startLocal({ ...options, log: (line) => void process.stderr.write(`${line}\n`) });
  process.on('SIGTERM', () => void local.stop().then(() => process.exit(0)));
  process.stdout.write(`Data in ${local.dataFolder}, function logs below it\nready ${local.url}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
