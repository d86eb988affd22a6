// A settlement is retried only when it was certainly not made, after delays with backoff and full jitter.
import { expect, it } from 'vitest';
import { sendSettlement } from '../../../core/limits/send-settlement.ts';
import { CounterFailure, type CounterFailureKind } from '../../../core/ports/counters.ts';

const settlement = { key: 'a', changes: [{ metric: 'requests', taken: -1, held: 0 }] } as const;

/** Sends it to a store that fails in these ways, one after the other, and then succeeds. */
async function send(...failures: readonly (CounterFailureKind | 'defect')[]) {
  const waitsMs: number[] = [];
  let sent = 0;
  const settle = async () => {
    const failure = failures[sent];
    sent += 1;
    if (failure === 'defect') throw new Error('a defect');
    if (failure !== undefined) throw new CounterFailure(failure);
  };
  const clock = {
    now: () => 0,
    monotonicMs: () => 0,
    sleep: async (ms: number) => {
      waitsMs.push(ms);
    },
    timer: () => () => undefined,
  };
  const random = { fraction: () => 0.5 };
  const outcome = await sendSettlement(settlement, { counters: { settle }, clock, random }).then(
    () => 'made',
    (thrown: Error) => thrown.message,
  );
  return { outcome, sent, waitsMs };
}

it('sends a settlement once when it succeeds', async () => {
  expect(await send()).toEqual({ outcome: 'made', sent: 1, waitsMs: [] });
});

it('retries a throttled settlement twice, after up to 50 and up to 200 ms', async () => {
  expect(await send('throttled')).toEqual({ outcome: 'made', sent: 2, waitsMs: [25] });
  expect(await send('throttled', 'throttled')).toEqual({ outcome: 'made', sent: 3, waitsMs: [25, 100] });
  expect(await send('throttled', 'throttled', 'throttled')).toEqual({
    outcome: 'the counters table failed: throttled',
    sent: 3,
    waitsMs: [25, 100],
  });
});

it('does not retry a settlement with an unknown outcome, or after a defect', async () => {
  expect(await send('unknown')).toMatchObject({ outcome: 'the counters table failed: unknown', sent: 1 });
  expect(await send('throttled', 'unknown', 'throttled')).toMatchObject({ sent: 2 });
  expect(await send('defect')).toEqual({ outcome: 'a defect', sent: 1, waitsMs: [] });
});
