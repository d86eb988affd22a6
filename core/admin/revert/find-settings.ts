// Finds the settings of an organization or a neuron as they were before a change, from the log of changes.
import type { ChangeAction, RecordedChange } from '../../contract/change-entry.ts';

/** Whose settings: by id, so that nothing of an earlier owner of the slug is taken. */
export interface RevertedOwner {
  readonly organizationId: string;
  /** Undefined for the organization's own document. */
  readonly neuronId: string | undefined;
}

/** Effects of a change beside the document, which stay. */
interface UnrevertedChange {
  readonly id: string;
  readonly actions: readonly ChangeAction[];
  /** The version that was deployed before it; undefined for a change of no deployment. */
  readonly deployedBefore?: string;
}

/**
 * `found`: `document` is undefined where no change since then touched it. `other`: the change is of another owner. `unknown`: it is not
 * among the changes. `created`: there were no settings before it. `cut`: it was too large for the log to keep what was before.
 */
export type EarlierSettings =
  | {
      readonly outcome: 'found';
      readonly document: unknown;
      readonly unreverted: readonly UnrevertedChange[];
    }
  | { readonly outcome: 'other'; readonly change: RecordedChange }
  | { readonly outcome: 'unknown' | 'created' | 'cut' };

/** Actions of writes of a document; all others stay. */
const OF_DOCUMENTS: ReadonlySet<ChangeAction> = new Set([
  'update_organization',
  'update_neuron',
  'create_organization',
  'create_neuron',
  'revert',
]);

/** `changes`: newest first, those that failed or changed nothing included. */
export async function findEarlierSettings(
  changes: AsyncIterable<RecordedChange>,
  to: string,
  owner: RevertedOwner,
): Promise<EarlierSettings> {
  let document: unknown;
  let state: 'found' | 'created' | 'cut' = 'found';
  const unreverted: UnrevertedChange[] = [];
  for await (const change of changes) {
    if (isOf(change, owner)) {
      if (isMade(change)) {
        const before = documentBefore(change);
        if (before !== undefined) ({ document, state } = before);
        unreverted.push(...beyondDocument(change));
      }
      if (change.id === to)
        return state === 'found' ? { outcome: state, document, unreverted } : { outcome: state };
    } else if (change.id === to) return { outcome: 'other', change };
  }
  return { outcome: 'unknown' };
}

function isOf(change: RecordedChange, { organizationId, neuronId }: RevertedOwner): boolean {
  return change.organizationId === organizationId && (change.neuronId ?? undefined) === neuronId;
}

/** A change whose outcome is unknown may have been made. */
function isMade({ outcome }: RecordedChange): boolean {
  return outcome === 'made' || outcome === 'unknown';
}

/** Undefined for a change that did not touch the document. */
function documentBefore({
  actions,
  before,
  cut,
}: RecordedChange): { readonly document: unknown; readonly state: 'found' | 'created' | 'cut' } | undefined {
  if (!actions.some((action) => OF_DOCUMENTS.has(action))) return undefined;
  if (cut === true) return { document: undefined, state: 'cut' };
  const isCreation = actions.some((action) => action.startsWith('create_'));
  if (isCreation) return { document: undefined, state: 'created' };
  const { document }: { readonly document?: unknown } = Object(before);
  return document === undefined ? undefined : { document, state: 'found' };
}

function beyondDocument({ id, actions, before }: RecordedChange): readonly UnrevertedChange[] {
  const others = actions.filter((action) => !OF_DOCUMENTS.has(action));
  if (others.length === 0) return [];
  const { deployment }: { readonly deployment?: { readonly version?: unknown } } = Object(before);
  const version = deployment?.version;
  return [{ id, actions: others, ...(typeof version === 'string' ? { deployedBefore: version } : {}) }];
}
