// Bounded waits: in time, too late, given up from outside.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { firstAborted, untilAborted, waitAtMost, within } from '../../../core/async/race.ts';
import { startDeadline } from '../../../core/time/deadline.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const never = () => new Promise<never>(() => undefined);

describe('work within a time', () => {
  it('gives what it gives in time, and leaves no timer behind', async () => {
    const clock = createMemoryClock();
    const input = within(clock, 100, async () => {
      await clock.sleep(99);
      return 'done';
    });
    await clock.advance(99);
    expect(await input).toBe('done');
    expect(clock.sleepers).toBe(0);
  });

  it('is left behind when the time is up, also when it ignores its signal', async () => {
    const clock = createMemoryClock();
    let signal: AbortSignal | undefined;
    const input = within(clock, 100, (input) => {
      signal = input;
      return never();
    });
    const rejected = expect(input).rejects.toThrow('no answer within 100 ms');
    await clock.advance(99);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1);
    await rejected;
    expect(signal?.aborted).toBe(true);
  });

  it('fails as it fails, also before it begins', async () => {
    const clock = createMemoryClock();
    const failing = within(clock, 100, async () => {
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    const thrown = within(clock, 100, () => {
      throw new Error('at once');
    });
    await expect(thrown).rejects.toThrow('at once');
    expect(clock.sleepers).toBe(0);
  });
});

describe('a wait for work', () => {
  it('ends with the work, and leaves no timer behind', async () => {
    const clock = createMemoryClock();
    await waitAtMost(clock, 100, Promise.resolve('done'));
    await expect(waitAtMost(clock, 100, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(clock.sleepers).toBe(0);
  });

  it('ends when the time is up, whatever the work does later', async () => {
    const clock = createMemoryClock();
    const { promise, reject } = Promise.withResolvers<void>();
    let isOver = false;
    const waited = waitAtMost(clock, 100, promise).then(() => {
      isOver = true;
    });
    await clock.advance(99);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await waited;
    reject(new Error('late'));
  });
});

describe('work until a signal', () => {
  it('gives what it gives, or fails as it fails', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, Promise.resolve('done'))).toBe('done');
    await expect(untilAborted(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('is left behind with the reason of the signal', async () => {
    const controller = new AbortController();
    const rejected = expect(untilAborted(controller.signal, never())).rejects.toThrow('enough');
    controller.abort(new Error('enough'));
    await rejected;
  });

  it('is not waited for when the signal has aborted before', async () => {
    await expect(untilAborted(AbortSignal.abort(new Error('before')), never())).rejects.toThrow('before');
  });
});

describe('a deadline', () => {
  it('aborts at its moment, and says how long that is', async () => {
    const clock = createMemoryClock(1_000);
    const deadline = startDeadline(clock, 100);
    await clock.advance(99);
    expect(deadline.remainingMs()).toBe(1);
    expect(deadline.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(deadline.remainingMs()).toBe(0);
    expect(deadline.signal.reason).toMatchObject({ code: 'deadline_exceeded' });
  });

  it.each([-3_600_000, 3_600_000])('is not moved by a clock that leaps by %d ms', async (leapMs) => {
    const clock = createMemoryClock(1_000);
    const deadline = startDeadline(clock, 100);
    clock.leap(leapMs);
    expect(deadline.remainingMs()).toBe(100);
    await clock.advance(100);
    expect(deadline.signal.aborted).toBe(true);
  });

  it('never aborts once it was ended, and leaves no timer behind', async () => {
    const clock = createMemoryClock();
    const deadline = startDeadline(clock, 100);
    deadline.end();
    await clock.advance(200);
    expect(deadline.signal.aborted).toBe(false);
    expect(clock.sleepers).toBe(0);
  });
});

describe('the first of several signals', () => {
  it('gives its reason once, whichever it is, and no later one', () => {
    for (const first of [0, 1, 2]) {
      const input = [new AbortController(), new AbortController(), new AbortController()];
      const { signal } = firstAborted(input.map((one) => one.signal));
      expect(signal.aborted).toBe(false);
      input[first]?.abort(`number ${first}`);
      for (const one of input) one.abort('later');
      expect(signal.reason).toBe(`number ${first}`);
    }
  });

  it('may have aborted before', () => {
    const { signal } = firstAborted([new AbortController().signal, AbortSignal.abort('before')]);
    expect([signal.aborted, signal.reason]).toEqual([true, 'before']);
  });

  it('means nothing once it was ended, and leaves no listener behind', () => {
    const input = [new AbortController(), new AbortController()];
    const { signal, end } = firstAborted(input.map((one) => one.signal));
    expect(input.map((one) => getEventListeners(one.signal, 'abort').length)).toEqual([1, 1]);
    end();
    expect(input.map((one) => getEventListeners(one.signal, 'abort').length)).toEqual([0, 0]);
    for (const one of input) one.abort('late');
    expect(signal.aborted).toBe(false);
  });
});
