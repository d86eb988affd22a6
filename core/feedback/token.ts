// The token that comes with an answer, by which its feedback is known to belong to it: signed, so that no store is asked.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LogEntry } from '../contract/log-entry.ts';
import { logKeyId } from '../ports/log-key.ts';
import { parseJson } from '../text/json.ts';

/** The answer that a token is for. */
export interface RatedAnswer {
  readonly executionId: string;
  /** When its request came, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly neuronId: string;
  readonly version: string;
  readonly rollout?: LogEntry['rollout'];
  /** The user whose answer it is, so that an erasure finds the feedback. */
  readonly username?: string | undefined;
}

const FORMAT = 1;
const KEY_ID_BYTES = 8;
const SIGNATURE_BYTES = 16;
/** A name of a user has at most 1,024 bytes, which JSON may double. */
const MAX_LENGTH = 4_096;
const TOKEN = /^[\w-]{40,}$/;

/** `key`: the log key of the organization. */
export function mintToken(rated: RatedAnswer, key: string): string {
  const { executionId, timeMs, neuronId, version, rollout, username } = rated;
  const arm = rollout === undefined ? [] : [rollout.id, rollout.arm];
  const named = [timeMs, neuronId, version, executionId, username ?? null, ...arm];
  const keyId = Buffer.from(logKeyId(key), 'hex');
  const signed = Buffer.concat([Buffer.from([FORMAT]), keyId, Buffer.from(JSON.stringify(named))]);
  return Buffer.concat([signed, sign(signed, key)]).toString('base64url');
}

/**
 * The answer of a token; undefined for a token that this organization did not sign, whatever it holds. `keyOf` finds a log key by its id, since
 * the key may have been rotated after the answer.
 */
export async function readToken(
  token: string,
  keyOf: (id: string) => Promise<string | undefined>,
): Promise<RatedAnswer | undefined> {
  if (token.length > MAX_LENGTH || !TOKEN.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // One spelling for each token.
  if (bytes.toString('base64url') !== token || bytes[0] !== FORMAT) return undefined;
  const signed = bytes.subarray(0, -SIGNATURE_BYTES);
  const body = signed.subarray(1 + KEY_ID_BYTES);
  if (body.length === 0) return undefined;
  const keyId = signed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');
  const key = await keyOf(keyId);
  if (key === undefined || logKeyId(key) !== keyId) return undefined;
  if (!timingSafeEqual(sign(signed, key), bytes.subarray(-SIGNATURE_BYTES))) return undefined;
  return toRated(parseJson(body.toString()));
}

/** A key of its own, so that no hash of the log is a signature. */
function sign(signed: Buffer, key: string): Buffer {
  const own = createHmac('sha256', key).update('feedback token').digest();
  return createHmac('sha256', own).update(signed).digest().subarray(0, SIGNATURE_BYTES);
}

/** Reads a signed body, which only a defect could have in another form. */
function toRated(named: unknown): RatedAnswer | undefined {
  if (!Array.isArray(named)) return undefined;
  const [timeMs, neuronId, version, executionId, username, id, arm] = named as readonly unknown[];
  const texts = [neuronId, version, executionId];
  if (!Number.isSafeInteger(timeMs) || texts.some((text) => typeof text !== 'string')) return undefined;
  return {
    timeMs: Number(timeMs),
    neuronId: String(neuronId),
    version: String(version),
    executionId: String(executionId),
    ...(typeof username === 'string' ? { username } : {}),
    ...(typeof id === 'string' ? { rollout: { id, arm: arm === 'candidate' ? arm : 'control' } } : {}),
  };
}
