// `neuron apply`: makes what is stored as settings files say, after showing the difference.
import type { Command } from 'commander';
import type { BedrockModels } from '../../core/config/judge-bedrock.ts';
import { type DeployMode, planChanges } from '../../core/config/plan.ts';
import { readStored } from '../../core/config/read-stored.ts';
import { renderDifference, toListedChange } from '../change-view.ts';
import { count } from '../count.ts';
import { CommandFailure, EXIT, type ExitCode } from '../failure.ts';
import { type JudgedFiles, judgeFiles, renderHarmless } from '../judge-files.ts';
import { makeChanges } from '../make-changes.ts';
import { warnOfMissingSecrets } from '../missing-secrets.ts';
import type { Ports } from '../ports.ts';
import type { Output } from '../print.ts';
import type { Bind } from '../session.ts';

interface ApplyOptions {
  readonly dryRun?: true;
  readonly check?: true;
  /** Undefined where neither `--deploy` nor `--no-deploy` was said. */
  readonly deploy?: boolean;
  readonly prune?: true;
}

/** What to apply, and how far to go. */
export interface ApplyArguments {
  readonly paths: readonly string[];
  readonly folder: string;
  readonly deploy: DeployMode;
  readonly prune: boolean;
  /** `make`: write. `show`: show only. `check`: show, and fail where there is something to change. */
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
  program
    .command('apply')
    .description('Applies settings files: what is new or changed in them, and nothing else.')
    .argument('<path...>', 'files, or folders with .yaml files')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--check', 'like --dry-run, and exit with 1 where something would change')
    .option('--deploy', 'deploy the newest version also where the flow did not change')
    .option('--no-deploy', 'make new versions without deploying them')
    .option('--prune', 'delete what is stored and not in these files')
    .action(
      bind<ApplyOptions>(async (session, { args: paths, options }) => {
        const args: ApplyArguments = {
          paths,
          folder: session.terminal.folder,
          deploy: options.deploy === undefined ? 'changed' : options.deploy ? 'newest' : 'never',
          prune: options.prune ?? false,
          mode: options.check ? 'check' : options.dryRun ? 'show' : 'make',
        };
        return apply({ args, ports: await session.connect(), out: session.out });
      }),
    );
}

/** Judges everything first: with one refusal nothing is written. */
export async function apply({ args, ports, out }: Given): Promise<ExitCode> {
  const judged = await judge(args, ports);
  for (const finding of judged.warnings) out.warn(renderHarmless(finding));
  if (judged.refusals.length > 0) throw refusalOf(judged);
  const stored = await readStored(ports.store, judged.given, { everything: args.prune });
  const { changes, notices } = planChanges(judged.given, stored, args);
  for (const notice of notices) out.message(notice);
  await warnOfMissingSecrets(judged.given, stored, ports, out);
  if (changes.length === 0) {
    out.message('Nothing to change.');
    return EXIT.done;
  }
  if (args.mode !== 'make') {
    for (const change of changes) out.value(toListedChange(change), renderDifference(change, out.paint));
    return args.mode === 'check' ? EXIT.failed : EXIT.done;
  }
  await makeChanges(changes, { ports, out });
  return EXIT.done;
}

async function judge(
  { paths, folder }: ApplyArguments,
  { stack, store, secretReader }: Given['ports'],
): Promise<JudgedFiles> {
  const { maxDeadlineMs, transferMode, stageName, bedrockModels } = stack.outputs;
  return judgeFiles(paths, folder, {
    addresses: { allowLoopback: stack.local !== undefined },
    maxDeadlineMs: Number(maxDeadlineMs),
    transferMode: transferMode === 'BUFFERED' ? 'BUFFERED' : 'STREAM',
    bedrock: { stage: stageName, allowed: JSON.parse(bedrockModels) as BedrockModels },
    readStored: async (slugs) => {
      const found = await Promise.all(slugs.map((slug) => store.readOrganization(slug)));
      return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.slug, one.document] as const])));
    },
    readSharedSecret: async (organization, name) => {
      const id = (await store.readOrganization(organization))?.id;
      return id === undefined ? undefined : secretReader.read(id, 'jwt', name);
    },
  });
}

function refusalOf({ refusals }: JudgedFiles): CommandFailure {
  return new CommandFailure({
    what: `${count(refusals.length, 'error')}; nothing was written.`,
    why: refusals.map(renderHarmless).join('\n'),
  });
}
