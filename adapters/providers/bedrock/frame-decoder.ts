// Decodes frames of AWS's event streams (application/vnd.amazon.eventstream; smithy.io/2.0/aws/amazon-eventstream.html) from bytes
// that are split anywhere.
import { crc32 } from 'node:zlib';
import { BrokenStream } from '../streams/broken-stream.ts';
import { MAX_EVENT_LENGTH, type ProtocolDecoder } from '../streams/read-answer.ts';

/** A message with its text headers: Bedrock sends no others. */
export interface Frame {
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Uint8Array;
}

/** Total length, length of the headers, and the checksum of both. A frame ends with a checksum of all of it. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MIN_BYTES = PRELUDE_BYTES + CHECKSUM_BYTES;

/** Bytes of a header's value by type; undefined for texts and bytes, which begin with their length. */
const FIXED_BYTES: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];
const BYTES_TYPE = 6;
const TEXT_TYPE = 7;

/**
 * The decoder of one stream. It verifies both checksums, that of the prelude before it uses its lengths. The SDK's decoder
 * (@smithy/core/event-streams, 15 KiB) allocates the announced memory before it verifies the prelude; tests compare both.
 */
export function createFrameDecoder(): ProtocolDecoder<Frame> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  let wanted = PRELUDE_BYTES;
  /** 0 until the prelude of the current frame is there. */
  let length = 0;

  function* push(piece: Uint8Array): Generator<Frame> {
    pieces.push(piece);
    bytes += piece.byteLength;
    while (bytes >= wanted) {
      const joined = pieces.length === 1 ? (pieces[0] ?? piece) : Buffer.concat(pieces, bytes);
      pieces = [joined];
      if (length === 0) {
        length = readLength(joined);
        wanted = length;
        continue;
      }
      const frame = joined.subarray(0, length);
      pieces = [joined.subarray(length)];
      bytes -= length;
      length = 0;
      wanted = PRELUDE_BYTES;
      yield readFrame(frame);
    }
  }

  return {
    push,
    end() {
      if (bytes > 0) throw new BrokenStream('the stream ended within a frame');
      return [];
    },
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** The total length of the frame whose prelude these bytes begin with. */
function readLength(bytes: Uint8Array): number {
  const prelude = viewOf(bytes);
  if (crc32(bytes.subarray(0, 8)) !== prelude.getUint32(8)) {
    throw new BrokenStream('the checksum of a prelude is wrong');
  }
  const [length, headersLength] = [prelude.getUint32(0), prelude.getUint32(4)];
  if (length > MAX_EVENT_LENGTH) throw new BrokenStream('a frame is too long');
  if (length < MIN_BYTES || headersLength > length - MIN_BYTES) {
    throw new BrokenStream('the lengths of a frame contradict each other');
  }
  return length;
}

function readFrame(frame: Uint8Array): Frame {
  const view = viewOf(frame);
  const end = frame.byteLength - CHECKSUM_BYTES;
  if (crc32(frame.subarray(0, end)) !== view.getUint32(end)) {
    throw new BrokenStream('the checksum of a frame is wrong');
  }
  const headersEnd = PRELUDE_BYTES + view.getUint32(4);
  try {
    return {
      headers: readHeaders(frame.subarray(PRELUDE_BYTES, headersEnd)),
      payload: frame.subarray(headersEnd, end),
    };
  } catch (thrown) {
    // A RangeError: reading went past the headers.
    throw thrown instanceof RangeError ? new BrokenStream('the headers of a frame are cut') : thrown;
  }
}

function readHeaders(bytes: Uint8Array): ReadonlyMap<string, string> {
  const view = viewOf(bytes);
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.byteLength; ) {
    const nameEnd = at + 1 + view.getUint8(at);
    const name = textOf(bytes, at + 1, nameEnd);
    const type = view.getUint8(nameEnd);
    at = nameEnd + 1;
    if (type === TEXT_TYPE || type === BYTES_TYPE) {
      const valueEnd = at + 2 + view.getUint16(at);
      if (type === TEXT_TYPE) headers.set(name, textOf(bytes, at + 2, valueEnd));
      at = valueEnd;
    } else {
      const fixed = FIXED_BYTES[type];
      if (fixed === undefined) throw new BrokenStream('a header of a frame has an unknown type');
      at += fixed;
    }
    if (at > bytes.byteLength) throw new RangeError('past the headers');
  }
  return headers;
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}
