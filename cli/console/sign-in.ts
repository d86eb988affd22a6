// Signs browsers in to the console: the token in the printed address is exchanged once for a cookie.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits, which cannot be guessed. */
const TOKEN_BYTES = 32;
/** Beyond it the oldest session ends. */
const MAX_SESSIONS = 20;

/** Tokens and sessions live in memory alone. */
export interface SignIn {
  /** Creates a one-time token. An unused one is no longer valid. */
  createToken(): string;
  /** The cookie for a token; undefined for a wrong or used one. */
  redeem(token: string): string | undefined;
  /** The CSRF token of the session of a cookie, if there is one. */
  findCsrfToken(cookie: string | undefined): string | undefined;
}

export function createSignIn(): SignIn {
  let expected: Buffer | undefined;
  /** CSRF tokens by the digests of cookies. */
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
