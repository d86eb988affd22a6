// Makes planned changes once the operator has confirmed them.
import { applyChanges } from '../../core/admin/apply/apply.ts';
import type { Change } from '../../core/admin/apply/changes.ts';
import { sameDocument } from '../../core/text/canonical-json.ts';
import { count, type Output } from '../output/print.ts';
import type { Ports } from '../session/ports.ts';
import { settingsTakeEffect } from '../session/propagation-delay.ts';
import { renderTarget } from '../session/target.ts';
import { renderAppliedChange, renderDifference, toListedChange } from './change-view.ts';

interface MakeInput {
  readonly ports: Pick<Ports, 'stack' | 'store' | 'secrets' | 'keys' | 'clock' | 'random' | 'author'>;
  readonly out: Output;
  /** Stored with the versions that are created. */
  readonly message?: string | undefined;
}

/** Shows the changes, asks for confirmation, makes them and prints each. Warns where only some were made. */
export async function makeChanges(
  changes: readonly Change[],
  { ports, out, message }: MakeInput,
): Promise<void> {
  if (!out.json) for (const change of changes) out.message((paint) => renderDifference(change, paint));
  const deleted = changes.filter((change) => change.kind === 'delete_neuron').map(renderTarget);
  const loss =
    deleted.length === 0
      ? ''
      : `, including the deletion of ${count(deleted.length, 'neuron')} (${deleted.join(', ')})`;
  await out.confirm(`Apply ${count(changes.length, 'change')} to ${ports.stack.name}${loss}?`, {
    destroys: deleted.length > 0,
  });
  const author = await ports.author();
  let applied = 0;
  try {
    for await (const change of applyChanges(changes, { ...ports, author, message })) {
      applied += 1;
      out.value(toListedChange(change), renderAppliedChange(change));
    }
  } catch (error) {
    if (applied > 0)
      out.warn(`Applied ${applied} of ${changes.length} changes. Run the command again to apply the others.`);
    throw error;
  }
  if (changes.some(affectsCallers)) out.message(settingsTakeEffect(ports.stack));
}

/** A new version affects callers only when it is deployed. */
function affectsCallers(change: Change): boolean {
  if (change.kind !== 'update_neuron') return true;
  return toListedChange(change).deploys !== null || !sameDocument(change.record.document, change.after);
}
