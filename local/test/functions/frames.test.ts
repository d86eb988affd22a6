// The message format between the runner and its processes.
import { describe, expect, it } from 'vitest';
import { createFrameReader, encodeFrame, encodeHead } from '../../functions/frames.ts';

function read(pieces: readonly Buffer[]): [number, number, string][] {
  const seen: [number, number, string][] = [];
  const reader = createFrameReader((kind, run, payload) => seen.push([kind, run, payload.toString()]));
  for (const piece of pieces) reader(piece);
  return seen;
}

describe('frames', () => {
  it('are four bytes of length, one of kind, four of the run, and the payload', () => {
    expect(encodeFrame(7, 258, 'ä!')).toEqual(Buffer.from([3, 0, 0, 0, 7, 2, 1, 0, 0, 0xc3, 0xa4, 0x21]));
    expect(encodeFrame(3, 0)).toEqual(Buffer.from([0, 0, 0, 0, 3, 0, 0, 0, 0]));
    expect(Buffer.concat([encodeHead(7, 258, 3), Buffer.from('ä!')])).toEqual(encodeFrame(7, 258, 'ä!'));
  });

  it('are found wherever the bytes were cut', () => {
    const bytes = Buffer.concat([
      encodeFrame(1, 1, 'one'),
      encodeFrame(2, 2),
      encodeFrame(3, 70_000, 'x'.repeat(100)),
    ]);
    const expected = [
      [1, 1, 'one'],
      [2, 2, ''],
      [3, 70_000, 'x'.repeat(100)],
    ];
    expect(read([bytes])).toEqual(expected);
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    }
  });

  it('refuses a length that no message can have', () => {
    expect(() => read([Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0])])).toThrow(RangeError);
  });
});
