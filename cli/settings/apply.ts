// `neuron apply`: brings the stored settings in line with settings files, after showing the difference.
import { InvalidArgumentError } from 'commander';
import type { Plan } from '../../core/admin/apply/changes.ts';
import { type DeployMode, planChanges } from '../../core/admin/apply/plan.ts';
import { readStored } from '../../core/admin/apply/read-stored.ts';
import { argument, command, flag, option, parseLine } from '../command/command.ts';
import { EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import type { Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { renderDifference, toListedChange } from './change-view.ts';
import { makeChanges } from './make-changes.ts';
import { overlayOption, type SettingsPaths } from './read-with-overlays.ts';
import { checkDeletions, reportNewFlows, reportUnchanged } from './report-plan.ts';
import { validateForStack, warnOfMissingSecrets } from './validate-for-stack.ts';

interface ApplyArguments extends SettingsPaths {
  readonly deploy: DeployMode;
  readonly prune: boolean;
  /** Max. number of neurons that `prune` may delete. */
  readonly maxDeletions: number;
  /** Stored with the versions that are created. */
  readonly message?: string | undefined;
  /** `make`: write. `show`: show only. `check`: show, and fail if there is anything to change. */
  readonly mode: 'make' | 'show' | 'check';
}

/** A typing mistake in a path must not delete a repository's worth of neurons. */
const DEFAULT_MAX_DELETIONS = 5;

interface ApplyInput {
  readonly args: ApplyArguments;
  readonly ports: Pick<
    Ports,
    'stack' | 'store' | 'secrets' | 'secretReader' | 'keys' | 'clock' | 'random' | 'author'
  >;
  readonly out: Output;
}

export const apply = command({
  name: 'apply',
  arguments: { paths: argument('<path...>', 'files, or folders with .yaml files') },
  options: {
    overlay: overlayOption,
    dryRun: flag('--dry-run', 'show what would change without changing it'),
    check: flag('--check', 'like --dry-run, and exit with 1 if anything would change'),
    deploy: flag('--deploy', 'deploy the newest version even if the flow did not change'),
    noDeploy: flag('--no-deploy', 'create new versions without deploying them'),
    prune: flag('--prune', 'delete stored neurons that are not in these files, in organizations that are'),
    maxDeletions: option(
      '--max-deletions <count>',
      `with --prune, the most neurons to delete (default: ${DEFAULT_MAX_DELETIONS})`,
      parseCount,
    ),
    message: option(
      '--message <text>',
      'reason for the change in one line, stored with new versions',
      parseLine,
    ),
  },
  conflicts: [{ option: 'deploy', with: ['noDeploy'] }],
  async run({ paths, overlay = [], dryRun, check, deploy, noDeploy, prune, maxDeletions, message }, session) {
    if (maxDeletions !== undefined && !prune)
      throw usageFailure('--max-deletions has no effect without --prune.', 'Pass both, or neither.');
    const args: ApplyArguments = {
      paths,
      overlays: overlay,
      folder: session.terminal.folder,
      deploy: deploy ? 'newest' : noDeploy ? 'never' : 'changed',
      prune,
      maxDeletions: maxDeletions ?? DEFAULT_MAX_DELETIONS,
      message,
      mode: check ? 'check' : dryRun ? 'show' : 'make',
    };
    return applyFiles({ args, ports: await session.connect(), out: session.out });
  },
});

/** Everything is validated first: with one error nothing is written. */
export async function applyFiles({ args, ports, out }: ApplyInput): Promise<ExitCode> {
  const input = await validateForStack(args, ports, out);
  const stored = await readStored(ports.store, input, { siblings: args.prune || args.mode !== 'make' });
  const plan = planChanges(input, stored, args);
  const { changes } = plan;
  await reportUnchanged(plan, input, { args, ports, out });
  await warnOfMissingSecrets(input, stored, ports, out);
  reportNewFlows(changes, { input, stored }, { args, ports, out });
  if (args.mode !== 'make') {
    for (const change of changes) out.value(toListedChange(change), renderDifference(change, out.paint));
    const fails = args.mode === 'check' && isOutOfStep(plan, args.deploy);
    if (changes.length === 0) {
      out.message(fails ? 'The files are applied, but another version is deployed.' : 'Nothing to change.');
    }
    return fails ? EXIT.failed : EXIT.done;
  }
  if (changes.length === 0) {
    out.message('Nothing to change.');
    return EXIT.done;
  }
  checkDeletions(plan, args);
  await makeChanges(changes, { ports, out, message: args.message });
  return EXIT.done;
}

/** With `--no-deploy` the operator selects the deployed version, so another one is no difference. Neither is a held one, which apply leaves alone. */
function isOutOfStep({ changes, drifts }: Plan, deploy: DeployMode): boolean {
  return changes.length > 0 || (deploy !== 'never' && drifts.some(({ hold }) => hold === undefined));
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number such as 10.');
  return Number(text);
}
