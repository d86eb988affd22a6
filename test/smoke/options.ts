// The options of `npm run smoke`.
import { Command, InvalidArgumentError, Option, type OutputConfiguration } from 'commander';
import { ORGANIZATION } from './settings.ts';

/** Which deployment is tried, and how much of it. */
export interface SmokeOptions {
  readonly url: string;
  readonly stack?: string;
  readonly local?: string;
  readonly region?: string;
  readonly profile?: string;
  readonly transferMode: 'STREAM' | 'BUFFERED';
  readonly calls: number;
  readonly slow: boolean;
  readonly interrupt: boolean;
  readonly json: boolean;
}

/**
 * Parses the arguments after `npm run smoke --`. Prints help or what is wrong with them.
 * @param output where; standard output and standard error where absent
 * @throws CommanderError once it is printed, with `exitCode` 0 for help
 */
export function parseSmokeOptions(args: readonly string[], output: OutputConfiguration = {}): SmokeOptions {
  return new Command('npm run smoke --')
    .description(
      `Tries what only a deployment can settle (docs/verified.md). Makes the organization ${ORGANIZATION}, calls it and deletes it again: it needs the rights of an operator.`,
    )
    .requiredOption('--url <url>', 'where the service answers, without the path of a neuron', httpUrl)
    .addOption(
      new Option('--stack <name>', 'stack of the deployment; needed where there are several').conflicts(
        'local',
      ),
    )
    .option('--local <folder>', 'data folder of a local run in place of a stack')
    .option('--region <region>', 'AWS region of the stack')
    .option('--profile <name>', 'AWS profile')
    .addOption(
      new Option('--transfer-mode <mode>', 'that of the deployment')
        .choices(['STREAM', 'BUFFERED'])
        .default('STREAM'),
    )
    .option('--calls <number>', 'how many calls must each have their log entry', wholeNumber, 20)
    .option('--slow', 'take part in checks that wait half a minute', false)
    .option(
      '--interrupt',
      'take concurrency from both functions for a moment: nobody else is answered meanwhile',
      false,
    )
    .option('--json', 'print each outcome as a line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing failed, 1 a check failed or none could be made, 2 wrong usage.',
    )
    .configureOutput(output)
    .showHelpAfterError('`npm run smoke -- --help` shows every option.')
    .exitOverride()
    .parse([...args], { from: 'user' })
    .opts<SmokeOptions>();
}

function httpUrl(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError(
    'It must be an http or https URL, such as the output ApiUrl of the stack NeuronApi-….',
  );
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
}
