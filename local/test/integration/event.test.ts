// The body of an event comes in pieces that a network cut: it is that of the bytes as a whole, wherever they were cut.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildProxyEvent } from '../../integration/event.ts';

type Arguments = Parameters<typeof buildProxyEvent>;

function readEvent(body: readonly Buffer[], binary = false): { body: unknown; isBase64Encoded: unknown } {
  const [api, request, resource, context] = [{}, {}, {}, {}] as unknown as [
    Arguments[0],
    Arguments[1],
    Arguments[2],
    Arguments[4],
  ];
  const pieces = buildProxyEvent(api, request, resource, null, context, body, binary);
  return JSON.parse(pieces.join(''));
}

const cut = (bytes: Buffer, ...places: readonly number[]) =>
  [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));

describe('the body of an event', () => {
  const text = Buffer.from('{"a":"\\u00e9 é € 😀 \u2028\u0000\u001f\u007f \\" \\\\ \ufeff"}\n\t');

  it('is the same text at every place of a cut, and of two', () => {
    for (let first = 0; first <= text.length; first += 1)
      for (let second = first; second <= text.length; second += 1)
        expect(readEvent(cut(text, first, second))).toMatchObject({
          body: text.toString(),
          isBase64Encoded: false,
        });
  });

  it('has what is no UTF-8 replaced as in the whole', () => {
    const torn = [
      Buffer.from([0xc3]),
      Buffer.from([0x61, 0xe2, 0x82]),
      Buffer.from([0xf0, 0x9f, 0x98, 0x61]),
      Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xfe, 0xc0, 0x80, 0xf4, 0x90, 0x80, 0x80]),
      ...Array.from({ length: 200 }, () => randomBytes(12)),
    ];
    for (const bytes of torn)
      for (let place = 0; place <= bytes.length; place += 1)
        expect([bytes.toString('hex'), place, readEvent(cut(bytes, place)).body]).toEqual([
          bytes.toString('hex'),
          place,
          bytes.toString(),
        ]);
  });

  it('is base64 of all bytes for a binary media type, and null where there are none', () => {
    const bytes = randomBytes(10);
    expect(readEvent(cut(bytes, 4, 5), true)).toMatchObject({
      body: bytes.toString('base64'),
      isBase64Encoded: true,
    });
    expect(readEvent([], true)).toMatchObject({ body: null, isBase64Encoded: false });
  });
});
