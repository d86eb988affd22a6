// Puts the writes of one command together, as the log of changes has a line for each.
import type { ChangeValue } from './values.ts';

/** The writes of one command, the newest first: a new version, and what it was made for, such as its deployment. */
export interface ChangeGroup {
  readonly newest: ChangeValue;
  readonly changes: readonly ChangeValue[];
}

/** A command makes its writes about one neuron within this time. */
const SAME_COMMAND_MS = 5_000;

/** `changes`: the newest first. */
export function groupChanges(changes: readonly ChangeValue[]): readonly ChangeGroup[] {
  return changes.flatMap((newest, index) => {
    const [before, after] = [changes[index + 1], changes[index - 1]];
    if (after !== undefined && isVersionOf(newest, after)) return [];
    const isOfVersion = before !== undefined && isVersionOf(before, newest);
    return [{ newest, changes: isOfVersion ? [newest, before] : [newest] }];
  });
}

/** Whether `created` is the version that the same command then used. */
function isVersionOf(created: ChangeValue, used: ChangeValue): boolean {
  return (
    created.actions.join() === 'create_version' &&
    !used.actions.includes('create_version') &&
    created.by === used.by &&
    created.outcome === used.outcome &&
    subjectOf(created) === subjectOf(used) &&
    used.timeMs - created.timeMs < SAME_COMMAND_MS
  );
}

/** In the order in which they were made. */
export function actionsOf({ changes }: ChangeGroup): string {
  return changes
    .toReversed()
    .flatMap(({ actions }) => actions)
    .join(', ')
    .replaceAll('_', ' ');
}

/** That of the version which was created; null where none was given. */
export function messageOf({ changes }: ChangeGroup): string | null {
  for (const { after } of changes) {
    const message = (after as { readonly message?: unknown } | null | undefined)?.message;
    if (typeof message === 'string') return message;
  }
  return null;
}

/** `acme/support`, `acme`, or the service. */
export function subjectOf({ organization, neuron }: ChangeValue): string {
  if (organization === null) return 'the service';
  return neuron === null ? organization : `${organization}/${neuron}`;
}
