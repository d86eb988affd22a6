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
const EMPTY = Buffer.alloc(0);
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

/** The bytes of all texts. */
export function byteLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
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
 * @param payloads `read at once`: what was given is not read after the call, so the memory of one message serves the next
 * @returns a function that takes the next bytes
 * @throws RangeError for a length that no message can have
 */
export function createFrameReader(
  onFrame: (kind: number, run: number, payload: Buffer) => void,
  payloads?: 'read at once',
): (chunk: Buffer) => void {
  /** The beginning of a message whose end has not come, and room for it. */
  let held = EMPTY;
  let heldBytes = 0;
  const hold = (bytes: Buffer, frameBytes: number) => {
    if (held.length < frameBytes) {
      const larger = Buffer.allocUnsafeSlow(frameBytes);
      held.copy(larger, 0, 0, heldBytes);
      held = larger;
    }
    heldBytes += bytes.copy(held, heldBytes);
  };
  const emit = (frame: Buffer) => onFrame(frame[4] ?? 0, frame.readUInt32LE(5), frame.subarray(HEADER_BYTES));
  return (chunk) => {
    for (let rest = chunk; rest.length > 0; ) {
      const frameBytes = measureFrame(heldBytes > 0 ? held.subarray(0, heldBytes) : rest);
      const part = rest.subarray(0, frameBytes - heldBytes);
      rest = rest.subarray(part.length);
      if (part.length === frameBytes) {
        emit(part);
        continue;
      }
      hold(part, frameBytes);
      if (heldBytes < frameBytes || measureFrame(held.subarray(0, heldBytes)) > heldBytes) continue;
      const frame = held.subarray(0, heldBytes);
      heldBytes = 0;
      if (payloads === undefined) held = EMPTY;
      emit(frame);
    }
  };
}

/** The length of the message that begins so; that of its head where not even this is there. */
function measureFrame(bytes: Buffer): number {
  if (bytes.length < HEADER_BYTES) return HEADER_BYTES;
  const length = bytes.readUInt32LE(0);
  if (length > MAX_FRAME_BYTES) throw new RangeError(`A message cannot have ${length} bytes.`);
  return HEADER_BYTES + length;
}
