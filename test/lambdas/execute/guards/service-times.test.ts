// How long guards by services are waited for. Time begins to pass when each of them has been asked: what is loaded first takes none.
import { expect, it } from 'vitest';
import type { OpenHttp } from '../../../../adapters/http/message.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { openGuarded } from './function.ts';
import { answerWith, PASS, toServer, webhook } from './one-service.ts';

const PRICES = { 'model/m': { input: 1, output: 1 } };

/** Guards whose services take so many milliseconds. */
function open(waits: Readonly<Record<string, number>>, more: object = {}) {
  answerWith(() => PASS);
  const names = Object.keys(waits);
  const clock = createMemoryClock(Date.UTC(2026, 10, 22, 12));
  const all = Promise.withResolvers<void>();
  let asked = 0;
  const guardHttp: OpenHttp = async (request) => {
    asked += 1;
    const passed = clock.sleep(waits[new URL(request.url).pathname.slice(1)] ?? 0, request.signal);
    if (asked === names.length) all.resolve();
    await passed;
    return toServer(request);
  };
  const library = Object.fromEntries(names.map((name) => [name, webhook(`/${name}`, more)]));
  const guards = names.map((use) => ({ use, on: ['input'], action: 'block' }));
  const usageLimits = [{ metric: 'cost', limit: 1, period: 'day' }];
  const guarded = openGuarded({ library, guards, guardHttp, clock, usageLimits, prices: PRICES });
  /** The answer, when no time has passed but so many steps of 100 ms. */
  const callFor = async (steps: number) => {
    const call = guarded.call({ input: 'Hello' });
    await all.promise;
    for (let step = 0; step < steps; step += 1) await clock.advance(100);
    return call;
  };
  return { ...guarded, callFor };
}

it('two of 300 ms beside each other wait once for 300 ms', async () => {
  const { callFor, entries } = open({ one: 300, two: 300 });
  expect((await callFor(3)).status).toBe(200);
  expect(entries[0]?.latencyMs).toBe(300);
  expect(entries[0]?.guards?.map(({ ms }) => ms)).toEqual([300, 300]);
});

it('one of 2 s with a time of 1 s is given up in 1 s: no model is called, and what it may have used is booked', async () => {
  const { callFor, asked, entries, counters } = open(
    { slow: 2_000 },
    { timeout: '1s', prices: { call: 0.001 } },
  );
  const { status, headers } = await callFor(10);
  expect([status, asked]).toEqual([503, []]);
  expect(headers['retry-after'] ?? headers['Retry-After']).toBe('1');
  expect(entries[0]).toMatchObject({
    code: 'guard_unavailable',
    latencyMs: 1_000,
    costMicrodollars: 1_000,
    tokensInput: 0,
    guards: [{ guard: 'slow', notJudged: 'timeout', ms: 1_000 }],
  });
  expect([...counters.states.values()].map(({ counts }) => counts.cost?.taken)).toEqual([1_000]);
});
