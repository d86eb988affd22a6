// Identical requests at once share one run.
import { describe, expect, it } from 'vitest';
import { createInFlightRuns } from '../../../core/cache/in-flight.ts';
import { lookUp } from '../../../core/cache/lookup.ts';
import { planCaching } from '../../../core/cache/plan.ts';
import { answerOf, createTestCache, NOW_MS, requestOf } from './requests.ts';

/** Lets everything run that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('identical requests at once', () => {
  async function leaderOf(inFlight = createInFlightRuns()) {
    const plan = planCaching(requestOf());
    const look = (signal = new AbortController().signal) =>
      lookUp({
        plan,
        exact: Promise.resolve({ kind: 'absent' }),
        inFlight,
        now: () => NOW_MS,
        signal,
        semanticSearch: async () => ({}),
      });
    return { look, leader: await look() };
  }

  it('share the answer of the first, as if it had been stored', async () => {
    const { look, leader } = await leaderOf();
    const followers = [look(), look()];
    await settled();
    expect(leader).toMatchObject({ result: 'miss' });
    leader.complete?.(answerOf('shared'));
    for (const follower of await Promise.all(followers)) {
      expect(follower).toMatchObject({ result: 'exact', found: { output: 'shared' } });
    }
  });

  it('run themselves where the first made nothing that may be shared', async () => {
    const { look, leader } = await leaderOf();
    const follower = look();
    await settled();
    leader.complete?.(undefined);
    expect(await follower).toEqual({ result: 'miss', failures: [] });
  });

  it('wait no longer than their deadline', async () => {
    const { look } = await leaderOf();
    const deadline = new AbortController();
    const follower = look(deadline.signal);
    await settled();
    deadline.abort(new Error('over'));
    await expect(follower).rejects.toThrow('over');
  });

  it('have a new leader once the first is complete', async () => {
    const inFlight = createInFlightRuns();
    const { look, leader } = await leaderOf(inFlight);
    leader.complete?.(undefined);
    expect((await look()).complete).toBeDefined();
  });

  it('are not identical across scopes', async () => {
    const cache = createTestCache();
    const other = planCaching(requestOf({ neuronId: 'neu-2' }));
    const own = planCaching(requestOf());
    if (own.kind !== 'use' || other.kind !== 'use') throw new Error('these requests are cached');
    expect(cache.inFlight.join(own.key).role).toBe('leader');
    expect(cache.inFlight.join(own.key).role).toBe('follower');
    expect(cache.inFlight.join(other.key).role).toBe('leader');
  });
});
