// API keys with an entry for each that is made or revoked; no digest is in it.
import type { KeyAdmin } from '../../core/ports/keys.ts';
import type { RecordChange } from './record-change.ts';
import type { DescribeOwned } from './record-changes.ts';

export function recordKeyChanges(keys: KeyAdmin, record: RecordChange, describe: DescribeOwned): KeyAdmin {
  return {
    ...keys,
    create: (digest, key) =>
      record(describe('create_key', key.organizationId, undefined, key), () => keys.create(digest, key)),
    revoke: (organizationId, keyId, revokedAt) =>
      record(
        describe('revoke_key', organizationId, { keyId }, { keyId, revokedAt }),
        () => keys.revoke(organizationId, keyId, revokedAt),
        (outcome) => outcome === 'revoked',
      ),
    revokeAll: (organizationId, revokedAt) =>
      record(
        describe('revoke_all_keys', organizationId, undefined, { revokedAt }),
        () => keys.revokeAll(organizationId, revokedAt),
        (revoked) => revoked > 0,
      ),
  };
}
