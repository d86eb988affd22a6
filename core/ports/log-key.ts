// Names a key of `bodies: hash`, so that entries say under which key their texts were hashed.
import { createHash } from 'node:crypto';

/** Within the secret `providers`: the key that entries are hashed with. Earlier ones are `log:hmac-ID`. No secret of operators has a colon. */
export const LOG_KEY_NAME = 'log:hmac';

const ID_DIGITS = 16;

/** 16 hexadecimal digits of a SHA-256. The key has 256 random bits, so its id tells nothing about it. */
export function logKeyId(key: string): string {
  return createHash('sha256').update(`neuron log key ${key}`).digest('hex').slice(0, ID_DIGITS);
}
