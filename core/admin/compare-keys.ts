// Compares stored API keys with the changes that operators made: a restored table brings revoked keys back.

import { CHANGE_RETENTION_MS, type RecordedChange } from '../contract/change-entry.ts';
import type { StoredKey } from '../ports/keys.ts';
import { toIso } from '../time/iso.ts';

/**
 * `revoked_in_log`: revoked by a command, and valid in the table. `missing`: created by a command, and not in the table.
 * `not_in_log`: in the table, and created by no command.
 */
export interface KeyDifference {
  readonly keyId: string;
  readonly difference: 'revoked_in_log' | 'missing' | 'not_in_log';
  /** When it was revoked or created; ISO 8601 in UTC. */
  readonly recordedAt: string;
  /** IAM principal that revoked or created it. */
  readonly by: string;
}

/** A change near the end of its retention may be gone before the key that it created. */
const MARGIN_MS = 86_400_000;

/** The differences of one organization, by its id: those of revoked keys first. */
export async function compareKeys(
  texts: readonly StoredKey[],
  changes: AsyncIterable<RecordedChange>,
  { organizationId, nowMs }: { readonly organizationId: string; readonly nowMs: number },
): Promise<KeyDifference[]> {
  const created = new Map<string, RecordedChange>();
  const revoked = new Map<string, RecordedChange>();
  let revokedAll: RecordedChange | undefined;
  for await (const change of changes) {
    // A revocation of unknown outcome was wanted, and one that changed nothing found the key revoked.
    if (change.organizationId !== organizationId || change.outcome === 'failed') continue;
    const { actions, outcome } = change;
    if (actions.includes('revoke_key')) revoked.set(keyIdOf(change.before ?? change.after), change);
    // Changes are listed newest first.
    if (actions.includes('revoke_all_keys')) revokedAll ??= change;
    // The texts of a key are of one id.
    const isNew = actions.includes('create_key') || actions.includes('rotate_key');
    if (isNew && outcome === 'made') created.set(keyIdOf(change.after), change);
  }
  const revocationOf = ({ keyId, createdAt }: StoredKey): RecordedChange | undefined =>
    revoked.get(keyId) ??
    (revokedAll !== undefined && Date.parse(createdAt) <= revokedAll.timeMs ? revokedAll : undefined);
  const keys = [...oneOfEach(texts).values()];
  const stored = new Set(keys.map(({ keyId }) => keyId));
  const oldestMs = nowMs - CHANGE_RETENTION_MS + MARGIN_MS;
  return [
    ...keys
      .filter(({ revokedAt }) => revokedAt === undefined)
      .flatMap((key) => describe(key.keyId, 'revoked_in_log', revocationOf(key))),
    ...[...created]
      .filter(([keyId]) => !stored.has(keyId))
      .flatMap(([keyId, change]) => describe(keyId, 'missing', change)),
    ...keys
      .filter(({ keyId, createdAt }) => !created.has(keyId) && Date.parse(createdAt) >= oldestMs)
      .map(({ keyId, createdAt, createdBy }) => {
        return { keyId, difference: 'not_in_log' as const, recordedAt: createdAt, by: createdBy };
      }),
  ];
}

/** One text of each key: one that is not revoked, where there is one. */
function oneOfEach(texts: readonly StoredKey[]): ReadonlyMap<string, StoredKey> {
  const revokedFirst = texts.toSorted((one, other) => Number(!one.revokedAt) - Number(!other.revokedAt));
  return new Map(revokedFirst.map((key) => [key.keyId, key]));
}

function describe(
  keyId: string,
  difference: KeyDifference['difference'],
  change: RecordedChange | undefined,
): KeyDifference[] {
  if (change === undefined) return [];
  return [{ keyId, difference, recordedAt: toIso(change.timeMs), by: change.by }];
}

function keyIdOf(view: unknown): string {
  return String((view as { readonly keyId?: unknown } | null | undefined)?.keyId);
}
