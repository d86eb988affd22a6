// Settings in memory: fresh, stale, unknown, and asked for at least a version.
import { describe, expect, it } from 'vitest';
import { cacheSettings, type SettingsCacheLimits } from '../../../core/settings/settings-cache.ts';
import type { StoredSettings } from '../../../core/settings/stored-settings.ts';

const LIMITS: SettingsCacheLimits = { ttlMs: 15_000, maxStaleMs: 60_000, unknownMs: 5_000, maximum: 2 };

function stored(write: number): StoredSettings {
  return {
    organization: { id: 'o1', slug: 'acme', document: { organization: 'acme' }, pause: undefined, write: 1 },
    neuron: {
      id: 'n1',
      organizationId: 'o1',
      slug: 'hello',
      document: { neuron: 'acme/hello', access: { public: true } },
      deployment: undefined,
      previewKeys: {},
      cacheGeneration: 0,
      write,
    },
    maintenance: undefined,
  };
}

const UNKNOWN: StoredSettings = { organization: undefined, neuron: undefined, maintenance: undefined };

/** A store whose answer the test sets, a clock that the test moves, and the reads that were made. */
function scene(limits = LIMITS) {
  const state = { now: 0, answer: stored(1) as StoredSettings | Error, reads: [] as string[] };
  const store = {
    async read(organization: string, neuron: string) {
      state.reads.push(`${organization}/${neuron}`);
      if (state.answer instanceof Error) throw state.answer;
      return state.answer;
    },
  };
  const clock = {
    now: () => state.now,
    monotonicMs: () => state.now,
    sleep: async () => undefined,
    timer: () => () => undefined,
  };
  return { state, cache: cacheSettings(store, clock, limits) };
}

const writeOf = async (read: Promise<{ stored: StoredSettings }>) => (await read).stored.neuron?.write;

describe('cached settings', () => {
  it('are read once while they are fresh, and again from the very end of that time', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    state.now = 14_999;
    await cache.read('acme', 'hello');
    expect(state.reads).toHaveLength(1);
    state.now = 15_000;
    await cache.read('acme', 'hello');
    expect(state.reads).toHaveLength(2);
  });

  it('of neurons that do not exist evict none of those that do, and are bounded themselves', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    state.answer = UNKNOWN;
    for (let index = 0; index < 1_000; index += 1) await cache.read('acme', `no-${index}`);
    state.reads.length = 0;
    await cache.read('acme', 'hello');
    await cache.read('acme', 'no-999');
    expect(state.reads).toEqual([]);
    await cache.read('acme', 'no-0');
    expect(state.reads).toEqual(['acme/no-0']);
  });

  it('are those of now when a neuron is made, or deleted', async () => {
    const { state, cache } = scene();
    const answers = [stored(1), UNKNOWN, stored(2)];
    for (const answer of answers) {
      state.answer = answer;
      state.now += 15_000;
      expect((await cache.read('acme', 'hello')).stored).toBe(answer);
    }
    expect((await cache.read('acme', 'hello')).stored).toBe(answers[2]);
  });

  it('of an unknown neuron are asked for again after a shorter time', async () => {
    const { state, cache } = scene();
    state.answer = UNKNOWN;
    await cache.read('acme', 'nobody');
    state.now = 4_999;
    await cache.read('acme', 'nobody');
    state.now = 5_000;
    await cache.read('acme', 'nobody');
    expect(state.reads).toHaveLength(2);
  });

  it('serve while their store fails, and fail when they are too old', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    state.answer = new Error('down');
    state.now = 59_999;
    expect(await writeOf(cache.read('acme', 'hello'))).toBe(1);
    state.now = 60_000;
    await expect(cache.read('acme', 'hello')).rejects.toThrow('down');
  });

  it('fail at once when nothing was ever read', async () => {
    const { state, cache } = scene();
    state.answer = new Error('down');
    await expect(cache.read('acme', 'hello')).rejects.toThrow('down');
  });

  it('are read again when another function has seen a newer version', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    state.answer = stored(2);
    expect(await writeOf(cache.read('acme', 'hello', { organization: 1, neuron: 1 }))).toBe(1);
    expect(await writeOf(cache.read('acme', 'hello', { organization: 1, neuron: 2 }))).toBe(2);
    expect(state.reads).toHaveLength(2);
  });

  it('are read once for requests that come at the same time', async () => {
    const { state, cache } = scene();
    await Promise.all(Array.from({ length: 20 }, () => cache.read('acme', 'hello')));
    expect(state.reads).toHaveLength(1);
  });

  it('forget the neuron that was read longest ago when there are too many', async () => {
    const { state, cache } = scene();
    for (const neuron of ['one', 'two', 'three', 'two', 'three', 'one']) await cache.read('acme', neuron);
    expect(state.reads).toEqual(['acme/one', 'acme/two', 'acme/three', 'acme/one']);
  });

  it('never mix two neurons', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    await cache.read('acme-hello', 'x');
    expect(state.reads).toEqual(['acme/hello', 'acme-hello/x']);
  });
});

describe('cached settings while their store fails', () => {
  it('are served at once for a while instead of waiting for the store with every call', async () => {
    const { state, cache } = scene();
    await cache.read('acme', 'hello');
    state.answer = new Error('down');
    state.now = 15_000;
    await cache.read('acme', 'hello');
    state.now = 16_999;
    await cache.read('acme', 'hello');
    expect(state.reads).toHaveLength(2);
    state.now = 17_000;
    state.answer = stored(2);
    expect(await writeOf(cache.read('acme', 'hello'))).toBe(2);
  });
});
