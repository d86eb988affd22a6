// Secrets in memory, for the functions that read them and the operators who change them.
import type { SecretAdmin } from '../../../core/ports/administration.ts';
import { LOG_KEY_NAME, logKeyId } from '../../../core/ports/log-key.ts';
import type { SecretPurpose, SecretReader } from '../../../core/ports/stores.ts';
import { USER_KEY_NAME } from '../../../core/ports/user-key.ts';
import { SECRET_NAME_PATTERN } from '../../../core/settings/scalars.ts';

/** `ORGANIZATION_ID/PURPOSE/NAME`. */
export type SecretPath = `${string}/${SecretPurpose}/${string}`;

/** Reads from a map, which may change between reads. */
export function createMemorySecretReader(values: ReadonlyMap<SecretPath, string>): SecretReader {
  return {
    read: async (organizationId, purpose, name) => values.get(`${organizationId}/${purpose}/${name}`),
  };
}

/** Changes a map that a reader reads. */
export function createMemorySecretAdmin(values: Map<SecretPath, string>): SecretAdmin {
  const keysBelow = (prefix: string) => [...values.keys()].filter((path) => path.startsWith(prefix));
  return {
    list: async (organizationId, purpose) => {
      const prefix = `${organizationId}/${purpose}/`;
      return keysBelow(prefix)
        .map((path) => path.slice(prefix.length))
        .filter((name) => SECRET_NAME_PATTERN.test(name))
        .sort();
    },
    set: async (organizationId, purpose, name, value) => {
      if (!SECRET_NAME_PATTERN.test(name) || value === '')
        throw new Error(`"${name}" is not a name of a secret, or has no value`);
      values.set(`${organizationId}/${purpose}/${name}`, value);
    },
    remove: async (organizationId, purpose, name) =>
      SECRET_NAME_PATTERN.test(name) && values.delete(`${organizationId}/${purpose}/${name}`),
    mintKeys: async (organizationId) => {
      for (const name of [LOG_KEY_NAME, USER_KEY_NAME]) {
        const path: SecretPath = `${organizationId}/providers/${name}`;
        // Thirty-two bytes like the real one, but the same every time: a test may compare what was hashed.
        if (!values.has(path))
          values.set(path, Buffer.alloc(32, `${name}${organizationId}`).toString('base64'));
      }
    },
    rotateLogKey: async (organizationId) => {
      const path: SecretPath = `${organizationId}/providers/${LOG_KEY_NAME}`;
      const before = values.get(path);
      const previous = before === undefined ? undefined : logKeyId(before);
      const current = Buffer.alloc(32, `after ${previous}`).toString('base64');
      if (before !== undefined) values.set(`${path}-${previous}`, before);
      values.set(path, current);
      return { current: logKeyId(current), previous };
    },
    removeAll: async (organizationId) => {
      for (const path of keysBelow(`${organizationId}/`)) values.delete(path);
    },
  };
}
