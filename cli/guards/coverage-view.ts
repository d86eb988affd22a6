// Renders what the guards of a neuron look at, for `neuron validate`, `neuron apply` and `neuron explain`.
import type { GuardCoverage, StageCoverage, UnseenCoverage } from '../../core/admin/guards/coverage.ts';
import type { ServiceCost } from '../../core/admin/guards/service-cost.ts';
import type { ListedCoverage } from '../json/guards.ts';

export function toListedCoverage(
  neuron: string,
  { stages, unseen, stream, services }: GuardCoverage,
): ListedCoverage {
  return { neuron, stages, unseen, stream, ...(services === undefined ? {} : { services }) };
}

/** A head, and a line for stages of one answer; the names in it are those of valid settings. */
export function renderCoverage(
  neuron: string,
  { stages, unseen, stream, services = [] }: GuardCoverage,
  isBuffered = false,
): string {
  const reached = stages.filter((one) => one.reached);
  const others = stages.filter((one) => !one.reached && one.guards.length > 0);
  return [
    `Guards of ${neuron}:`,
    ...groupBy(reached, describeGuards).map(([guards, group]) => `${namesOf(group)}: ${guards}`),
    ...(others.length === 0 ? [] : [`${namesOf(others)}: not used by this flow`]),
    ...groupBy(unseen, describeFate).map(([fate, group]) => `${describeContents(group)}: ${fate}`),
    ...services.map(describeCost),
    ...(stream === null ? [] : [`streams: ${isBuffered ? BUFFERED : describeStream(stream)}`]),
  ].join('\n  ');
}

function describeGuards({ guards }: StageCoverage): string {
  const names = guards.map(
    ({ guard, action, mandatory }) => `${guard} ${action}${mandatory ? ' (mandatory)' : ''}`,
  );
  return names.length === 0 ? 'no guard' : [...new Set(names)].join(', ');
}

function describeFate({ fate, guards }: UnseenCoverage): string {
  if (fate === 'passed') return 'passed on unseen';
  return `${fate}, since no guard sees them and ${guards.join(', ')} must see all`;
}

const CONTENTS = {
  images: 'images',
  documents: 'documents',
  thoughts: 'sealed thoughts',
  tokenIds: 'token ids',
} as const satisfies Record<UnseenCoverage['kind'], string>;

function describeContents(contents: readonly UnseenCoverage[]): string {
  return contents.map(({ kind, stage }) => `${CONTENTS[kind]} in ${stage}`).join(', ');
}

function describeCost({ guard, type, calls, costMicrodollars }: ServiceCost): string {
  const cost = costMicrodollars === null ? 'an unknown price' : `$${costMicrodollars / 1_000_000}`;
  return `${guard} asks a service (${type}): of the longest message ${calls} ${calls === 1 ? 'call' : 'calls'}, at most ${cost}`;
}

const BUFFERED = 'in one piece, since the stack is in BUFFERED transfer';

function describeStream({ mode, flow, guards }: NonNullable<GuardCoverage['stream']>): string {
  if (mode === 'live') return 'live, about a word behind the model';
  const waiting = [...(flow ? ['a step or a schema of the flow'] : []), ...guards];
  return `in one piece, since ${waiting.join(' and ')} must see the whole text first`;
}

function namesOf(stages: readonly StageCoverage[]): string {
  return stages.map(({ stage }) => stage).join(', ');
}

function groupBy<Item>(
  items: readonly Item[],
  describe: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  return [...Map.groupBy(items, describe)];
}
