// Streams of Bedrock: frames, their checksums and lengths, and when an answer of ConverseStream is whole.
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFrameDecoder } from '../../../../adapters/providers/bedrock/frame-decoder.ts';
import { take } from '../stream-http.ts';
import { bedrockEvent as event, frame, open, readBody } from '../streams/protocols.ts';

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const BEDROCK = { name: 'bedrock', contentType: 'application/vnd.amazon.eventstream' } as const;

const text = (words: string, contentBlockIndex = 0) =>
  event('contentBlockDelta', { contentBlockIndex, delta: { text: words }, p: 'abc' });
const input = (contentBlockIndex: number, fragment: string) =>
  event('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input: fragment } } });
const call = (contentBlockIndex: number, toolUse: object) =>
  event('contentBlockStart', { contentBlockIndex, start: { toolUse } });
const close = (contentBlockIndex: number) => event('contentBlockStop', { contentBlockIndex });
const stop = (stopReason: unknown) => event('messageStop', { stopReason });
const USAGE = event('metadata', {
  usage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
  metrics: { latencyMs: 1 },
});
const END = { type: 'end', usage: { input: 3, output: 5 }, modelVersion: undefined };

const read = (...frames: readonly Uint8Array[]) => readBody(BEDROCK, { pieces: [Buffer.concat(frames)] });

describe('a frame', () => {
  const decode = (...pieces: readonly Uint8Array[]) => {
    const decoder = createFrameDecoder();
    return [...pieces.flatMap((piece) => [...decoder.push(piece)]), ...decoder.end()];
  };
  const hex = (bytes: string) => Buffer.from(bytes.replaceAll(' ', ''), 'hex');

  it('is read as the vectors of the format have it (smithy-lang/smithy-typescript, event-stream codec)', () => {
    const empty = decode(hex('00000010 00000000 05c248eb 7d98c8ff'));
    expect(empty).toMatchObject([{ headers: new Map() }]);
    expect(empty[0]?.payload.byteLength).toBe(0);
    const [payload] = decode(hex('0000001d 00000000 fd528c5a 7b27666f6f273a27626172277d c3653936'));
    expect(Buffer.from(payload?.payload ?? []).toString()).toBe("{'foo':'bar'}");
  });

  it('may have headers of every type, of which texts are kept', () => {
    const headers = [
      '0161 00',
      '0162 01',
      '0163 02 7f',
      '0164 03 0102',
      '0165 04 01020304',
      '0166 05 0102030405060708',
      '0167 06 0002 ffff',
      '0168 07 0003 e282ac',
      '0169 08 0102030405060708',
      '016a 09 00112233445566778899aabbccddeeff',
    ].join('');
    expect(decode(signed(hex(headers)))[0]?.headers).toEqual(new Map([['h', '€']]));
  });

  it.each([
    ['a header of an unknown type', '0161 0a'],
    ['a name that is cut', '0961'],
    ['a value that is cut', '0161 07 0009 62'],
    ['a number that is cut', '0161 05 00'],
  ])('fails with %s', (_what, headers) => {
    expect(() => decode(signed(hex(headers)))).toThrow('header');
  });

  it.each([
    ['the checksum of its prelude is wrong', (bytes: Buffer) => bytes.writeUInt8(1, 11), 'prelude'],
    ['its own checksum is wrong', (bytes: Buffer) => bytes.writeUInt8(1, bytes.length - 1), 'frame is wrong'],
    ['it is shorter than a frame can be', (bytes: Buffer) => relength(bytes, 15, 0), 'contradict'],
    ['its headers are longer than itself', (bytes: Buffer) => relength(bytes, 20, 9), 'contradict'],
    [
      'it announces more than 4 MiB, before they come',
      (bytes: Buffer) => relength(bytes, 4 * 1024 * 1024 + 1, 0),
      'too long',
    ],
  ])('fails where %s', (_what, spoil, message) => {
    const bytes = signed(Buffer.alloc(0), Buffer.from('{}'));
    spoil(bytes);
    expect(() => decode(bytes)).toThrow(message);
  });

  it('fails where the body ends within it', () => {
    expect(() => decode(signed(Buffer.alloc(0)).subarray(0, 15))).toThrow('within a frame');
  });
});

/** A frame with these bytes as its headers. */
function signed(headers: Buffer, payload: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(12), headers, payload, Buffer.alloc(4)]);
  relength(bytes, bytes.length, headers.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}

function relength(bytes: Buffer, length: number, headersLength: number): void {
  bytes.writeUInt32BE(length, 0);
  bytes.writeUInt32BE(headersLength, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
}

describe('a whole answer', () => {
  it('ends by messageStop and metadata, in either order', async () => {
    for (const ends of [
      [stop('end_turn'), USAGE],
      [USAGE, stop('end_turn')],
    ]) {
      const { events } = await read(
        event('messageStart', { role: 'assistant' }),
        text('Hel'),
        text('lo'),
        close(0),
        ...ends,
      );
      expect(events).toEqual([
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
        { ...END, finish: 'stop' },
      ]);
    }
  });

  it('has no usage where the body ends before metadata', async () => {
    const { events } = await read(text('Hi'), stop('end_turn'));
    expect(events.at(-1)).toEqual({ ...END, finish: 'stop', usage: undefined });
  });

  it('gives calls of tools whole, fragments of parallel ones apart, and {} where there is no argument', async () => {
    const { events } = await read(
      event('contentBlockStart', { contentBlockIndex: 0, start: {} }),
      text('Wait.'),
      call(1, { toolUseId: 'a', name: 'one' }),
      call(2, { toolUseId: 'b', name: 'two' }),
      input(1, '{"x":'),
      input(2, ''),
      input(1, '1}'),
      close(1),
      close(2),
      stop('tool_use'),
      USAGE,
    );
    expect(events.slice(1)).toEqual([
      { type: 'toolCall', call: { id: 'a', name: 'one', arguments: { x: 1 } } },
      { type: 'toolCall', call: { id: 'b', name: 'two', arguments: {} } },
      { ...END, finish: 'toolCalls' },
    ]);
  });

  it('passes over reasoning, citations and events that nobody knows', async () => {
    const { text: words } = await read(
      event('contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'hm' } } }),
      event('contentBlockDelta', { contentBlockIndex: 0, delta: { citation: {} } }),
      event('ofTomorrow', { x: 1 }),
      text('Hi', 1),
      stop('end_turn'),
      USAGE,
    );
    expect(words).toBe('Hi');
  });

  it.each([
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'filtered'],
    ['content_filtered', 'filtered'],
    ['of_tomorrow', 'other'],
  ])('that ended by %s has ended by %s', async (reason, finish) => {
    expect((await read(text('Hi'), stop(reason), USAGE)).events.at(-1)).toEqual({ ...END, finish });
  });
});

describe('no whole answer', () => {
  it.each<[string, readonly Uint8Array[]]>([
    ['without messageStop', [text('Hi'), USAGE]],
    ['that goes on after messageStop', [text('Hi'), stop('end_turn'), text(' there'), USAGE]],
    ['whose stop has no reason', [text('Hi'), stop(undefined), USAGE]],
    ['with arguments of no call', [input(0, '{}'), stop('tool_use'), USAGE]],
    ['with a call that has no name', [call(0, { toolUseId: 'a' }), stop('tool_use'), USAGE]],
    [
      'with an exception',
      [
        text('Hi'),
        frame({ ':message-type': 'exception', ':exception-type': 'x' }, { message: 'm' }),
        stop('end_turn'),
        USAGE,
      ],
    ],
    [
      'with an error of the stream',
      [
        text('Hi'),
        frame({ ':message-type': 'error', ':error-code': 'x', ':error-message': 'm' }, {}),
        stop('end_turn'),
        USAGE,
      ],
    ],
    [
      'with a message of no type',
      [text('Hi'), frame({ ':event-type': 'metadata' }, {}), stop('end_turn'), USAGE],
    ],
  ])('is one %s', async (_what, frames) => {
    const outcome = await read(...frames);
    expect(outcome.thrown).toMatchObject({ name: 'ProviderFailure', kind: 'truncated', status: 200 });
    expect(outcome.events.map(({ type }) => type)).not.toContain('end');
  });

  it('says what the stream says of its error', async () => {
    const { thrown } = await read(
      frame({ ':message-type': 'error', ':error-code': 'x', ':error-message': 'm' }, {}),
    );
    expect(thrown).toMatchObject({ explanation: { code: 'x', message: 'm' } });
  });
});

describe('the request', () => {
  it('is signed for ConverseStream', async () => {
    const { stream, requests } = open(BEDROCK, {
      pieces: [Buffer.concat([text('Hi'), stop('end_turn'), USAGE])],
    });
    expect((await take(stream())).text).toBe('Hi');
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream',
      headers: {
        accept: 'application/vnd.amazon.eventstream',
        authorization: expect.stringContaining('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/'),
      },
    });
  });

  it('that is answered with an error fails before the stream', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-amzn-errortype': 'ThrottlingException:http://internal.amazon.com/',
    };
    const body = JSON.stringify({ message: 'Too many requests' });
    const { thrown } = await take(open(BEDROCK, { status: 429, headers, pieces: [body] }).stream());
    expect(thrown).toMatchObject({
      kind: 'rate_limited',
      status: 429,
      explanation: { code: 'ThrottlingException' },
    });
  });
});
