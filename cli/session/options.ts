// The options that every command takes, wherever they stand on the line.
import type { Command } from 'commander';
import { DEFAULT_LOCAL_FOLDER, type TargetOptions } from '../output/command-line.ts';
import type { PrintOptions } from '../output/print.ts';

/** Parsed global options. */
export interface GlobalOptions extends TargetOptions, PrintOptions {}

/** Declares the global options on the program. */
export function addGlobalOptions(program: Command): Command {
  return program
    .option('--stack <name>', 'name of the deployed stack (default: the only one named NeuronApi-…)')
    .option('--region <region>', 'AWS region of the stack')
    .option('--profile <name>', 'AWS profile with your credentials')
    .option('--local <folder>', `use the local run with this data folder (default: ${DEFAULT_LOCAL_FOLDER})`)
    .option('--json', 'print results as JSON, and lists as one object per line')
    .option('--quiet', 'print no messages except warnings and errors')
    .option('--yes', 'answer yes to every confirmation')
    .option('--no-color', 'print no colours, as with the variable NO_COLOR');
}

/**
 * `--local` takes its value behind `=` only, so that `neuron --local logs acme` reads as it looks; the parser would take the next word.
 */
export function normalizeArguments(input: readonly string[]): string[] {
  const end = input.indexOf('--');
  return input.map((word, index) =>
    word === '--local' && (end === -1 || index < end) ? `--local=${DEFAULT_LOCAL_FOLDER}` : word,
  );
}

/** The global options of a parsed command. */
export function readGlobalOptions(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
): GlobalOptions {
  const input = command.optsWithGlobals<{
    stack?: string;
    region?: string;
    profile?: string;
    local?: string;
    json?: true;
    quiet?: true;
    yes?: true;
    color?: boolean;
  }>();
  return {
    stack: input.stack,
    region: input.region,
    profile: input.profile,
    local: input.local === '' ? DEFAULT_LOCAL_FOLDER : input.local,
    json: input.json ?? false,
    quiet: input.quiet ?? false,
    yes: input.yes ?? false,
    // https://no-color.org: every value but the empty one.
    color: (input.color ?? true) && !environment['NO_COLOR'],
  };
}
