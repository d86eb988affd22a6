// Checks that the key of `neuron logs --key` exists, so that a typing error does not look like a key without calls.
import type { KeyAdmin } from '../../../core/ports/keys.ts';
import type { LogReader } from '../../../core/ports/log-reader.ts';
import type { Output } from '../../output/print.ts';
import { unknownKey } from '../../session/require-stored.ts';
import type { LogOwner } from '../find-log-owner.ts';

/** The key's id, the slugs for the error, and the period in milliseconds since the Unix epoch. */
interface KeyQuery {
  readonly keyId: string;
  readonly organizations: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Throws `CommandFailure` where no owner has the key and no entry of the period names it. A key that was taken out of the table
 * still has its entries, and they are wanted most of all then.
 */
export async function checkKey(
  { keyId, organizations, fromMs, toMs }: KeyQuery,
  owners: readonly LogOwner[],
  { keys, logReader }: { readonly keys: Pick<KeyAdmin, 'find'>; readonly logReader: Pick<LogReader, 'list'> },
  out: Output,
): Promise<void> {
  const ids = new Set(owners.map(({ organizationId }) => organizationId));
  try {
    for (const id of ids) if ((await keys.find(id, keyId)) !== undefined) return;
  } catch {
    out.message(`The keys could not be read, so whether there is a key ${keyId} was not checked.`);
    return;
  }
  for (const owner of owners)
    for await (const _entry of logReader.list({ ...owner, keyId, fromMs, toMs })) {
      out.warn(
        `The key ${keyId} has entries and is not stored. \`neuron keys audit\` finds keys that the change log knows and the table does not.`,
      );
      return;
    }
  throw unknownKey(organizations.join(' and '), keyId);
}
