// Makes tokens for tests: signed by node:crypto, apart from the libraries that verify them.
import { constants, createHmac, type KeyObject, sign as signBytes } from 'node:crypto';
import { verifyWithSecret } from '../../../adapters/jwt/verify-signature.ts';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import { NO_JWTS } from '../../../core/admin/explain/example-jwt.ts';
import { createMemorySecretReader, type SecretPath } from '../../support/memory/secrets.ts';
import { NOW } from './examples.ts';

/** The secret `support-jwt` of the example organization. */
export const SECRET = 'a secret of the tests, 32 bytes at least';
/** The moment of the tests, in seconds. */
export const NOW_SECONDS = NOW / 1000;
/** Claims that hold at that moment. */
export const CLAIMS = { sub: 'ada', exp: NOW_SECONDS + 60 };

/** One part of a token. */
export function encode(part: unknown): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}

/** A token with a shared secret; header and claims may be any JSON, or text as it is. `signedBy`: another algorithm than the header says. */
export function signWithSecret(
  claims: unknown = CLAIMS,
  header: unknown = { alg: 'HS256', typ: 'JWT' },
  secret: string = SECRET,
  signedBy: string = (header as { alg?: string }).alg ?? 'HS256',
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const hash = `sha${/^HS(256|384|512)$/.exec(signedBy)?.[1] ?? '256'}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** A token with a private key, by the algorithm that its header names or by `signedBy`. */
export function signWithKey(
  key: KeyObject,
  claims: unknown = CLAIMS,
  header: object = { alg: 'RS256' },
  signedBy: string = (header as { alg?: string }).alg ?? 'RS256',
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signInput(key, signedBy, input).toString('base64url')}`;
}

function signInput(key: KeyObject, alg: string, input: string): Buffer {
  const bytes = Buffer.from(input);
  if (alg === 'EdDSA') return signBytes(null, bytes, key);
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith('ES')) return signBytes(hash, bytes, { key, dsaEncoding: 'ieee-p1363' });
  if (alg.startsWith('RS')) return signBytes(hash, bytes, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return signBytes(hash, bytes, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
}

/** Ports that have the secret `support-jwt` of the example organization, or other ones. */
export function portsWithSecrets(
  values: Readonly<Record<SecretPath, string>> = { 'org-acme/jwt/support-jwt': SECRET },
): JwtPorts {
  const secrets = createMemorySecretReader(new Map(Object.entries(values) as [SecretPath, string][]));
  return { ...NO_JWTS, secrets, verifyWithSecret };
}
