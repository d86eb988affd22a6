// Lists changes by operators, or shows one in full.
import { printYaml } from '../../../adapters/yaml/print-yaml.ts';
import type { RecordedChange } from '../../../core/contract/change-entry.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { ChangeLine } from '../../json/log.ts';
import { differingLines, paintDifference } from '../../output/difference.ts';
import { CommandFailure } from '../../output/failure.ts';
import type { Paint } from '../../output/paint.ts';
import type { Output } from '../../output/print.ts';
import { printableLine } from '../../output/printable.ts';
import type { Column } from '../../output/table.ts';
import type { Ports } from '../../session/ports.ts';
import { renderTarget, type Target } from '../../session/target.ts';

/** Max. rows of a table. `--json` prints all. */
const MAX_ROWS = 1_000;

/** A query for changes; the end of its range is exclusive. */
interface ChangeListing {
  readonly target: Target;
  readonly fromMs: number;
  readonly toMs: number;
}

type ChangePorts = Pick<Ports, 'store' | 'changes'>;

/** Changes are found by slug, including those of a deleted organization. */
export async function listChanges(
  { target, fromMs, toMs }: ChangeListing,
  { store, changes }: ChangePorts,
  out: Output,
): Promise<void> {
  const isSelected = await createFilter(target, store);
  const withSlug = await createNaming(target, store);
  const rows: RecordedChange[] = [];
  let omitted = 0;
  for await (const recorded of changes.list(target.organization, fromMs, toMs)) {
    const change = withSlug(recorded);
    if (!isSelected(change)) continue;
    if (out.json) out.value(toChangeJson(change), '');
    else if (rows.length < MAX_ROWS) rows.push(change);
    else omitted += 1;
  }
  if (out.json) return;
  const period = `between ${toIso(fromMs)} and ${toIso(toMs)}`;
  out.list(rows, CHANGE_COLUMNS, `No changes of ${renderTarget(target)} ${period}.`);
  if (omitted > 0)
    out.message(`${omitted} older changes are not shown. Narrow the time range, or pass --json.`);
}

/** Throws `CommandFailure` for an unknown id. */
export async function showChange(
  target: Target,
  id: string,
  { changes }: ChangePorts,
  out: Output,
): Promise<void> {
  const change = await changes.find(target.organization, id);
  if (change === undefined) {
    throw new CommandFailure({
      what: `There is no change ${id} of ${target.organization}.`,
      why: 'It may belong to another organization, or be older than a year.',
    });
  }
  out.value(toChangeJson(change), renderChange(change, out.paint));
}

/** Selects changes of a neuron by slug, or by id where a change has no slug. Changes of the whole service are always included. */
async function createFilter({ organization, neuron }: Target, store: Ports['store']) {
  if (neuron === undefined) return () => true;
  const owner = await store.readOrganization(organization);
  const id = owner === undefined ? undefined : (await store.readNeuron(owner, neuron))?.id;
  return (change: RecordedChange) =>
    change.organization === undefined ||
    change.neuron === neuron ||
    (id !== undefined && change.neuronId === id);
}

/** Adds slugs to changes of versions, which have the neuron's id only. In newest-first order, the deletion of a neuron gives its slug. */
async function createNaming({ organization }: Target, store: Ports['store']) {
  const owner = await store.readOrganization(organization);
  const neurons = owner === undefined ? [] : await store.listNeurons(owner);
  const slugs = new Map(neurons.map(({ id, slug }) => [id, slug]));
  return (change: RecordedChange): RecordedChange => {
    const { neuronId, neuron } = change;
    if (neuronId == null) return change;
    if (neuron != null) slugs.set(neuronId, neuron);
    return { ...change, neuron: slugs.get(neuronId) };
  };
}

const CHANGE_COLUMNS: readonly Column<RecordedChange>[] = [
  { head: 'TIME (UTC)', cell: ({ timeMs }) => toIso(timeMs).slice(0, 19).replace('T', ' ') },
  { head: 'CHANGE', cell: ({ actions }) => actions.join(', ') },
  { head: 'SUBJECT', cell: renderSubject },
  { head: 'OUTCOME', cell: ({ outcome }) => outcome },
  { head: 'BY', cell: ({ by }) => by, flexible: true, drop: 1 },
  { head: 'ID', cell: ({ id }) => id },
];

/** Every line has the same members, null where there is no value. */
export function toChangeJson(change: RecordedChange): ChangeLine {
  const { organization = null, organizationId = null, neuron = null, neuronId = null, ...rest } = change;
  const time = toIso(change.timeMs);
  const { before = null, after = null } = change;
  return { ...rest, time, organization, organizationId, neuron, neuronId, before, after };
}

/** In full, with the difference in YAML. */
export function renderChange(change: RecordedChange, paint: Paint): string {
  const facts: readonly (readonly [string, string])[] = [
    ['change', change.id],
    ['time', toIso(change.timeMs)],
    ['by', change.by],
    ['actions', change.actions.join(', ')],
    ['subject', renderSubject(change)],
    ['outcome', renderOutcome(change)],
  ];
  const lines = change.cut ? ['(too large to be stored)'] : renderDifference(change);
  return [
    ...facts.map(([name, value]) => `${paint('bold', name.padEnd(15))}${printableLine(value)}`),
    ...lines.map((line) => paintDifference(line, paint)),
  ].join('\n');
}

function renderSubject({ organization, neuron, neuronId, before, after }: RecordedChange): string {
  if (organization === undefined || organization === null) return 'the service';
  const subject = (after ?? before) as { keyId?: string; name?: string; version?: string } | null;
  const part = subject?.keyId ?? subject?.version ?? (neuronId == null ? subject?.name : undefined);
  const owner = neuron == null ? organization : `${organization}/${neuron}`;
  return part === undefined ? owner : `${owner} ${part}`;
}

function renderOutcome({ outcome }: RecordedChange): string {
  if (outcome !== 'unknown') return outcome;
  return 'unknown: the command ended before it recorded the outcome, so the change may have been made or not';
}

function renderDifference({ before, after }: RecordedChange): readonly string[] {
  const yaml = (value: unknown) => (value === null || value === undefined ? '' : printYaml([value]));
  return differingLines(yaml(before), yaml(after), 3);
}
