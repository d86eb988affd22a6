// The options of `npm start`.
import { accessSync, constants, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';

/** Applied where `--apply` is not given. */
export const EXAMPLES = 'examples/';

export interface StartOptions {
  readonly data: string;
  readonly ephemeral: boolean;
  readonly port: number;
  readonly stage: string;
  readonly concurrency: number;
  /** Folders and files to apply, one after the other; empty for nothing. */
  readonly apply: readonly string[];
  readonly watch: boolean;
  readonly engine: 'dynoxide' | 'dynalite';
  readonly verbose: boolean;
  readonly ca: string | undefined;
  readonly loopback: boolean;
  readonly trustForwardedFor: boolean;
  readonly transferMode: 'STREAM' | 'BUFFERED' | undefined;
  readonly compute: 'shared' | undefined;
}

const STAGES = globSync('*.ts', { cwd: join(import.meta.dirname, '../../lib/stages') })
  .map((file) => basename(file, '.ts'))
  .toSorted();

/** Parses the arguments after `npm start --`. Exits with 2 and a message on bad usage. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  // Shells and containers unset a variable by an empty value.
  if (process.env['PORT'] === '') delete process.env['PORT'];
  const command = new Command('npm start --')
    .description('Runs the synthesized template of the service on this machine.')
    .option('--data <folder>', 'folder for tables, secrets and logs', '.local')
    .option('--ephemeral', 'keep tables in memory, and delete all data on stop', false)
    .addOption(
      new Option('--port <number>', 'port on 127.0.0.1')
        .default(3000)
        .env('PORT')
        .argParser(wholeNumber(0, 65_535)),
    )
    .addOption(new Option('--stage <name>', 'stage whose template to run').choices(STAGES).default('local'))
    .option('--concurrency <number>', 'execution environments per function', wholeNumber(1, 256), 2)
    .addOption(
      new Option('--apply <path>', 'settings files to apply, or none; repeat it for others')
        .argParser(collectPaths)
        .default(undefined, EXAMPLES),
    )
    .option('--watch', 'restart when a source file changes, and apply changed settings files', false)
    .addOption(
      new Option('--engine <name>', 'embedded DynamoDB')
        .choices(['dynoxide', 'dynalite'])
        .default('dynoxide'),
    )
    .addOption(
      new Option('--transfer-mode <mode>', 'overrides the stage setting').choices(['STREAM', 'BUFFERED']),
    )
    .addOption(
      new Option('--compute <kind>', 'runs many calls in one process, as the stage setting does').choices([
        'shared',
      ]),
    )
    .option('--verbose', 'list the resources of the template that are ignored, and why', false)
    .option('--ca <file>', 'file with additional CA certificates that the functions trust', readableFile)
    .option('--no-loopback', 'refuse loopback addresses for providers, as a deployed stack does')
    .option('--trust-forwarded-for', "take the caller's address from X-Forwarded-For (tests only)", false)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  command.parse([...args], { from: 'user' });
  const options = command.opts<StartOptions>();
  if (options.ephemeral && command.getOptionValueSource('data') === 'cli')
    process.stderr.write(
      `--ephemeral wins over --data: ${options.data} is not used, and all data is deleted on stop.\n`,
    );
  return { ...options, apply: chooseSettings(options.apply) };
}

function collectPaths(path: string, before: readonly string[] | undefined): readonly string[] {
  if (path === '') throw new InvalidArgumentError('It must be a file or a folder, or none.');
  const paths = [...(before ?? []), path];
  if (paths.length > 1 && paths.includes('none'))
    throw new InvalidArgumentError('`none` applies nothing, so it cannot be given with others.');
  return paths;
}

function chooseSettings(paths: readonly string[] | undefined): readonly string[] {
  if (paths === undefined) return [EXAMPLES];
  return paths.filter((path) => path !== 'none');
}

function wholeNumber(min: number, max: number) {
  return (text: string): number => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max && text.trim() !== '') return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Checks the file, since Node only prints a warning for an unreadable one. */
function readableFile(path: string): string {
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    throw new InvalidArgumentError('The file does not exist or cannot be read.');
  }
}
