// Makes API keys, `nrn_<key id>_<secret><checksum>`, and checks the form of one before any store is asked.
import { createHash } from 'node:crypto';
import type { Random } from '../ports/platform.ts';

/** A well-formed key of a caller. Only the store knows whether it exists and is valid. */
export interface PresentedKey {
  readonly keyId: string;
  /** SHA-256 of the whole key, hexadecimal, which is stored in its place. */
  readonly digest: string;
}

/** A new key: `key` is shown once, the rest is stored. */
export interface NewApiKey extends PresentedKey {
  readonly key: string;
  readonly prefix: string;
  readonly lastFour: string;
}

const PREFIX = 'nrn_';
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 12 characters of base62 are 71 bits: ids do not collide by chance. */
const KEY_ID_LENGTH = 12;
/** 30 characters of base62 are 178 bits. */
const SECRET_LENGTH = 30;
/** 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6;
const API_KEY = new RegExp(
  `^${PREFIX}([0-9A-Za-z]{${KEY_ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`,
);

/** True for a token that is checked as an API key and as nothing else. */
export function isApiKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Reads a key; undefined when its form or its checksum is wrong. The checksum finds typing errors; it is no protection. */
export function parseApiKey(token: string): PresentedKey | undefined {
  const keyId = API_KEY.exec(token)?.[1];
  if (keyId === undefined) return undefined;
  if (checksum(token.slice(0, -CHECKSUM_LENGTH)) !== token.slice(-CHECKSUM_LENGTH)) return undefined;
  return { keyId, digest: digestOf(token) };
}

/** Makes a key out of random bytes, or another text of the key of this id. */
export function generateApiKey(
  random: Pick<Random, 'bytes'>,
  keyId = randomBase62(random, KEY_ID_LENGTH),
): NewApiKey {
  const prefix = `${PREFIX}${keyId}`;
  const body = `${prefix}_${randomBase62(random, SECRET_LENGTH)}`;
  const key = `${body}${checksum(body)}`;
  return { key, keyId, prefix, lastFour: key.slice(-4), digest: digestOf(key) };
}

// A fast hash suffices: the secret has too many bits to be guessed, whatever a guess costs.
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** 248 is the largest multiple of 62 in a byte: bytes above it are discarded, since they would make the first characters more likely. */
function randomBase62(random: Pick<Random, 'bytes'>, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random.bytes(length - text.length)) {
      if (byte < 248) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** CRC-32 as in RFC 1952, section 8. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
