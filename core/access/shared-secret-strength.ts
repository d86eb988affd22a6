// Finds weak and known shared secrets for JWTs: with a known value everybody can sign.
import type { SecretAlgorithm } from '../ports/jwt.ts';
import { isJsonObject } from '../text/json.ts';
import { isKnownSecret } from './known-secrets.ts';

/** RFC 7518, section 3.2: a key must be at least as long as the hash. */
const MIN_BYTES = { HS256: 32, HS384: 48, HS512: 64 } as const satisfies Record<SecretAlgorithm, number>;

/** The usual texts of public keys, anywhere in the value, since leading white space has hidden one before (CVE-2026-34950). */
const KEY_TEXT = /-----\s*(?:BEGIN|END) |(?:^|\s)(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\S+) /i;
/** The beginnings of public keys in DER (RFC 5280, SubjectPublicKeyInfo), in base64: RSA of usual sizes, EC, Ed25519. */
const DER_PREFIXES = [
  'MIIBIjANBgkqhkiG9w0BAQ',
  'MIIBojANBgkqhkiG9w0BAQ',
  'MIICIjANBgkqhkiG9w0BAQ',
  'MIGfMA0GCSqGSIb3DQEBAQ',
  'MIIBCgKCAQEA',
  'MIICCgKCAgEA',
  'MFkwEwYHKoZIzj0CAQ',
  'MFYwEAYHKoZIzj0CAQ',
  'MHYwEAYHKoZIzj0CAQ',
  'MIGbMBAGByqGSM49AgEG',
  'MCowBQYDK2VwAyEA',
  'MEMwBQYDK2VxAzoA',
];

/** The reason why a value is no secret, as the end of a sentence about it; undefined without one. */
export function findSecretFlaw(value: string): string | undefined {
  const trimmed = value.trim();
  if (trimmed === '') return 'is empty';
  if (KEY_TEXT.test(value) || isDer(trimmed)) return 'is a key or certificate that others have too';
  if (isJwk(trimmed)) return 'is a JSON Web Key, not the secret itself';
  if (/^(.)\1*$/su.test(trimmed)) return 'is one character over and over';
  return isKnownSecret(trimmed) ? 'is a value that is known from documentation and examples' : undefined;
}

/**
 * The weakness of a usable value, as the end of a sentence about it. `algorithms` are those that settings list for it; without any,
 * tokens are signed with HS256.
 */
export function findSecretWeakness(
  value: string,
  algorithms: readonly SecretAlgorithm[] = [],
): string | undefined {
  const bytes = new TextEncoder().encode(value).length;
  if (bytes < MIN_BYTES.HS256) {
    return `has ${bytes} bytes; whoever has one token can try out secrets of less than ${MIN_BYTES.HS256} bytes unseen`;
  }
  // In order of their names the longest hash is last.
  const longest = algorithms.toSorted().at(-1) ?? 'HS256';
  if (bytes >= MIN_BYTES[longest]) return undefined;
  return `has ${bytes} bytes; ${longest} requires at least ${MIN_BYTES[longest]}, the size of its hash`;
}

function isDer(text: string): boolean {
  const base64 = text.replaceAll(/\s/g, '');
  return DER_PREFIXES.some((prefix) => base64.startsWith(prefix));
}

function isJwk(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && ('kty' in value || 'keys' in value);
  } catch {
    return false;
  }
}
