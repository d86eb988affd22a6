// The name of an erased person, as the change of the erasure has it: a digest under the organization's log key, which nobody else can guess.
import { createHmac } from 'node:crypto';
import type { StoredRecord } from '../../ports/seals.ts';
import { isJsonObject, memberOf, parseJson } from '../../text/json.ts';

/** `key`: id of the log key. */
export interface ErasedName {
  readonly digest: string;
  readonly key: string;
}

/** A key of its own is derived, so that no hash of a text in the log is such a digest. */
export function digestUsername(username: string, logKey: string): string {
  const own = createHmac('sha256', logKey).update('neuron erased user/1').digest();
  return createHmac('sha256', own).update(username).digest('base64url');
}

/** The name in the text of a change; undefined where it has none. */
export function readErasedName(after: unknown): ErasedName | undefined {
  const user = memberOf(after, 'user');
  if (!isJsonObject(user)) return undefined;
  const { digest, key } = user;
  return typeof digest === 'string' && typeof key === 'string' ? { digest, key } : undefined;
}

/** The same of a change as it is stored. */
export function readStoredName({ after }: StoredRecord): ErasedName | undefined {
  return typeof after === 'string' ? readErasedName(parseJson(after)) : undefined;
}
