// Which keys are read, whose they are, and which requests are the same one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  digestOfRequest,
  type KeyOwner,
  type RepeatableRequest,
  readIdempotencyKey,
  toRecordKey,
} from '../../../core/idempotency/record-key.ts';

const owner = (more: Partial<KeyOwner> = {}): KeyOwner => ({
  ...{ keyId: undefined, username: undefined, sourceIp: '203.0.113.7' },
  ...more,
});
const recordKeyOf = (more?: Partial<KeyOwner>) => toRecordKey('n1', owner(more), 'order-17');

describe('an idempotency key', () => {
  it.each(['a', '!~', 'x'.repeat(255), '8e03978e-40d5-43dd-bc93-6894a57f9324', '"quoted"', 'a,b'])(
    '%s is read as it is',
    (key) => {
      expect(readIdempotencyKey([key])).toBe(key);
    },
  );

  it.each([[''], ['x'.repeat(256)], ['a b'], ['tab\t'], ['Zürich'], ['\u007f'], ['a', 'a'], ['a', 'b'], []])(
    '%j is refused, without a word of what was sent',
    (...keys) => {
      expect(() => readIdempotencyKey(keys.flat())).toThrow(
        expect.objectContaining({
          code: 'invalid_parameter',
          detail: '"Idempotency-Key" must be 1 to 255 visible ASCII characters, sent once.',
        }),
      );
    },
  );

  it('is read where each of its characters is visible ASCII, and nowhere else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (key) => {
        const isVisible = [...key].every((character) => character > ' ' && character < '\u007f');
        const read = () => readIdempotencyKey([key]);
        if (isVisible && key.length >= 1 && key.length <= 255) expect(read()).toBe(key);
        else expect(read).toThrow('invalid_parameter');
      }),
    );
  });

  it('belongs to the API key, else to the user, else to the address', () => {
    const [key, user, address] = [{ keyId: 'k' }, { username: 'ann' }, { sourceIp: '198.51.100.9' }];
    expect(recordKeyOf({ ...key, ...user })).toBe(recordKeyOf({ ...key, ...address }));
    expect(recordKeyOf({ ...user })).toBe(recordKeyOf({ ...user, ...address }));
    const all = [
      ...[key, { keyId: 'l' }, user, { username: 'ben' }, {}, address].map(recordKeyOf),
      // The same text as a key, a user and an address.
      ...[{ keyId: 'x' }, { username: 'x' }, { sourceIp: 'x' }].map(recordKeyOf),
      toRecordKey('n2', owner(), 'order-17'),
      toRecordKey('n1', owner(), 'order-18'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('and its owner are in the store as digests alone', () => {
    expect(recordKeyOf({ username: 'ann' })).toMatch(/^I#n1#[0-9a-f]{64}#[0-9a-f]{64}$/);
  });
});

const request = (more: Partial<RepeatableRequest> = {}): RepeatableRequest => ({
  surface: 'native',
  revision: undefined,
  unparsed: { body: '{"input":"Hello"}', bypassCache: [], rawOutput: [], accept: [] },
  acceptsStream: false,
  ...more,
});
const withUnparsed = (more: Partial<RepeatableRequest['unparsed']>) =>
  request({ unparsed: { ...request().unparsed, ...more } });

describe('a request', () => {
  it('is another one with another body, to the byte, another surface, version, flag or form of answer', () => {
    const all = [
      request(),
      withUnparsed({ body: '{"input":"Hellp"}' }),
      withUnparsed({ body: '{"input":"Hello" }' }),
      withUnparsed({ body: '' }),
      withUnparsed({ body: undefined }),
      withUnparsed({ bypassCache: ['true'] }),
      withUnparsed({ rawOutput: ['true'] }),
      withUnparsed({ rawOutput: ['true', 'true'] }),
      request({ surface: 'openai' }),
      request({ revision: 'v1' }),
      request({ revision: 'v2' }),
      request({ acceptsStream: true }),
    ].map(digestOfRequest);
    expect(new Set(all).size).toBe(all.length);
    expect(digestOfRequest(withUnparsed({ accept: ['application/json'] }))).toBe(all[0]);
  });

  it('is the same one with the same body, and with no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const [first, second] = [one, other].map((body) => digestOfRequest(withUnparsed({ body })));
        expect(first === second).toBe(one === other);
      }),
    );
  });
});
