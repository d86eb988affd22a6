// Who may use the console: a token in the printed address, changed once for a cookie.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits: not to be guessed. */
const TOKEN_BYTES = 32;
/** A browser or two; the oldest is signed out when there are more. */
const MAX_SESSIONS = 20;

/** Tokens and sessions of one run of the console. Nothing of it outlives the process. */
export interface SignIn {
  /** A new one-time token, which replaces an unused one. */
  createToken(): string;
  /** The value of the cookie for this token; undefined for any other, and for one that was used. */
  redeem(token: string): string | undefined;
  /** The CSRF token of a session; undefined where there is no such session. */
  findCsrfToken(cookie: string | undefined): string | undefined;
}

export function createSignIn(): SignIn {
  let expected: Buffer | undefined;
  /** CSRF tokens by digest of the cookie. */
  const sessions = new Map<string, string>();
  return {
    createToken() {
      const token = randomText();
      expected = digest(token);
      return token;
    },
    redeem(token) {
      if (expected === undefined || !timingSafeEqual(digest(token), expected)) return undefined;
      expected = undefined;
      const cookie = randomText();
      sessions.set(digest(cookie).toString('hex'), randomText());
      for (const oldest of sessions.keys()) {
        if (sessions.size <= MAX_SESSIONS) break;
        sessions.delete(oldest);
      }
      return cookie;
    },
    findCsrfToken: (cookie) =>
      cookie === undefined ? undefined : sessions.get(digest(cookie).toString('hex')),
  };
}

/** True for the same text, in the same time for every other of its length. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function randomText(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
