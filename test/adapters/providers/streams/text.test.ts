// The texts of a stream's deltas together are the text of the answer, byte for byte, wherever deltas and network pieces are cut.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { strideOf } from '../../../support/every-case.ts';
import { TEXT } from './breaks.ts';
import { open, PROTOCOLS, type Protocol, readBody } from './protocols.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const read = (protocol: Protocol, body: Buffer, size = body.length) =>
  readBody(protocol, {
    pieces: Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
      body.subarray(index * size, (index + 1) * size),
    ),
  });

describe.each(PROTOCOLS)('the text of a stream of $name', (protocol) => {
  it('is whole with deltas cut at every position, also within a surrogate pair', async () => {
    for (let at = 0; at <= TEXT.length; at += 1) {
      const { events, text } = await read(protocol, protocol.encode([TEXT.slice(0, at), TEXT.slice(at)]));
      expect(text).toBe(TEXT);
      expect(
        events.every((event) => event.type !== 'text' || (event.text !== '' && event.text.isWellFormed())),
      ).toBe(true);
      expect(events.at(-1)?.type).toBe('end');
    }
    const units = Array.from({ length: TEXT.length }, (_, at) => TEXT[at] ?? '');
    expect((await read(protocol, protocol.encode(units))).text).toBe(TEXT);
  });

  it('is whole with the bytes cut at every position', async () => {
    const body = protocol.encode(['a', TEXT, 'b']);
    for (let at = 0; at <= body.length; at += 1) {
      const pieces = [body.subarray(0, at), body.subarray(at)];
      expect((await readBody(protocol, { pieces })).text).toBe(`a${TEXT}b`);
    }
    expect((await read(protocol, body, 1)).text).toBe(`a${TEXT}b`);
  });

  it('has U+FFFD for half of a surrogate pair that no other half follows', async () => {
    expect((await read(protocol, protocol.encode(['a\ud83d', 'b', '\ude00', 'c\ud83d']))).text).toBe(
      'a�b�c�',
    );
  });

  it('may have a megabyte, in many deltas or one', async () => {
    const megabyte = '漢字😀 '.repeat(120_000);
    expect(Buffer.byteLength(megabyte)).toBe(1_320_000);
    const deltas = Array.from({ length: 5_000 }, (_, at) => megabyte.slice(at * 120, at * 120 + 120));
    expect((await read(protocol, protocol.encode(deltas), 16_384)).text === megabyte).toBe(true);
    expect((await read(protocol, protocol.encode([megabyte]), 1_460)).text === megabyte).toBe(true);
  });

  it('is bounded: an event of 4 MiB, an answer of 8', async () => {
    const huge = await read(protocol, protocol.encode(['x'.repeat(5 * 1024 * 1024)]), 65_536);
    expect(huge.events).toHaveLength(0);
    expect(huge.thrown).toMatchObject({ kind: 'truncated' });
    const mebibyte = 'x'.repeat(1024 * 1024);
    const long = await read(protocol, protocol.encode(Array.from({ length: 9 }, () => mebibyte)), 65_536);
    expect(long.thrown).toMatchObject({ kind: 'truncated' });
    expect(long.text.length).toBe(8 * 1024 * 1024);
  });

  it('comes no faster than it is taken, and the connection is closed behind whoever stops', async () => {
    const body = protocol.encode(['one', 'two', 'three', 'four']);
    const pieces = Array.from({ length: body.length }, (_, at) => body.subarray(at, at + 1));
    const { stream, taken, closed } = open(protocol, { pieces });
    for await (const event of stream()) if (event.type === 'text') break;
    expect(taken()).toBeLessThan(body.length / 2);
    expect(closed()).toBe(true);
  });

  it('has nothing after the end of the answer', async () => {
    const whole = protocol.encode(['one']);
    const { text, events, thrown } = await read(
      protocol,
      Buffer.concat([whole, protocol.encode(['two']), protocol.error]),
    );
    expect(text).toBe('one');
    expect(events.map(({ type }) => type)).toEqual(['text', 'end']);
    expect(thrown).toBeUndefined();
  });
});

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };

describe.each(PROTOCOLS.filter(({ name }) => name !== 'bedrock'))(
  'server-sent events of $name',
  (protocol) => {
    it.each(Object.entries(LINE_ENDS))('may end their lines by %s, cut anywhere', async (_name, end) => {
      const body = Buffer.from(protocol.recorded.toString().replaceAll('\n', end));
      // A long recording repeats itself: some 3,000 places of each are enough, and 250 for every day.
      const stride = Math.ceil(body.length / 3_000) * strideOf(13);
      for (let at = 0; at <= body.length; at += stride) {
        const pieces = [body.subarray(0, at), body.subarray(at)];
        const { text, events } = await readBody(protocol, { pieces });
        expect(text).toBe(protocol.recordedText);
        expect(events.at(-1)?.type).toBe('end');
      }
    });

    it('may follow a byte order mark, and have comments and other fields between them', async () => {
      const noise = ': OPENROUTER PROCESSING\n\nid: 7\nretry: 10\n\n: ping\n\nunknown: x\n\n';
      const body = Buffer.from(
        `\ufeff${noise}${protocol.recorded.toString().replaceAll('\n\n', `\n\n${noise}`)}`,
      );
      expect(await read(protocol, body, 1)).toMatchObject({ text: protocol.recordedText, thrown: undefined });
    });

    it('may be spread over several lines of data', async () => {
      const body = Buffer.from(protocol.recorded.toString().replaceAll(',"', ',\ndata: "'));
      expect(await read(protocol, body)).toMatchObject({ text: protocol.recordedText, thrown: undefined });
    });

    it('fail where they are not UTF-8', async () => {
      const body = protocol.encode(['é']);
      const broken = Buffer.from(body.toString('latin1').replace('Ã©', 'é'), 'latin1');
      expect(await read(protocol, broken)).toMatchObject({ events: [], thrown: { kind: 'truncated' } });
    });
  },
);
