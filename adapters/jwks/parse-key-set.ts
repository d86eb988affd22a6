// Reads a JWK Set (RFC 7517, section 5): unusable keys are left out one by one, any other error rejects the whole set.
import type { VerificationKey } from '../../core/ports/jwt.ts';
import { toUsableKey } from './usable-key.ts';

/** Each key costs time to read and to try; providers publish two to five. */
const MAX_KEYS = 50;

/** The usable keys, maybe none. Throws on text that is no JWK Set or holds more than 50 keys; the message quotes none of it. */
export function parseKeySet(body: Uint8Array): readonly VerificationKey[] {
  const keys = readKeys(body);
  if (keys === undefined) throw new Error('the answer is not a JSON Web Key Set');
  if (keys.length > MAX_KEYS) throw new Error(`the key set has more than ${MAX_KEYS} keys`);
  return keys.flatMap((key) => toUsableKey(key) ?? []);
}

function readKeys(body: Uint8Array): readonly unknown[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'keys')) return undefined;
  const { keys } = value as { readonly keys: unknown };
  return Array.isArray(keys) ? keys : undefined;
}
