// Names the key of `usernameAs: hmac`, and makes the digests that stand for usernames.
import { createHmac } from 'node:crypto';

/** Within the secret `providers`, like the key of the log's digests. It is never rotated: each digest is a user to limits, cache and log. */
export const USER_KEY_NAME = 'user:hmac';

/** 22 characters of base64url: 132 bits of an HMAC-SHA-256. */
const DIGEST_LENGTH = 22;
const DIGEST = /^hmac_[\w-]{22}$/;

/** `hmac_` and a digest: equal for equal names of one organization, and not to be guessed without its key. */
export function digestUsername(username: string, key: string): string {
  const digest = createHmac('sha256', key).update(`username\n${username}`).digest('base64url');
  return `hmac_${digest.slice(0, DIGEST_LENGTH)}`;
}

/** True for a text in the form of a digest. */
export function isUsernameDigest(text: string): boolean {
  return DIGEST.test(text);
}
