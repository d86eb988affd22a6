// After the answer: records when the API key of the caller was last used.
import type { LastUseThrottle } from '../../core/access/last-use.ts';
import type { KeyUseStore } from '../../core/ports/keys.ts';
import type { Run } from './run.ts';

/** What recording a use needs. */
export interface RecordUsePorts {
  readonly keyUses: KeyUseStore;
  /** One per environment, so that a busy key costs one write a minute and not one per request. */
  readonly lastUse: LastUseThrottle;
}

/** Never throws: a record that is lost is made up for by the next use after a minute. */
export async function recordUse(run: Run, { keyUses, lastUse }: RecordUsePorts): Promise<void> {
  const keyId = run.admission?.keyId;
  // The time of the request, as for its log entry and its key's expiry.
  const { timeMs } = run.request;
  if (keyId === undefined || !lastUse.isDue(keyId, timeMs)) return;
  await keyUses.record(keyId, timeMs).catch(() => undefined);
}
