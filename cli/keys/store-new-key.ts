// Makes an API key and stores its digest.
import { generateApiKey } from '../../core/access/api-key.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Ports } from '../session/ports.ts';
import { createAuditStamp } from '../session/stamped-writes.ts';

/** The operator's part of a key; the rest is made here. */
type KeyWords = Omit<StoredKey, 'keyId' | 'prefix' | 'lastFour' | 'createdAt' | 'createdBy' | 'expiresAt'>;

/** `key` is in no store: whoever calls shows it once. */
export async function storeNewKey(
  ports: Ports,
  lifetimeMs: number | undefined,
  words: KeyWords,
): Promise<{ readonly key: string; readonly stored: StoredKey }> {
  const { since: createdAt, by: createdBy } = await createAuditStamp(ports);
  const { key, digest, keyId, prefix, lastFour } = generateApiKey(ports.random);
  const expiresAt = lifetimeMs === undefined ? undefined : toIso(Date.parse(createdAt) + lifetimeMs);
  const stored: StoredKey = {
    keyId,
    prefix,
    lastFour,
    createdAt,
    createdBy,
    ...words,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  if (!(await ports.keys.create(digest, stored))) throw new Error('two random keys are equal');
  return { key, stored };
}
