// The message format between the runner and its processes.
import { describe, expect, it } from 'vitest';
import { createFrameReader, encodeFrame, encodeHead } from '../../functions/frames.ts';

type Seen = [number, number, string];

/** What a reader gives that keeps payloads, and so does one whose chunks are overwritten after each call. */
function read(pieces: readonly Buffer[]): Seen[] {
  const kept: [number, number, Buffer][] = [];
  const atOnce: Seen[] = [];
  const keep = createFrameReader((kind, run, payload) => kept.push([kind, run, payload]));
  const readAtOnce = createFrameReader(
    (kind, run, payload) => atOnce.push([kind, run, payload.toString()]),
    'read at once',
  );
  for (const piece of pieces) {
    keep(Buffer.from(piece));
    const chunk = Buffer.from(piece);
    readAtOnce(chunk);
    chunk.fill(0xff);
  }
  const seen = kept.map(([kind, run, payload]): Seen => [kind, run, payload.toString()]);
  expect(atOnce).toEqual(seen);
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

  it('of all sizes follow each other in the memory of a large one', () => {
    const payloads = ['', 'x'.repeat(300_000), 'y', 'z'.repeat(70_000), '', 'é'.repeat(9)];
    const frames = payloads.map((payload, run) => encodeFrame(2, run, payload));
    const bytes = Buffer.concat(frames);
    for (const size of [7, 65_536, 212_992]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(read(pieces)).toEqual(payloads.map((payload, run) => [2, run, payload]));
    }
  });

  it('refuses a length that no message can have', () => {
    expect(() => read([Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0])])).toThrow(RangeError);
  });
});
