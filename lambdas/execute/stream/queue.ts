// Frames of a stream on their way from the run to the caller: as many as a slow reader leaves room for, and comments in long silences.
import { Readable } from 'node:stream';
import { PING } from '../../../core/surfaces/event-stream.ts';
import type { Clock } from '../../../core/time/clock.ts';
import { CHUNK_BYTES, chunksOf } from './bytes.ts';

/** Max. text that waits for the reader, in UTF-16 units: as much as Node's own streams take ahead by default. */
const ROOM = 16_384;
/** Silence after which a comment is sent. */
const PING_MS = 15_000;

/** A queue with one reader. */
export interface FrameQueue {
  /** Resolves when the next frame may come. After the last one it adds nothing: a run that was given up may still wait for room. */
  push(frame: string): Promise<void>;
  /** Adds the last frame. */
  end(frame: string): void;
  /** The frames as bytes, each character whole. To be read once; whoever stops reading holds nothing up. */
  readonly body: Readable;
}

export function createFrameQueue(clock: Pick<Clock, 'timer'>): FrameQueue {
  let waiting = '';
  let hasEnded = false;
  let isAbandoned = false;
  let wakeReader: (() => void) | undefined;
  const writers: (() => void)[] = [];

  const add = (frame: string): void => {
    waiting += frame;
    wakeReader?.();
  };
  const take = (): Buffer => {
    const taken = Buffer.from(waiting);
    waiting = '';
    for (const resolve of writers.splice(0)) resolve();
    return taken;
  };
  async function* frames(): AsyncGenerator<Buffer> {
    for (;;) {
      if (waiting !== '') yield* chunksOf(take());
      else if (hasEnded) return;
      else if (!(await isWoken())) yield Buffer.from(PING);
    }
  }
  /** False when nothing came for as long as a connection may be silent. */
  async function isWoken(): Promise<boolean> {
    const { promise: woken, resolve } = Promise.withResolvers<boolean>();
    wakeReader = () => resolve(true);
    const stop = clock.timer(PING_MS, () => resolve(false));
    try {
      return await woken;
    } finally {
      wakeReader = undefined;
      stop();
    }
  }

  const body = Readable.from(frames(), { objectMode: false, highWaterMark: CHUNK_BYTES });
  body.once('close', () => {
    isAbandoned = true;
    take();
  });
  return {
    body,
    async push(frame) {
      if (isAbandoned || hasEnded) return;
      add(frame);
      if (waiting.length >= ROOM) await new Promise<void>((resolve) => writers.push(resolve));
    },
    end(frame) {
      hasEnded = true;
      add(frame);
    },
  };
}
