// `npm run preflight -- [--stage NAME] [--region REGION] [--profile PROFILE]`: reads the account and says what would make a deployment fail.
import { Command, CommanderError, Option } from 'commander';
import { STAGES } from '../lib/app.ts';
import { parseStage } from '../lib/config/config.ts';
import { readStageFile } from '../lib/config/stage-file.ts';
import { openAwsAccount } from './preflight/aws-account.ts';
import type { CheckResult } from './preflight/check-result.ts';
import { checkAccount } from './preflight/checks.ts';

interface Options {
  readonly stage: string;
  readonly settings?: string;
  readonly region?: string;
  readonly profile?: string;
}

function parse(args: readonly string[]): Options {
  return new Command('npm run preflight --')
    .description(
      'Reads the account before a deployment, changes nothing, and says what would make it fail.\n' +
        'Exits with 0 where nothing would, with 1 where something would or could not be read, with 2 if used wrongly.',
    )
    .addOption(
      new Option('--stage <name>', 'the stage to deploy').choices(Object.keys(STAGES)).default('dev'),
    )
    .addOption(
      new Option('--settings <file>', 'the settings file of the stage, as for cdk -c settings').conflicts(
        'stage',
      ),
    )
    .option('--region <region>', 'default: that of the stage, then of the AWS configuration')
    .option('--profile <profile>', 'a profile of the AWS configuration')
    .exitOverride()
    .parse(args, { from: 'user' })
    .opts<Options>();
}

function render({ severity, text, remedy }: CheckResult): string {
  return `${severity.padEnd(7)}  ${text}\n${remedy === undefined ? '' : `         → ${remedy}\n`}`;
}

async function main(args: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = parse(args);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const { settings } = options;
  const stage = parseStage(
    settings === undefined ? STAGES[options.stage] : readStageFile(settings, process.cwd(), STAGES),
  );
  const region = options.region ?? stage.region;
  const results = await checkAccount(stage, openAwsAccount({ region, profile: options.profile }));
  process.stdout.write(results.map(render).join(''));
  return results.some(({ severity }) => severity === 'error' || severity === 'unknown') ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
