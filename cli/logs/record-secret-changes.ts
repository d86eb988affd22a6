// Secrets with an entry for each that is set or removed: names and purposes, never a value.
import type { OperatorSecretPurpose, SecretAdmin } from '../../core/ports/administration.ts';
import type { RecordChange } from './record-change.ts';
import type { DescribeOwned } from './record-changes.ts';

const PURPOSES = ['providers', 'jwt'] as const satisfies readonly OperatorSecretPurpose[];

/** The key of `bodies: hash` has no entry of its own: it is minted with the organization, whose making is one, and nobody sees or sets it. */
export function recordSecretChanges(
  secrets: SecretAdmin,
  record: RecordChange,
  describe: DescribeOwned,
): SecretAdmin {
  const find = async (organizationId: string, purpose: OperatorSecretPurpose, name: string) =>
    (await secrets.list(organizationId, purpose)).includes(name) ? { name, for: purpose } : undefined;
  return {
    ...secrets,
    async set(organizationId, purpose, name, value) {
      const before = await find(organizationId, purpose, name);
      const description = describe('set_secret', organizationId, before, { name, for: purpose });
      await record(description, () => secrets.set(organizationId, purpose, name, value));
    },
    async remove(organizationId, purpose, name) {
      const before = await find(organizationId, purpose, name);
      return record(
        describe('remove_secret', organizationId, before ?? { name, for: purpose }, undefined),
        () => secrets.remove(organizationId, purpose, name),
        (removed) => removed,
      );
    },
    async removeAll(organizationId) {
      const lists = await Promise.all(
        PURPOSES.map(async (purpose) =>
          (await secrets.list(organizationId, purpose)).map((name) => ({ name, for: purpose })),
        ),
      );
      await record(describe('remove_all_secrets', organizationId, lists.flat(), undefined), () =>
        secrets.removeAll(organizationId),
      );
    },
  };
}
