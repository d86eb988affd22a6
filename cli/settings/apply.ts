// `neuron apply`: brings the stored settings in line with settings files, after showing the difference.
import type { Command } from 'commander';
import { type DeployMode, planChanges } from '../../core/admin/apply/plan.ts';
import { readStored } from '../../core/admin/apply/read-stored.ts';
import { EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind } from '../session/session.ts';
import { checkMessage } from '../session/target.ts';
import { renderDifference, toListedChange } from './change-view.ts';
import { makeChanges } from './make-changes.ts';
import { validateForStack, warnOfMissingSecrets } from './validate-for-stack.ts';

interface ApplyOptions {
  readonly dryRun?: true;
  readonly check?: true;
  /** Undefined when neither `--deploy` nor `--no-deploy` was passed. */
  readonly deploy?: boolean;
  readonly prune?: true;
  readonly message?: string;
}

/** What to apply, and how far to go. */
interface ApplyArguments {
  readonly paths: readonly string[];
  readonly folder: string;
  readonly deploy: DeployMode;
  readonly prune: boolean;
  /** Stored with the versions that are created. */
  readonly message?: string | undefined;
  /** `make`: write. `show`: show only. `check`: show, and fail if there is anything to change. */
  readonly mode: 'make' | 'show' | 'check';
}

interface Given {
  readonly args: ApplyArguments;
  readonly ports: Pick<
    Ports,
    'stack' | 'store' | 'secrets' | 'secretReader' | 'keys' | 'clock' | 'random' | 'author'
  >;
  readonly out: Output;
}

export function registerApply(program: Command, bind: Bind): void {
  const command = program.command('apply');
  // Commander treats the two as one option, of which the last would win.
  const passed = new Set<string>();
  for (const option of ['deploy', 'no-deploy']) command.on(`option:${option}`, () => passed.add(option));
  command
    .description('Applies what is new or changed in settings files.')
    .argument('<path...>', 'files, or folders with .yaml files')
    .option('--dry-run', 'show what would change without changing it')
    .option('--check', 'like --dry-run, and exit with 1 if anything would change')
    .option('--deploy', 'deploy the newest version even if the flow did not change')
    .option('--no-deploy', 'create new versions without deploying them')
    .option('--prune', 'delete what is stored but not in these files')
    .option('--message <text>', 'reason for the change in one line, stored with new versions', checkMessage)
    .action(
      bind<ApplyOptions>(async (session, { args: paths, options }) => {
        if (passed.size > 1)
          throw usageFailure('--deploy and --no-deploy cannot be combined.', 'Pass one of them.');
        const args: ApplyArguments = {
          paths,
          folder: session.terminal.folder,
          deploy: options.deploy === undefined ? 'changed' : options.deploy ? 'newest' : 'never',
          prune: options.prune ?? false,
          message: options.message,
          mode: options.check ? 'check' : options.dryRun ? 'show' : 'make',
        };
        return applyFiles({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Validates everything first: with one error nothing is written. */
async function applyFiles({ args, ports, out }: Given): Promise<ExitCode> {
  const given = await validateForStack(args, ports, out);
  const stored = await readStored(ports.store, given, { everything: args.prune });
  const { changes, notices } = planChanges(given, stored, args);
  for (const notice of notices) out.message(notice);
  await warnOfMissingSecrets(given, stored, ports, out);
  const makesVersion = changes.some((change) => 'version' in change && change.version !== undefined);
  if (args.message !== undefined && !makesVersion) {
    out.message('No flow changed, so no version is created and the message is not stored.');
  }
  if (changes.length === 0) {
    out.message('Nothing to change.');
    return EXIT.done;
  }
  if (args.mode !== 'make') {
    for (const change of changes) out.value(toListedChange(change), renderDifference(change, out.paint));
    return args.mode === 'check' ? EXIT.failed : EXIT.done;
  }
  await makeChanges(changes, { ports, out, message: args.message });
  return EXIT.done;
}
