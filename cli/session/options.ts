// The global options, which may stand anywhere on the command line.
import type { Command } from 'commander';
import { DEFAULT_LOCAL_FOLDER, type TargetOptions } from '../output/command-line.ts';
import type { PrintOptions } from '../output/print.ts';

export interface GlobalOptions extends TargetOptions, PrintOptions {}

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
 * In `neuron test` `--json FILE.json` is a file, there and in `neuron logs` `--version ID` a version; without a value both are the global options.
 */
export function normalizeArguments(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  const command = words.find((word) => !word.startsWith('-'));
  return words.map((word, index) => {
    if (end !== -1 && index >= end) return word;
    if (word === '--local') return `--local=${DEFAULT_LOCAL_FOLDER}`;
    if (command === 'test') return toTestOption(word, words[index + 1]);
    return command === 'logs' ? toRevision(word, words[index + 1]) : word;
  });
}

function toTestOption(word: string, next = ''): string {
  if (word === '--json' && next.endsWith('.json')) return '--json-file';
  return toRevision(word.replace(/^--json=/, '--json-file='), next);
}

function toRevision(word: string, next = ''): string {
  if (word === '--version' && /^[a-z0-9]/.test(next)) return '--revision';
  return word.replace(/^--version=/, '--revision=');
}

export function readGlobalOptions(
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
): GlobalOptions {
  const parsed = command.optsWithGlobals<{
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
    stack: parsed.stack,
    region: parsed.region,
    profile: parsed.profile,
    local: parsed.local === '' ? DEFAULT_LOCAL_FOLDER : parsed.local,
    json: parsed.json ?? false,
    quiet: parsed.quiet ?? false,
    yes: parsed.yes ?? false,
    // https://no-color.org: every value but the empty one.
    color: (parsed.color ?? true) && !environment['NO_COLOR'],
  };
}
