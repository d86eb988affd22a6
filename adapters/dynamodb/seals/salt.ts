// The salt of a log entry: with it, the digests that a seal keeps tell nothing once the entry is gone.
import { randomBytes } from 'node:crypto';

/** As long as a guess must not be possible of the few values that an address or a username may have. */
const SALT_BYTES = 16;

/** A new attribute value for each item. */
export function createSalt(): Uint8Array {
  return new Uint8Array(randomBytes(SALT_BYTES));
}
