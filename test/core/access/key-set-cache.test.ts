// Key sets in memory: how long they are used, how often they are fetched, and what a failing endpoint costs.
import { describe, expect, it } from 'vitest';
import { cacheKeySets } from '../../../core/access/key-set-cache.ts';
import { createMemoryClock } from '../../support/memory/clock.ts';
import { keyOf, kidsOf, LIMITS, MINUTE, open, SECOND, URL_A } from './key-set-endpoints.ts';

const URL_B = 'https://b.example/jwks';

describe('a key set', () => {
  it('is fetched once and used until it is no longer fresh, to the millisecond', async () => {
    const { read, fetches, answers, clock } = open();
    expect(await read()).toEqual(['one']);
    answers.set(URL_A, [keyOf('two')]);
    await clock.advance(10 * MINUTE - 1);
    expect(await read()).toEqual(['one']);
    expect(fetches).toHaveLength(1);
    await clock.advance(1);
    expect(await read()).toEqual(['two']);
    expect(fetches).toHaveLength(2);
  });

  it('loses a removed key at the lower bound of the setting', async () => {
    const { read, answers, clock } = open({ ttlMs: 5 * SECOND });
    answers.set(URL_A, [keyOf('one'), keyOf('gone')]);
    await read();
    answers.set(URL_A, [keyOf('one')]);
    await clock.advance(5 * SECOND - 1);
    expect(await read()).toEqual(['one', 'gone']);
    await clock.advance(1);
    expect(await read()).toEqual(['one']);
  });

  it('counts its age from before the fetch', async () => {
    const { clock, keySets, fetches } = (() => {
      const counted: string[] = [];
      const slow = createMemoryClock(0);
      const cache = cacheKeySets(
        async (url) => {
          counted.push(url);
          await slow.advance(1_500);
          return [keyOf('one')];
        },
        slow,
        { ...LIMITS, ttlMs: 5 * SECOND },
      );
      return { clock: slow, keySets: cache, fetches: counted };
    })();
    await keySets.read(URL_A, keySets.openBudget());
    await clock.advance(3_500);
    await keySets.read(URL_A, keySets.openBudget());
    expect(fetches).toHaveLength(2);
  });

  it('is used when it has just come, however long that took', async () => {
    const slow = createMemoryClock(0);
    const fetchSlowly = async () => {
      await slow.advance(1_500);
      return [keyOf('one')];
    };
    const keySets = cacheKeySets(fetchSlowly, slow, { ...LIMITS, ttlMs: SECOND, maxStaleMs: SECOND });
    expect(await kidsOf(keySets.read(URL_A, keySets.openBudget()))).toEqual(['one']);
  });

  it('may hold no key at all: that is an answer', async () => {
    const { read, answers } = open();
    answers.set(URL_A, []);
    expect(await read()).toEqual([]);
  });

  it('is kept for a bounded number of URLs, those used last', async () => {
    const { read, fetches, answers } = open();
    for (const url of ['1', '2', '3', '4']) answers.set(url, [keyOf(url)]);
    for (const url of ['1', '2', '3']) await read(url);
    await read('1');
    await read('4');
    fetches.length = 0;
    for (const url of ['1', '3', '4', '2']) await read(url);
    expect(fetches).toEqual(['2']);
  });

  it('keeps its place against a URL that was not asked for want of time', async () => {
    const { read, keySets, fetches, answers, clock } = open();
    for (const url of ['1', '2', '3']) {
      answers.set(url, [keyOf(url)]);
      await read(url);
    }
    expect(await keySets.read('4', { endsAtMs: clock.now() })).toBe('failed');
    expect(await read('1')).toEqual(['1']);
    expect(fetches).toEqual(['1', '2', '3']);
  });
});

describe('an endpoint that fails', () => {
  it('is left alone for a while', async () => {
    const { read, fetches, answers, clock } = open();
    answers.set(URL_A, new Error('500'));
    for (let call = 0; call < 100; call += 1) expect(await read()).toBe('failed');
    expect(fetches).toHaveLength(1);
    await clock.advance(10 * SECOND - 1);
    await read();
    expect(fetches).toHaveLength(1);
    await clock.advance(1);
    answers.set(URL_A, [keyOf('one')]);
    expect(await read()).toEqual(['one']);
  });

  it('leaves its last set in use until that is too old, to the millisecond', async () => {
    const { read, fetches, answers, clock } = open();
    await read();
    answers.set(URL_A, new Error('500'));
    await clock.advance(10 * MINUTE);
    expect(await read()).toEqual(['one']);
    await clock.advance(50 * MINUTE - 1);
    expect(await read()).toEqual(['one']);
    await clock.advance(1);
    expect(await read()).toBe('failed');
    expect(fetches).toHaveLength(3);
    await clock.advance(10 * SECOND);
    answers.set(URL_A, [keyOf('two')]);
    expect(await read()).toEqual(['two']);
    // The failure is forgotten with it.
    await clock.advance(10 * MINUTE - 1);
    answers.set(URL_A, [keyOf('three')]);
    expect(await read()).toEqual(['two']);
    await clock.advance(1);
    expect(await read()).toEqual(['three']);
  });

  it('does not keep a set longer than it is fresh where stale sets are not wanted', async () => {
    const { read, answers, clock } = open({ ttlMs: 5 * SECOND, maxStaleMs: 5 * SECOND });
    await read();
    answers.set(URL_A, new Error('500'));
    await clock.advance(5 * SECOND);
    expect(await read()).toBe('failed');
  });

  it('is given up after two seconds', async () => {
    const { read, answers, clock } = open();
    answers.set(URL_A, 'stall');
    const reading = read();
    let isSettled = false;
    void reading.then(() => {
      isSettled = true;
    });
    await clock.advance(1_999);
    expect(isSettled).toBe(false);
    await clock.advance(1);
    expect(await reading).toBe('failed');
  });
});

describe('the time for all URLs of a request', () => {
  it('ends after five seconds, and what was not asked is not remembered as failed', async () => {
    const { keySets, fetches, answers, clock } = open();
    const budget = keySets.openBudget();
    for (const url of ['1', '2', '3', '4']) answers.set(url, 'stall');
    const readings: string[] = [];
    const all = (async () => {
      for (const url of ['1', '2', '3', '4']) readings.push(String(await keySets.read(url, budget)));
    })();
    await clock.advance(2_000);
    await clock.advance(2_000);
    await clock.advance(999);
    expect(readings).toEqual(['failed', 'failed']);
    await clock.advance(1);
    await all;
    expect(readings).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(fetches).toEqual(['1', '2', '3']);
    answers.set('4', [keyOf('four')]);
    expect(await kidsOf(keySets.read('4', keySets.openBudget()))).toEqual(['four']);
  });

  it('leaves a set in use that was not fetched again for want of it', async () => {
    const { keySets, read, clock } = open();
    await read();
    await clock.advance(10 * MINUTE);
    expect(await kidsOf(keySets.read(URL_A, { endsAtMs: clock.now() }))).toEqual(['one']);
    expect(await keySets.refresh(URL_A, { endsAtMs: clock.now() })).toBe('failed');
    expect(await keySets.read(URL_B, { endsAtMs: clock.now() })).toBe('failed');
    expect(await keySets.refresh(URL_B, { endsAtMs: clock.now() })).toBe('failed');
  });

  it('bounds the wait for what another request fetches', async () => {
    const { keySets, fetches, answers, clock } = open();
    answers.set(URL_A, 'stall');
    const first = keySets.read(URL_A, keySets.openBudget());
    const hasted = keySets.read(URL_A, { endsAtMs: clock.now() + 500 });
    await clock.advance(500);
    expect(await hasted).toBe('failed');
    await clock.advance(1_500);
    expect(await first).toBe('failed');
    expect(fetches).toHaveLength(1);
  });
});

describe('requests at the same time', () => {
  it('share one fetch', async () => {
    const { read, fetches } = open();
    const readings = await Promise.all(Array.from({ length: 50 }, () => read()));
    expect(readings.every((kids) => String(kids) === 'one')).toBe(true);
    expect(fetches).toHaveLength(1);
  });

  it('leave no timer behind, not even those that waited for another', async () => {
    const { read, clock } = open();
    await Promise.all([read(), read(), read()]);
    expect(clock.sleepers).toBe(0);
  });

  it('share one failure', async () => {
    const { read, fetches, answers } = open();
    answers.set(URL_A, new Error('500'));
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => read())))).toEqual(new Set(['failed']));
    expect(fetches).toHaveLength(1);
  });
});

describe('a set that lacks a key', () => {
  const again = ({ keySets }: ReturnType<typeof open>) =>
    kidsOf(keySets.refresh(URL_A, keySets.openBudget()));

  it('is fetched again once it is old enough, to the millisecond', async () => {
    const opened = open();
    await opened.read();
    opened.answers.set(URL_A, [keyOf('two')]);
    expect(await again(opened)).toBe('recent');
    await opened.clock.advance(30 * SECOND - 1);
    expect(await again(opened)).toBe('recent');
    await opened.clock.advance(1);
    expect(await again(opened)).toEqual(['two']);
    expect(await again(opened)).toBe('recent');
    expect(await opened.read()).toEqual(['two']);
  });

  it('is fetched where none is kept, and at once where the last fetch failed long enough ago', async () => {
    const opened = open();
    expect(await again(opened)).toEqual(['one']);
    const failing = open();
    failing.answers.set(URL_A, new Error('500'));
    expect(await again(failing)).toBe('failed');
    failing.answers.set(URL_A, [keyOf('two')]);
    await failing.clock.advance(10 * SECOND);
    expect(await again(failing)).toEqual(['two']);
  });

  it('is no answer when the endpoint fails, and stays in use', async () => {
    const opened = open();
    await opened.read();
    opened.answers.set(URL_A, new Error('500'));
    await opened.clock.advance(30 * SECOND);
    for (let call = 0; call < 10; call += 1) expect(await again(opened)).toBe('failed');
    expect(await opened.read()).toEqual(['one']);
    expect(opened.fetches).toHaveLength(2);
    await opened.clock.advance(10 * SECOND);
    opened.answers.set(URL_A, [keyOf('two')]);
    expect(await again(opened)).toEqual(['two']);
  });

  it('bounds the fetches by a flood to one in 30 seconds, or in 10 while the endpoint fails', async () => {
    const opened = open();
    for (let second = 0; second < 120; second += 1) {
      await opened.read();
      for (let token = 0; token < 10; token += 1) await again(opened);
      await opened.clock.advance(SECOND);
    }
    expect(opened.fetches).toHaveLength(4);
    opened.fetches.length = 0;
    opened.answers.set(URL_A, new Error('500'));
    for (let second = 0; second < 120; second += 1) {
      await opened.read();
      for (let token = 0; token < 10; token += 1) await again(opened);
      await opened.clock.advance(SECOND);
    }
    expect(opened.fetches).toHaveLength(12);
  });
});
