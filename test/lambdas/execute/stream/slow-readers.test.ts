// Many streams at once, whose readers are slow or read nothing: what waits in memory is bounded, and no stream waits for another.
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFrameQueue, type FrameQueue } from '../../../../lambdas/execute/stream/queue.ts';

const STREAMS = 200;
const FRAME = `${'x'.repeat(1_023)}\n`;
/** A MiB a stream. */
const FRAMES = 1_024;
/** A frame queue's room, a frame more, and what a readable takes ahead. */
const MAX_WAITING_FRAMES = 64;
/** Turns of the event loop after which everything that can go on has gone on. */
const TURNS = 20;

const clock = { timer: () => () => undefined };

/** Writes all frames, each when there is room, and then ends. */
function write(queue: FrameQueue) {
  const progress = { accepted: 0, ended: false };
  const writing = (async () => {
    for (; progress.accepted < FRAMES; progress.accepted += 1) await queue.push(FRAME);
    queue.end('end');
    progress.ended = true;
  })();
  return { progress, writing };
}

async function readAll({ body }: FrameQueue): Promise<number> {
  let bytes = 0;
  for await (const piece of body) bytes += (piece as Buffer).length;
  return bytes;
}

describe('200 streams of a MiB each', () => {
  it('hold a bounded part of it in memory while nobody reads, and let others pass', async () => {
    const unread = Array.from({ length: STREAMS }, () => createFrameQueue(clock));
    const writers = unread.map(write);
    const read = createFrameQueue(clock);
    const other = write(read);
    expect(await readAll(read)).toBe(FRAMES * FRAME.length + 'end'.length);
    expect(other.progress.ended).toBe(true);
    for (let turns = 0; turns < TURNS; turns += 1) await turn();
    const waiting = writers.map(({ progress }) => progress.accepted);
    expect(Math.max(...waiting)).toBeLessThanOrEqual(MAX_WAITING_FRAMES);
    expect(waiting.reduce((sum, frames) => sum + frames * FRAME.length, 0)).toBeLessThan(13 * 1024 * 1024);
    // Read at last, each is whole.
    const bytes = await Promise.all(unread.map(readAll));
    expect(new Set(bytes)).toEqual(new Set([FRAMES * FRAME.length + 'end'.length]));
    await Promise.all(writers.map(({ writing }) => writing));
  });

  it('are written to their end when their readers have gone', async () => {
    const left = Array.from({ length: STREAMS }, () => createFrameQueue(clock));
    const writers = left.map(write);
    for (const { body } of left) body.destroy();
    await Promise.all(writers.map(({ writing }) => writing));
    expect(writers.every(({ progress }) => progress.ended)).toBe(true);
  });
});
