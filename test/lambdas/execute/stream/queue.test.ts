// Frames on their way to the caller: in order, whole, no more ahead than a slow reader leaves room for, and signs of life.
import { describe, expect, it } from 'vitest';
import { createFrameQueue } from '../../../../lambdas/execute/stream/queue.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';

const PING = ': ping\n\n';

async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Lets everything run that waits for nothing but its turn. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of frames', () => {
  it('gives every frame in order and ends after the last', async () => {
    const { push, end, body } = createFrameQueue(createMemoryClock());
    const read = readAll(body);
    await push('one\n\n');
    await turn();
    await push('two 😀\n\n');
    end('three\n\n');
    expect(await read).toBe('one\n\ntwo 😀\n\nthree\n\n');
  });

  it('gives frames that were there before it was read, and cuts large ones into pieces', async () => {
    const { push, end, body } = createFrameQueue(createMemoryClock());
    const large = '€'.repeat(20_000);
    void push(large);
    end('!');
    const sizes: number[] = [];
    const pieces: Buffer[] = [];
    for await (const piece of body as AsyncIterable<Buffer>) {
      sizes.push(piece.length);
      pieces.push(piece);
    }
    expect(Buffer.concat(pieces).toString()).toBe(`${large}!`);
    expect(Math.max(...sizes)).toBe(16_384);
  });

  it('holds a writer back until the reader has taken what waits', async () => {
    const { push, end, body } = createFrameQueue(createMemoryClock());
    let isThrough = false;
    const pushed = push('x'.repeat(16_384)).then(() => {
      isThrough = true;
    });
    await turn();
    expect(isThrough).toBe(false);
    const read = readAll(body);
    await pushed;
    end('');
    expect((await read).length).toBe(16_384);
  });

  it('takes no more from a writer than room for one reader that stands still', async () => {
    const { push, body } = createFrameQueue(createMemoryClock());
    let pushed = 0;
    void (async () => {
      for (let count = 0; count < 1_000; count += 1) {
        await push('x'.repeat(4_096));
        pushed += 1;
      }
    })();
    body.read(0);
    for (let turns = 0; turns < 50; turns += 1) await turn();
    // What the queue holds, and what the stream took ahead.
    expect(pushed).toBeLessThan(20);
    body.destroy();
    for (let turns = 0; turns < 2_000 && pushed < 1_000; turns += 1) await turn();
    expect(pushed).toBe(1_000);
  });

  it('lets the run go on when nobody reads any more, also when nobody ever did', async () => {
    const { push, end, body } = createFrameQueue(createMemoryClock());
    const held = push('x'.repeat(20_000));
    body.destroy();
    await held;
    await push('y'.repeat(20_000));
    end('z');
    expect(body.destroyed).toBe(true);
  });

  it('sends a comment after each 15 s without a frame, and none sooner', async () => {
    const clock = createMemoryClock();
    const { push, end, body } = createFrameQueue(clock);
    const read = readAll(body);
    await clock.advance(14_999);
    await push('a');
    await clock.advance(14_999);
    await push('b');
    await clock.advance(45_000);
    end('c');
    expect(await read).toBe(`ab${PING.repeat(3)}c`);
  });

  it('leaves no timer behind', async () => {
    const clock = createMemoryClock();
    const { end, body } = createFrameQueue(clock);
    const read = readAll(body);
    await turn();
    end('last');
    await read;
    expect(clock.sleepers).toBe(0);
  });
});
