// The cache in memory: fresh, stale, backed off, bounded, and one load at a time.
import { describe, expect, it } from 'vitest';
import { type CacheLimits, createCache } from '../../../core/async/cache.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';

const LIMITS: CacheLimits = {
  maximum: 2,
  maxStaleMs: 60_000,
  errorBackoffMs: 2_000,
  backOffWithoutValue: false,
};
const TTL_MS = 10_000;

/** A cache whose source the test sets, and the loads that were made. */
function open(limits: Partial<CacheLimits> = {}) {
  const clock = createMemoryClock();
  const cache = createCache<string>(clock, { ...LIMITS, ...limits });
  const loads: string[] = [];
  const source = { answer: async (key: string): Promise<string> => key };
  const read = async (key: string, waitMs?: number) => {
    const reading = await cache.read(key, {
      isFresh: (_value, ageMs) => ageMs < TTL_MS,
      load: () => {
        loads.push(key);
        return source.answer(key);
      },
      ...(waitMs === undefined ? {} : { waitMs }),
    });
    return `${reading.value} (${reading.source})`;
  };
  return { clock, loads, source, read };
}

const down = async () => {
  throw new Error('down');
};

describe('a cached value', () => {
  it('is loaded once and used until it is no longer fresh, to the millisecond', async () => {
    const { clock, read, loads } = open();
    expect(await read('a')).toBe('a (load)');
    await clock.advance(TTL_MS - 1);
    expect(await read('a')).toBe('a (cache)');
    await clock.advance(1);
    expect(await read('a')).toBe('a (load)');
    expect(loads).toEqual(['a', 'a']);
  });

  it('counts its age from before its load', async () => {
    const { clock, read, source } = open();
    source.answer = async (key) => {
      await clock.sleep(4_000);
      return key;
    };
    const first = read('a');
    await clock.advance(4_000);
    await first;
    await clock.advance(TTL_MS - 4_001);
    expect(await read('a')).toBe('a (cache)');
    source.answer = async () => 'new';
    await clock.advance(1);
    expect(await read('a')).toBe('new (load)');
  });

  it('is used no longer by a clock that leaps back, and no longer than the time of day allows', async () => {
    const { clock, read } = open();
    await read('a');
    clock.leap(-3_600_000);
    await clock.advance(TTL_MS - 1);
    expect(await read('a')).toBe('a (cache)');
    await clock.advance(1);
    expect(await read('a')).toBe('a (load)');
    // An environment that was frozen: no time of its own has passed.
    clock.leap(TTL_MS);
    expect(await read('a')).toBe('a (load)');
  });

  it('may be undefined', async () => {
    const cache = createCache<undefined>(createMemoryClock(), LIMITS);
    const read = { isFresh: () => true, load: async () => undefined };
    expect((await cache.read('a', read)).source).toBe('load');
    expect((await cache.read('a', read)).source).toBe('cache');
  });

  it('is evicted when there are too many, the least recently used first', async () => {
    const { read, loads } = open();
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await read(key);
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });
});

describe('a load that fails', () => {
  it('leaves the last value in use up to max stale, to the millisecond', async () => {
    const { clock, read, source } = open();
    await read('a');
    source.answer = down;
    await clock.advance(59_999);
    expect(await read('a')).toBe('a (stale)');
    await clock.advance(1);
    await expect(read('a')).rejects.toThrow('down');
  });

  it('is not repeated during the backoff, where a stale value can be used', async () => {
    const { clock, read, source, loads } = open();
    await read('a');
    source.answer = down;
    await clock.advance(TTL_MS);
    await read('a');
    source.answer = async () => 'new';
    await clock.advance(1_999);
    expect(await read('a')).toBe('a (stale)');
    expect(loads).toHaveLength(2);
    await clock.advance(1);
    expect(await read('a')).toBe('new (load)');
  });

  it('is repeated at once without such a value', async () => {
    const { read, source } = open();
    source.answer = down;
    await expect(read('a')).rejects.toThrow('down');
    source.answer = async () => 'new';
    expect(await read('a')).toBe('new (load)');
  });

  it('is not repeated without such a value either, where the backoff says so', async () => {
    const { clock, read, source, loads } = open({ backOffWithoutValue: true });
    source.answer = down;
    await expect(read('a')).rejects.toThrow('down');
    source.answer = async () => 'new';
    await clock.advance(1_999);
    await expect(read('a')).rejects.toThrow('a moment ago');
    expect(loads).toHaveLength(1);
    await clock.advance(1);
    expect(await read('a')).toBe('new (load)');
  });

  it('is forgotten after one that succeeds', async () => {
    const { clock, read, source, loads } = open({ errorBackoffMs: 30_000 });
    await read('a');
    await clock.advance(TTL_MS);
    source.answer = down;
    await read('a');
    await clock.advance(30_000);
    source.answer = async () => 'new';
    await read('a');
    await clock.advance(TTL_MS);
    expect(await read('a')).toBe('new (load)');
    expect(loads).toHaveLength(4);
  });

  it('fails the read where max stale is 0', async () => {
    const { clock, read, source } = open({ maxStaleMs: 0, errorBackoffMs: 0 });
    await read('a');
    await clock.advance(TTL_MS);
    source.answer = down;
    await expect(read('a')).rejects.toThrow('down');
    await expect(read('a')).rejects.toThrow('down');
  });

  it('evicts no value, however many keys fail', async () => {
    const { clock, read, source } = open();
    await read('a');
    await clock.advance(TTL_MS);
    source.answer = down;
    for (const key of ['b', 'c', 'd', 'e']) await expect(read(key)).rejects.toThrow('down');
    expect(await read('a')).toBe('a (stale)');
  });

  it('may throw instead of rejecting', async () => {
    const { read, source } = open();
    source.answer = () => {
      throw new Error('at once');
    };
    await expect(read('a')).rejects.toThrow('at once');
    source.answer = async () => 'new';
    expect(await read('a')).toBe('new (load)');
  });
});

describe('reads at the same time', () => {
  it('share one load, of each key', async () => {
    const { read, loads } = open();
    await Promise.all(['a', 'b', 'a', 'b', 'a'].map((key) => read(key)));
    expect(loads).toEqual(['a', 'b']);
  });

  it('share one failure', async () => {
    const { read, source, loads } = open();
    source.answer = down;
    const ended = await Promise.allSettled([read('a'), read('a'), read('a')]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(loads).toHaveLength(1);
  });

  it('each wait as long as their own limit, and leave no timer behind', async () => {
    const { clock, read, source, loads } = open();
    source.answer = async (key) => {
      await clock.sleep(5_000);
      return key;
    };
    const first = read('a');
    const patient = read('a', 6_000);
    const impatient = read('a', 500);
    const rejected = expect(impatient).rejects.toThrow('no answer within 500 ms');
    await clock.advance(500);
    await rejected;
    await clock.advance(4_500);
    expect(await Promise.all([first, patient])).toEqual(['a (load)', 'a (load)']);
    expect(loads).toHaveLength(1);
    expect(clock.sleepers).toBe(0);
  });
});

describe('a read without time left', () => {
  it('starts no load and no backoff', async () => {
    const { clock, read, loads } = open({ backOffWithoutValue: true });
    await expect(read('a', 0)).rejects.toThrow('no time');
    expect(loads).toEqual([]);
    expect(await read('a', 1)).toBe('a (load)');
    await clock.advance(TTL_MS);
    expect(await read('a', 0)).toBe('a (stale)');
    expect(await read('a', 1)).toBe('a (load)');
  });
});
