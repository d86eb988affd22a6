// Texts in the log, by `logging.bodies`: in full, as an HMAC, or not at all.
import { createHmac } from 'node:crypto';
import type { LoggedText } from '../contract/log-entry.ts';
import { logKeyId } from '../ports/log-key.ts';
import { digestOfParts } from '../text/digest.ts';
import { utf8Bytes } from '../text/utf8.ts';

/** `hash` needs the organization's key; without one no text is kept. */
export type BodyPolicy = 'full' | 'hash' | 'none';

/** `logging.bodies`: one policy for all executions, or the share of them, in basis points, whose texts are kept in full. */
export type BodySetting = BodyPolicy | { readonly full: number };

const BUCKETS = 10_000;

/**
 * The policy for one execution. By a hash of its id, which no caller chooses: the choice can be repeated, and a larger share keeps every
 * execution of a smaller one. The others are hashed.
 */
export function chooseBodyPolicy(setting: BodySetting, executionId: string): BodyPolicy {
  if (typeof setting === 'string') return setting;
  const digest = digestOfParts(['bodies', executionId]);
  return Number(BigInt(`0x${digest.slice(0, 16)}`) % BigInt(BUCKETS)) < setting.full ? 'full' : 'hash';
}

/** UTF-8 bytes of all texts of one entry: a DynamoDB item ends at 400 KB. */
export const TEXT_BUDGET_BYTES = 300_000;

/** Keeps texts of one entry within one budget. */
export type KeepText = (text: string) => LoggedText | undefined;

/** Makes the keeper of one entry. `hashKey` is the secret `log` of the organization. */
export function createKeepText(policy: BodyPolicy, hashKey: string | undefined): KeepText {
  let left = TEXT_BUDGET_BYTES;
  let keyId: string | undefined;
  // A prompt is often the input, and the answer the last output: each is hashed once.
  const hashed = new Map<string, LoggedText>();
  return (text) => {
    const known = hashed.get(text);
    if (known !== undefined) return known;
    const bytes = utf8Bytes(text);
    if (policy === 'none') return undefined;
    if (policy === 'hash') {
      if (hashKey === undefined) return undefined;
      keyId ??= logKeyId(hashKey);
      const kept = { kind: 'hash', hash: hmac(text, hashKey), bytes, key: keyId } as const;
      hashed.set(text, kept);
      return kept;
    }
    // DynamoDB takes only UTF-8: a lone surrogate in a text would keep the whole entry out of the table.
    const whole = text.toWellFormed();
    const kept = cutToBytes(whole, left);
    left -= utf8Bytes(kept);
    return kept === whole
      ? { kind: 'full', text: whole, bytes }
      : { kind: 'full', text: kept, bytes, cut: true };
  };
}

/** 128 bits are enough to tell sessions apart. Not the hash of an equal text, which stands beside it. */
const SESSION_LENGTH = 22;

/** The digest of a session's name: equal for equal sessions of one organization, and not to be guessed without its key. */
export function digestSession(session: string, key: string): string {
  return hmac(`session\n${session}`, key).slice(0, SESSION_LENGTH);
}

/** HMAC-SHA-256 in base64url: equal texts of one organization have equal hashes, and no text can be guessed without the key. */
function hmac(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** The longest beginning of a text of at most `bytes` in UTF-8 that splits no character. */
export function cutToBytes(text: string, bytes: number): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.byteLength <= bytes) return text;
  let end = Math.max(0, bytes);
  // A byte 10xxxxxx continues a character: go back to its first byte.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  // A decoder drops a byte order mark by default.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, end));
}
