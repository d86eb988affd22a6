// Validates splits of a flow: what keeps callers on a branch, and what cannot.
import { isSticky } from '../../flow/sticky-branch.ts';
import type { Flow, RandomizedSplit } from '../../settings/flow-schema.ts';
import type { Neuron } from '../../settings/neuron-schema.ts';
import type { Path } from '../../settings/path.ts';
import { walkFlow } from '../../settings/walk-flow.ts';
import { errorAt, type PartDiagnostic, warningAt } from '../diagnostic.ts';

interface PlacedSplit {
  readonly split: RandomizedSplit;
  readonly path: Path;
}

/** Paths begin at the root of the neuron's document. */
export function validateSplits({ flow = [], access }: Neuron): PartDiagnostic[] {
  const splits = splitsOf(flow);
  const isKnown = { user: access.jwt !== undefined || access.apiKey === true, key: access.apiKey === true };
  return [
    ...validateNames(splits),
    ...splits.flatMap(({ split: { stickyBy, name }, path }) => {
      if (stickyBy === undefined)
        return name === undefined ? [] : [warningAt([...path, 'name'], 'does nothing without stickyBy')];
      if (stickyBy === 'address' || isKnown[stickyBy]) return [];
      return [warningAt([...path, 'stickyBy'], UNKNOWN[stickyBy])];
    }),
  ];
}

const UNKNOWN = {
  user: 'tells callers apart by their addresses: nobody has a user without jwt or apiKey',
  key: 'tells callers apart by their addresses: nobody has a key without apiKey',
} as const;

/** Every split, in the order in which it is written. */
export function splitsOf(flow: Flow): readonly PlacedSplit[] {
  return [...walkFlow(flow)].flatMap(({ step, path }) =>
    step !== undefined && 'randomizedSplit' in step
      ? [{ split: step.randomizedSplit, path: ['flow', ...path, 'randomizedSplit'] }]
      : [],
  );
}

/** Two without a name would send the same callers to A, which nobody asked for. */
function validateNames(splits: readonly PlacedSplit[]): PartDiagnostic[] {
  const unnamed = splits.filter(({ split }) => isSticky(split) && split.name === undefined);
  const message =
    'has no name, like another split by stickyBy of this flow, so both would send the same callers to a: give each a name of its own, or both one name where that is meant';
  return unnamed.slice(1).map(({ path }) => errorAt(path, message));
}
