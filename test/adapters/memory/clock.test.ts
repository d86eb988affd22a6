// The clock that tests move by hand.
import { describe, expect, it } from 'vitest';
import { createMemoryClock } from '../../support/memory/clock.ts';

describe('the clock in memory', () => {
  it('wakes sleepers in the order of their time, each at its own', async () => {
    const clock = createMemoryClock(100);
    const woken: string[] = [];
    const sleep = async (name: string, milliseconds: number) => {
      await clock.sleep(milliseconds);
      woken.push(`${name} at ${clock.now()}`);
    };
    const all = [sleep('late', 30), sleep('early', 10)];
    await clock.advance(29);
    expect(woken).toEqual(['early at 110']);
    await clock.advance(1);
    await Promise.all(all);
    expect(woken).toEqual(['early at 110', 'late at 130']);
  });

  it('wakes a sleeper that lies down again on the way', async () => {
    const clock = createMemoryClock();
    let rounds = 0;
    const run = async () => {
      for (; rounds < 3; rounds += 1) await clock.sleep(10);
    };
    const running = run();
    await clock.advance(30);
    await running;
    expect(rounds).toBe(3);
  });

  it("rejects with the signal's reason, and forgets the sleeper", async () => {
    const clock = createMemoryClock();
    const reason = new Error('given up');
    const input = new AbortController();
    const sleeping = clock.sleep(10, input.signal);
    input.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await expect(clock.sleep(10, input.signal)).rejects.toBe(reason);
    expect(clock.sleepers).toBe(0);
  });

  it('calls a timer back at its time, and forgets one that was stopped', async () => {
    const clock = createMemoryClock();
    const called: number[] = [];
    clock.timer(10, () => called.push(clock.now()));
    const stop = clock.timer(5, () => called.push(clock.now()));
    stop();
    expect(clock.sleepers).toBe(1);
    await clock.advance(20);
    expect(called).toEqual([10]);
  });
});
