// Renders planned changes: one line each, with the difference in YAML below it.
import { printYaml } from '../../adapters/yaml/print-yaml.ts';
import type { Change, Drift } from '../../core/admin/apply/changes.ts';
import { differingLines, paintDifference } from '../output/difference.ts';
import type { Paint } from '../output/paint.ts';
import { count } from '../output/print.ts';
import { printableLine } from '../output/printable.ts';
import { renderTarget } from '../session/target.ts';
import { orderMembers } from './member-order.ts';

/** A change as `--json` shows it. */
interface ListedChange {
  readonly change: Change['kind'];
  readonly organization: string;
  readonly neuron: string | null;
  readonly version: string | null;
  /** The version that is deployed; null if none is. */
  readonly deploys: string | null;
}

export function toListedChange(change: Change): ListedChange {
  const { kind, organization } = change;
  const neuron = 'neuron' in change ? change.neuron : null;
  const planned = 'version' in change ? change.version : undefined;
  const version = planned === undefined ? null : `v${planned.number}`;
  const deploys = planned?.deploy ? version : 'deploy' in change ? (change.deploy ?? null) : null;
  return { change: kind, organization, neuron, version, deploys };
}

const MARKS = { create: '+', update: '~', delete: '-' } as const;
const COLOURS = { create: 'green', update: 'yellow', delete: 'red' } as const;
const DONE = { create: 'Created', update: 'Updated', delete: 'Deleted' } as const;

function verbOf({ kind }: Change): keyof typeof MARKS {
  return kind.split('_')[0] as keyof typeof MARKS;
}

/** `Updated neuron acme/hello: version v3, deployed`. */
export function renderAppliedChange(change: Change): string {
  return `${DONE[verbOf(change)]} ${describe(change)}`;
}

/** `neuron acme/hello: version v3, deployed`. */
function describe(change: Change): string {
  const { organization, neuron, version, deploys } = toListedChange(change);
  const name = neuron === null ? `organization ${organization}` : `neuron ${organization}/${neuron}`;
  const facts = [
    ...(version === null ? [] : [`version ${version}`]),
    ...(deploys === null ? [] : [deploys === version ? 'deployed' : `${deploys} deployed`]),
    ...(change.kind === 'delete_organization' ? [`with ${count(change.neurons.length, 'neuron')}`] : []),
  ];
  return `${name}${facts.length === 0 ? '' : `: ${facts.join(', ')}`}`;
}

/** The line, and below it the lines of YAML that differ, with two around them. */
export function renderDifference(change: Change, paint: Paint): string {
  const before = documentBefore(change);
  const after = documentAfter(change);
  const lines = before === undefined || after === undefined ? [] : listDifferingLines(before, after);
  const verb = verbOf(change);
  const head = paint(COLOURS[verb], `${MARKS[verb]} ${describe(change)}`);
  return [head, ...lines.map((line) => `    ${paintDifference(line, paint)}`)].join('\n');
}

/** Lines of YAML that differ, with two around them; none for equal documents. */
export function listDifferingLines(before: unknown, after: unknown): readonly string[] {
  const yaml = (document: unknown) => printYaml([orderMembers(document)]);
  return differingLines(yaml(before), yaml(after), 2);
}

/** Undefined for created and deleted documents, which have no difference. */
function documentBefore(change: Change): unknown {
  if (change.kind === 'update_organization') return change.record.document;
  if (change.kind !== 'update_neuron') return undefined;
  return { ...(change.record.document as object), ...change.version?.before };
}

function documentAfter(change: Change): unknown {
  if (change.kind === 'update_organization') return change.after;
  if (change.kind !== 'update_neuron') return undefined;
  return { ...change.after, ...change.version?.content };
}

/** Says which version is deployed in place of the newest, and why. */
export function describeDrift({ deployed, newest, hold, ...neuron }: Drift): string {
  const name = renderTarget(neuron);
  if (hold !== undefined) {
    const why = `held by ${hold.by} since ${hold.since}: ${printableLine(hold.reason)}`;
    return `${name}: ${deployed} is ${why}. The newest is ${newest}; \`neuron versions deploy ${name} ${newest}\` ends the hold.`;
  }
  if (deployed === undefined)
    return `${name}: no version is deployed, the newest is ${newest}; --deploy deploys it.`;
  return `${name}: ${deployed} is deployed, the newest is ${newest}; --deploy deploys it, \`neuron versions deploy ${name} ${deployed} --hold REASON\` keeps ${deployed}.`;
}
