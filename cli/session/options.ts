// The options that every command takes, wherever they stand on the line.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';

/** Parsed global options. */
export interface GlobalOptions {
  readonly stack: string | undefined;
  readonly region: string | undefined;
  readonly profile: string | undefined;
  /** Data folder of a local run; undefined means AWS. */
  readonly local: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly yes: boolean;
  readonly color: boolean;
}

/** Where `npm start` keeps its data. */
const DEFAULT_LOCAL_FOLDER = '.local';

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

/** The arguments of a parsed command, without its options. */
export function readArguments(command: Command): readonly string[] {
  return (command.processedArgs as unknown[]).flat().filter((word) => typeof word === 'string');
}

/** The options that lead to a stack. */
export type TargetOptions = Pick<GlobalOptions, 'stack' | 'region' | 'profile' | 'local'>;

/** Commands that need no stack. */
const OFFLINE = 'init|validate|completion|help';
const COMMAND = new RegExp(`\`neuron (?!--|(?:${OFFLINE})\\b)`, 'g');

/** A text whose commands in backticks lead to the same stack, so that they can be pasted. */
export function keepTarget(text: string, { stack, region, profile, local }: Partial<TargetOptions>): string {
  const words = [
    ...(local === undefined ? [] : [local === DEFAULT_LOCAL_FOLDER ? '--local' : `--local=${quote(local)}`]),
    ...Object.entries({ stack, region, profile }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name} ${quote(value)}`],
    ),
  ];
  return words.length === 0 ? text : text.replace(COMMAND, () => `\`neuron ${words.join(' ')} `);
}

/** A word as a POSIX shell reads it. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command for a remedy: `neuron WORDS`, with `--local` for the local run in `localFolder`. */
export function renderCommand(words: string, localFolder: string | undefined): string {
  if (localFolder === undefined) return `neuron ${words}`;
  const below = relative('', localFolder);
  const isBelow = !isAbsolute(below) && below.split(sep)[0] !== '..';
  const folder = isBelow ? below || '.' : resolve(localFolder);
  return `neuron --local${folder === DEFAULT_LOCAL_FOLDER ? '' : `=${folder}`} ${words}`;
}
