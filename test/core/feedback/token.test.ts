// Tokens of answers: what they carry, and that no forgery of one is read.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mintToken, type RatedAnswer, readToken } from '../../../core/feedback/token.ts';
import { logKeyId } from '../../../core/ports/log-key.ts';

const KEY = 'the log key of acme';
const OTHER_KEY = 'the log key of globex';

const RATED: RatedAnswer = {
  executionId: 'Jd8s7fkQ0=',
  timeMs: Date.UTC(2026, 10, 27, 12),
  neuronId: 'n1',
  version: 'v7',
  rollout: { id: '9f2c41d07ab35e68', arm: 'control' },
  username: 'Jürgen "J" 😀',
};

const known = (...keys: readonly string[]) => {
  const byId = new Map(keys.map((key) => [logKeyId(key), key]));
  return async (id: string) => byId.get(id);
};

/** The token with its bytes changed by `change`. */
function changed(token: string, change: (bytes: Buffer) => Buffer): string {
  return change(Buffer.from(token, 'base64url')).toString('base64url');
}

/** With other text in its body, and the signature of before. */
function rewritten(from: string, to: string): string {
  return changed(mintToken(RATED, KEY), (bytes) =>
    Buffer.concat([
      bytes.subarray(0, 9),
      Buffer.from(bytes.subarray(9, -16).toString().replace(from, to)),
      bytes.subarray(-16),
    ]),
  );
}

describe('a feedback token', () => {
  it.each<[string, RatedAnswer]>([
    ['everything', RATED],
    ['no more than it must', { executionId: 'e1', timeMs: 0, neuronId: 'n', version: 'v1' }],
    ['a candidate', { ...RATED, rollout: { id: 'r', arm: 'candidate' } }],
    [
      'no user in a rollout',
      { executionId: 'e', timeMs: 1, neuronId: 'n', version: 'v1', rollout: { id: 'r', arm: 'control' } },
    ],
  ])('names its answer: %s', async (_, rated) => {
    expect(await readToken(mintToken(rated, KEY), known(KEY))).toEqual(rated);
  });

  it('has a form that any header and address takes', () => {
    expect(mintToken(RATED, KEY)).toMatch(/^[\w-]+$/);
  });

  it('is read after the key was rotated, while the one of before is known', async () => {
    const token = mintToken(RATED, KEY);
    expect(await readToken(token, known('the next key', KEY))).toEqual(RATED);
    expect(await readToken(token, known('the next key'))).toBeUndefined();
  });

  it.each<[string, string]>([
    ['another neuron', rewritten('"n1"', '"n2"')],
    ['another execution', rewritten('Jd8s7fkQ0', 'Jd8s7fkQ1')],
    ['another arm', rewritten('control', 'candidate')],
    ['another version', rewritten('v7', 'v8')],
    ['a later time', rewritten(String(RATED.timeMs), String(RATED.timeMs + 1))],
    ['another user', rewritten('Jürgen', 'Joerge')],
    ['another organization', mintToken(RATED, OTHER_KEY)],
    ['nothing', ''],
    ['a long text', 'a'.repeat(100_000)],
    ['a text of another alphabet', `${mintToken(RATED, KEY)}=`],
    ['a space', ` ${mintToken(RATED, KEY)}`],
    [
      'a version byte of later',
      changed(mintToken(RATED, KEY), (bytes) => Buffer.concat([Buffer.from([2]), bytes.subarray(1)])),
    ],
    [
      'no body',
      changed(mintToken(RATED, KEY), (bytes) => Buffer.concat([bytes.subarray(0, 9), bytes.subarray(-16)])),
    ],
    ['more bytes', changed(mintToken(RATED, KEY), (bytes) => Buffer.concat([bytes, Buffer.from([0])]))],
    [
      'the log key itself as key of the signature',
      signedBy((signed) => createHmac('sha256', KEY).update(signed)),
    ],
    ['no key at all', signedBy((signed) => createHmac('sha256', '').update(signed))],
  ])('refuses a forgery with %s', async (_, token) => {
    expect(await readToken(token, known(KEY))).toBeUndefined();
  });

  it('refuses every token that was cut', async () => {
    const token = mintToken(RATED, KEY);
    for (let length = 0; length < token.length; length += 1)
      expect(await readToken(token.slice(0, length), known(KEY))).toBeUndefined();
  });

  it('refuses every token with one bit changed', async () => {
    const bytes = Buffer.from(mintToken(RATED, KEY), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const other = Buffer.from(bytes);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await readToken(other.toString('base64url'), known(KEY))).toBeUndefined();
    }
  });

  it('has one spelling: other ones of the same bytes are refused', async () => {
    const token = mintToken({ executionId: 'e1', timeMs: 0, neuronId: 'n', version: 'v1' }, KEY);
    const bytes = Buffer.from(token, 'base64url');
    const spellings = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
      .map((last) => token.slice(0, -1) + last)
      .filter((other) => other !== token && Buffer.from(other, 'base64url').equals(bytes));
    for (const other of spellings) expect(await readToken(other, known(KEY))).toBeUndefined();
  });
});

/** A body of the right form with the signature of another key. */
function signedBy(sign: (signed: Buffer) => ReturnType<typeof createHmac>): string {
  const bytes = Buffer.from(mintToken(RATED, KEY), 'base64url').subarray(0, -16);
  return Buffer.concat([bytes, sign(bytes).digest().subarray(0, 16)]).toString('base64url');
}
