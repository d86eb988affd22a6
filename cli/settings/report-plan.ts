// Reports what `neuron apply` is about to create and what it leaves as it is, and bounds what it deletes.
import type {
  NeuronInput,
  Plan,
  SettingsInput,
  StoredOrganizationState,
} from '../../core/admin/apply/changes.ts';
import { findTouched, organizationsOf, reportCoverage, waitsForGuard } from '../guards/report-coverage.ts';
import { CommandFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { renderTarget } from '../session/target.ts';
import { describeDrift } from './change-view.ts';
import { printStreamModes } from './stream-notice.ts';
import { unlessDenied } from './validate-for-stack.ts';

interface ReportInput {
  readonly args: {
    readonly mode: 'make' | 'show' | 'check';
    readonly prune: boolean;
    readonly message?: string | undefined;
  };
  readonly ports: Pick<Ports, 'stack' | 'store'>;
  readonly out: Output;
}

/** Reports whether new versions stream, what guards look at where that changes, and a message that no version will have. */
export function reportNewFlows(
  changes: Plan['changes'],
  { input, stored }: { readonly input: SettingsInput; readonly stored: readonly StoredOrganizationState[] },
  { args, ports, out }: ReportInput,
): void {
  const { neurons } = input;
  const known = new Map(stored.map(({ record }) => [record.slug, record.document]));
  const findOrganization = organizationsOf(input, known);
  const newFlows = findNewFlows(changes, neurons);
  const isBuffered = ports.stack.outputs.transferMode === 'BUFFERED';
  const waitsForGuards = (neuron: NeuronInput) => waitsForGuard(neuron, findOrganization);
  printStreamModes(newFlows, { transferMode: isBuffered ? 'BUFFERED' : 'STREAM', waitsForGuards }, out);
  reportCoverage(findTouched(changes, neurons), { findOrganization, isBuffered }, out);
  if (args.message !== undefined && newFlows.length === 0) {
    out.message('No flow changed, so no version is created and the message is not stored.');
  }
}

function findNewFlows(changes: Plan['changes'], neurons: readonly NeuronInput[]): readonly NeuronInput[] {
  const changed = new Set(
    changes.flatMap((change) =>
      'version' in change && change.version !== undefined ? [renderTarget(change)] : [],
    ),
  );
  return neurons.filter(({ organization, slug }) =>
    changed.has(renderTarget({ organization, neuron: slug })),
  );
}

/** Reports differences that are left as they are: other deployed versions, and stored settings that are not in the files. */
export async function reportUnchanged(
  { drifts, notInFiles }: Plan,
  input: SettingsInput,
  { args, ports, out }: ReportInput,
): Promise<void> {
  for (const drift of drifts) out.message(describeDrift(drift));
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
  // Who may author some organizations may not list all of them.
  for (const { slug } of (await unlessDenied(() => ports.store.listOrganizations())) ?? []) {
    if (!whole.includes(slug) && !input.neurons.some(({ organization }) => organization === slug))
      out.message(`Organization ${slug} is stored but not in these files; apply leaves it alone.`);
  }
}

interface DeletionBounds {
  readonly prune: boolean;
  readonly maxDeletions: number;
}

/** Throws `CommandFailure` where pruning would delete more than the operator allows. */
export function checkDeletions({ notInFiles }: Plan, { prune, maxDeletions }: DeletionBounds): void {
  if (!prune || notInFiles.length <= maxDeletions) return;
  throw new CommandFailure({
    what: `--prune would delete ${count(notInFiles.length, 'neuron')}, more than ${maxDeletions}. Nothing was changed.`,
    why: notInFiles.map(renderTarget).join('\n'),
    remedy: `If they are all to be deleted, pass --max-deletions ${notInFiles.length}.`,
  });
}
