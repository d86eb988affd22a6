// Says what a token is made of without showing any of it: the names of its header's members and of its claims.
import { readToken } from '../../access/token-shape.ts';

/** Names as they are in the token, in its order. */
export interface TokenNames {
  readonly header: readonly string[];
  readonly claims: readonly string[];
}

/** Undefined for a text that is not a JWT, such as an API key. Values are left out, since they may be personal or secret. */
export function describeToken(text: string): TokenNames | undefined {
  const reading = readToken(text);
  if ('reason' in reading) return undefined;
  const { header, claims } = reading.token;
  return { header: Object.keys(header), claims: Object.keys(claims) };
}
