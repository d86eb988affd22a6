// The messages between the runner and a function's process: length, kind, number of the run, payload, over one pipe.

/** Kinds of message. `start`, `invoke`, `pause` and `resume` go to the process, all others come from it. */
export const FRAME = {
  /** JSON of {@link StartMessage}: sent once, before anything else. */
  start: 1,
  /** JSON of {@link InvokeMessage}, a line feed, the event's JSON. */
  invoke: 2,
  ready: 3,
  /** JSON of a {@link FunctionError}: the bundle could not be loaded; the process ends after it. */
  initFailure: 4,
  result: 5,
  /** JSON of a {@link FunctionError}: the handler failed. */
  failure: 6,
  chunk: 7,
  /** The streamed answer is complete. */
  end: 8,
  /** The handler's promise is settled: the environment can take one more invocation. */
  free: 9,
  /** Back pressure: the run sends no more of its answer until `resume`. */
  pause: 10,
  resume: 11,
} as const;

/** Settings that the process needs before it loads the bundle. */
export interface StartMessage {
  readonly loopbackSymbol?: string | undefined;
}

/** The head of an invocation. */
export interface InvokeMessage {
  readonly requestId: string;
  readonly functionArn: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** The payload that Lambda returns for a failed run (Lambda Developer Guide, "Error handling"). */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

const HEADER_BYTES = 9;
/** The number of messages that belong to no run. */
export const NO_RUN = 0;
/** Far above any payload that Lambda takes: a longer one means that the bundle wrote into the pipe. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

/** The head of a message: length of its payload (32 bits, little endian), kind (8 bits), number of the run (32 bits). */
export function encodeHead(kind: number, run: number, length: number): Buffer {
  return writeHead(Buffer.allocUnsafe(HEADER_BYTES), kind, run, length);
}

function writeHead(frame: Buffer, kind: number, run: number, length: number): Buffer {
  frame.writeUInt32LE(length, 0);
  frame[4] = kind;
  frame.writeUInt32LE(run, 5);
  return frame;
}

/** The bytes of all pieces. */
export function byteLength(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** One message as bytes. */
export function encodeFrame(kind: number, run: number, payload: string | Uint8Array = ''): Buffer {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length;
  const frame = writeHead(Buffer.allocUnsafe(HEADER_BYTES + length), kind, run, length);
  if (typeof payload === 'string') frame.write(payload, HEADER_BYTES);
  else frame.set(payload, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into messages.
 * @param onFrame called for each complete message, in order; the payload may share memory with the chunk
 * @returns a function that takes the next bytes
 * @throws RangeError for a length that no message can have
 */
export function createFrameReader(
  onFrame: (kind: number, run: number, payload: Buffer) => void,
): (chunk: Buffer) => void {
  // The pieces of a large payload are joined once, when all are there.
  let pieces: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = HEADER_BYTES;
  return (chunk) => {
    let rest = chunk;
    if (heldBytes > 0) {
      pieces.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes < neededBytes) return;
      rest = Buffer.concat(pieces, heldBytes);
      pieces = [];
      heldBytes = 0;
    }
    let offset = 0;
    neededBytes = HEADER_BYTES;
    while (rest.length - offset >= HEADER_BYTES) {
      const length = rest.readUInt32LE(offset);
      if (length > MAX_FRAME_BYTES) throw new RangeError(`A message cannot have ${length} bytes.`);
      const next = offset + HEADER_BYTES + length;
      if (next > rest.length) {
        neededBytes = HEADER_BYTES + length;
        break;
      }
      const payload = rest.subarray(offset + HEADER_BYTES, next);
      onFrame(rest[offset + 4] ?? 0, rest.readUInt32LE(offset + 5), payload);
      offset = next;
    }
    if (offset < rest.length) {
      pieces = [offset === 0 ? rest : rest.subarray(offset)];
      heldBytes = rest.length - offset;
    }
  };
}
