// The name of an erased person, as the change of the erasure has it: a digest under the organization's log key, which nobody else can guess.
import { createHmac } from 'node:crypto';
import { logKeyId } from '../../ports/log-key.ts';
import type { StoredRecord } from '../../ports/seals.ts';
import { isJsonObject, memberOf, parseJson } from '../../text/json.ts';
import { foldName } from '../../text/names-person.ts';

/** `key`: id of the log key. `folded`: digest of the name in small letters, where that is another text; texts may name a person so. */
export interface ErasedName {
  readonly digest: string;
  readonly key: string;
  readonly folded?: string;
}

/** The name as the change of an erasure has it, under this log key. */
export function toErasedName(username: string, logKey: string): ErasedName {
  const folded = foldName(username);
  return {
    digest: digestUsername(username, logKey),
    key: logKeyId(logKey),
    ...(folded === username ? {} : { folded: digestUsername(folded, logKey) }),
  };
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
  const { digest, key, folded } = user;
  if (typeof digest !== 'string' || typeof key !== 'string') return undefined;
  return { digest, key, ...(typeof folded === 'string' ? { folded } : {}) };
}

/** The same of a change as it is stored. */
export function readStoredName({ after }: StoredRecord): ErasedName | undefined {
  return typeof after === 'string' ? readErasedName(parseJson(after)) : undefined;
}
