// Lists changes of one kind as they are stored.
import type { ChangeAction } from '../../../core/contract/change-entry.ts';
import { CHANGES_PARTITION } from '../../../core/contract/tables.ts';
import type { StoredEntry } from '../../../core/ports/stored-entries.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { Ports } from '../../session/ports.ts';

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Changes of a time with this action, as they are stored. */
export async function* listChanges(
  action: ChangeAction,
  organization: string | undefined,
  { fromMs, toMs }: Period,
  { storedEntries, changes }: Pick<Ports, 'storedEntries' | 'changes'>,
): AsyncGenerator<StoredEntry> {
  if (organization === undefined) return;
  for await (const { actions, timeMs, id } of changes.list(organization, fromMs, toMs)) {
    if (!actions.includes(action)) continue;
    const position = { pk: `${CHANGES_PARTITION}#${organization}`, sk: `${toIso(timeMs)}#${id}` };
    const record = await storedEntries.find(position);
    if (record !== undefined) yield { type: 'change', ...position, record };
  }
}
