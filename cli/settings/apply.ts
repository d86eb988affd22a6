// `neuron apply`: brings the stored settings in line with settings files, after showing the difference.
import { type Command, InvalidArgumentError } from 'commander';
import type { Plan, SettingsInput } from '../../core/admin/apply/changes.ts';
import { type DeployMode, planChanges } from '../../core/admin/apply/plan.ts';
import { readStored } from '../../core/admin/apply/read-stored.ts';
import { CommandFailure, EXIT, type ExitCode, usageFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import type { Bind } from '../session/session.ts';
import { checkMessage, renderTarget } from '../session/target.ts';
import { renderDifference, toListedChange } from './change-view.ts';
import { makeChanges } from './make-changes.ts';
import { tellStreamModes } from './stream-notice.ts';
import { validateForStack, warnOfMissingSecrets } from './validate-for-stack.ts';

interface ApplyOptions {
  readonly dryRun?: true;
  readonly check?: true;
  /** Undefined when neither `--deploy` nor `--no-deploy` was passed. */
  readonly deploy?: boolean;
  readonly prune?: true;
  readonly maxDeletions?: number;
  readonly message?: string;
}

/** What to apply, and how far to go. */
interface ApplyArguments {
  readonly paths: readonly string[];
  readonly folder: string;
  readonly deploy: DeployMode;
  readonly prune: boolean;
  /** With `prune`, the most neurons that may be deleted. */
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
    .option('--prune', 'delete stored neurons that are not in these files, in organizations that are')
    .option(
      '--max-deletions <count>',
      `with --prune, the most neurons to delete (default: ${DEFAULT_MAX_DELETIONS})`,
      readCount,
    )
    .option('--message <text>', 'reason for the change in one line, stored with new versions', checkMessage)
    .action(
      bind<ApplyOptions>(async (session, { args: paths, options }) => {
        if (passed.size > 1)
          throw usageFailure('--deploy and --no-deploy cannot be combined.', 'Pass one of them.');
        if (options.maxDeletions !== undefined && options.prune === undefined)
          throw usageFailure('--max-deletions has no effect without --prune.', 'Pass both, or neither.');
        const args: ApplyArguments = {
          paths,
          folder: session.terminal.folder,
          deploy: options.deploy === undefined ? 'changed' : options.deploy ? 'newest' : 'never',
          prune: options.prune ?? false,
          maxDeletions: options.maxDeletions ?? DEFAULT_MAX_DELETIONS,
          message: options.message,
          mode: options.check ? 'check' : options.dryRun ? 'show' : 'make',
        };
        return applyFiles({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Validates everything first: with one error nothing is written. */
async function applyFiles({ args, ports, out }: ApplyInput): Promise<ExitCode> {
  const input = await validateForStack(args, ports, out);
  const stored = await readStored(ports.store, input, { siblings: args.prune || args.mode !== 'make' });
  const plan = planChanges(input, stored, args);
  const { changes } = plan;
  await tellOfTheRest(plan, input, { args, ports, out });
  await warnOfMissingSecrets(input, stored, ports, out);
  tellStreamModes(
    newFlowsOf(changes),
    ports.stack.outputs.transferMode === 'BUFFERED' ? 'BUFFERED' : 'STREAM',
    out,
  );
  const makesVersion = changes.some((change) => 'version' in change && change.version !== undefined);
  if (args.message !== undefined && !makesVersion) {
    out.message('No flow changed, so no version is created and the message is not stored.');
  }
  if (args.mode !== 'make') {
    for (const change of changes) out.value(toListedChange(change), renderDifference(change, out.paint));
    if (changes.length === 0) out.message('Nothing to change.');
    return args.mode === 'check' && isOutOfStep(plan, args.deploy) ? EXIT.failed : EXIT.done;
  }
  if (changes.length === 0) {
    out.message('Nothing to change.');
    return EXIT.done;
  }
  checkDeletions(plan, args);
  await makeChanges(changes, { ports, out, message: args.message });
  return EXIT.done;
}

/** The flows of versions that are created. */
function newFlowsOf(changes: Plan['changes']): Parameters<typeof tellStreamModes>[0] {
  return changes.flatMap((change) =>
    'version' in change && change.version !== undefined
      ? [{ organization: change.organization, slug: change.neuron, flow: change.version.flow }]
      : [],
  );
}

/** Reports what differs from the files and is not changed: other versions deployed, and what is stored and not given. */
async function tellOfTheRest(
  { drifts, notInFiles }: Plan,
  input: SettingsInput,
  { args, ports, out }: ApplyInput,
): Promise<void> {
  for (const { deployed, newest, ...neuron } of drifts) {
    const state = deployed === undefined ? 'no version is deployed' : `${deployed} is deployed`;
    out.message(`${renderTarget(neuron)}: ${state}, the newest is ${newest}; --deploy deploys it.`);
  }
  const whole = input.organizations.map(({ slug }) => slug);
  if (args.prune) {
    const others = input.neurons.map(({ organization }) => organization);
    for (const organization of new Set(others.filter((slug) => !whole.includes(slug))))
      out.message(`--prune deletes nothing of ${organization}: the organization is not in these files.`);
  } else if (args.mode !== 'make') {
    for (const neuron of notInFiles)
      out.message(`${renderTarget(neuron)} is stored but not in these files; --prune deletes it.`);
  }
  if (args.mode !== 'check') return;
  for (const { slug } of await ports.store.listOrganizations()) {
    if (!whole.includes(slug) && !input.neurons.some(({ organization }) => organization === slug))
      out.message(`Organization ${slug} is stored but not in these files; apply leaves it alone.`);
  }
}

/** With `--no-deploy` the operator decides what is deployed, so another version is no difference. */
function isOutOfStep({ changes, drifts }: Plan, deploy: DeployMode): boolean {
  return changes.length > 0 || (deploy !== 'never' && drifts.length > 0);
}

/** Throws `CommandFailure` where pruning would delete more than the operator allows. */
function checkDeletions({ notInFiles }: Plan, { prune, maxDeletions }: ApplyArguments): void {
  if (!prune || notInFiles.length <= maxDeletions) return;
  throw new CommandFailure({
    what: `--prune would delete ${count(notInFiles.length, 'neuron')}, more than ${maxDeletions}. Nothing was changed.`,
    why: notInFiles.map(renderTarget).join('\n'),
    remedy: `If they are all to be deleted, pass --max-deletions ${notInFiles.length}.`,
  });
}

function readCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a number such as 10.');
  return Number(text);
}
