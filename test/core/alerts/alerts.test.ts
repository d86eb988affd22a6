// Each share of a limit is alerted once a window, whatever happens to whoever finds it and to whoever sends it.
import { describe, expect, it, test } from 'vitest';
import type { AlertOutbox } from '../../../core/ports/alerts.ts';
import { createAlerting, ENTRY, NOON_MS } from './alerting.ts';

const RULE = { metric: 'tokens' as const, limit: 1000, period: 'day' as const, alertAt: [50, 80, 100] };
const LEASE_MS = 120_000;
const NONE = { count: 0, error: undefined };

describe('alerts', () => {
  it('are sent to every channel when the share is reached, and never again in the window', async () => {
    const alerting = createAlerting([RULE]);
    const one = alerting.environment();
    await alerting.use('tokens', 600);
    expect(await one.raise([ENTRY])).toEqual(NONE);
    expect(await one.raise([ENTRY])).toEqual(NONE);
    expect(await alerting.environment().raise([ENTRY])).toEqual(NONE);
    await alerting.use('tokens', 200);
    await alerting.environment().raise([ENTRY]);
    await one.sendDue();
    expect(alerting.taken(0)).toEqual(['tokens 50', 'tokens 80']);
    expect(alerting.taken(1)).toEqual(['tokens 50', 'tokens 80']);
    expect(await alerting.records()).toMatchObject([
      { alert: { share: 50, used: 600 }, sentAtMs: { eventBus: NOON_MS, topic: NOON_MS } },
      { alert: { share: 80, used: 800 }, sentAtMs: { eventBus: NOON_MS, topic: NOON_MS } },
    ]);
  });

  it('are sent again in the next window, and of a limit that was changed', async () => {
    const alerting = createAlerting([RULE]);
    const environment = alerting.environment();
    await alerting.use('tokens', 500);
    await environment.raise([ENTRY]);
    const tomorrow = NOON_MS + 86_400_000;
    await alerting.use('tokens', 500, 0, tomorrow);
    await environment.raise([{ ...ENTRY, timeMs: tomorrow }]);
    expect(alerting.channels[0].taken.map(({ windowStart }) => windowStart.slice(0, 10))).toEqual([
      '2026-11-21',
      '2026-11-22',
    ]);
    alerting.input.limits = [{ ...RULE, limit: 2000 }];
    await alerting.use('tokens', 500);
    await environment.raise([ENTRY]);
    expect(alerting.channels[0].taken.map(({ limit }) => limit)).toEqual([1000, 1000, 2000]);
  });

  it('are each sent once when a hundred environments find a hundred crossings at once', async () => {
    const rules = (['requests', 'tokens', 'cost'] as const).flatMap((metric) =>
      (['day', 'month'] as const).map((period) => ({
        ...{ metric, period, limit: 1000 },
        alertAt: [1, 2, 3, 5, 8, 13, 21, 34, 55, 89],
      })),
    );
    const alerting = createAlerting(rules);
    for (const { metric } of rules) await alerting.use(metric, 500);
    const entries = Array.from({ length: 2 }, (_, day) => ({ ...ENTRY, timeMs: NOON_MS - day * 86_400_000 }));
    for (const { metric } of rules) await alerting.use(metric, 1000, 0, NOON_MS - 86_400_000);
    const environments = Array.from({ length: 100 }, () => alerting.environment());
    await Promise.all(environments.flatMap((one) => [one.raise(entries), one.sendDue()]));
    await alerting.clock.advance(LEASE_MS);
    await Promise.all(environments.map((one) => one.sendDue()));
    const ids = alerting.channels[0].taken.map(({ id }) => id);
    // Three metrics; ten shares of the months and of yesterday, and of today.
    expect(ids).toHaveLength(90);
    expect(new Set(ids).size).toBe(90);
    expect(alerting.channels[1].taken.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it('stay in the outbox while a channel refuses them, and are sent by the schedule, to that channel alone', async () => {
    const alerting = createAlerting([RULE]);
    const [eventBus, topic] = alerting.channels;
    const environment = alerting.environment();
    await alerting.use('tokens', 500);
    eventBus.outcome = 'refused';
    expect(await environment.raise([ENTRY])).toEqual({ count: 1, error: expect.any(TypeError) });
    expect(await environment.raise([ENTRY])).toEqual(NONE);
    expect(await environment.sendDue()).toEqual({ count: 1, error: expect.any(TypeError) });
    expect((await alerting.records()).map(({ sentAtMs }) => sentAtMs)).toEqual([{ topic: NOON_MS }]);
    eventBus.outcome = 'taken';
    await alerting.clock.advance(60_000);
    expect(await alerting.environment().sendDue()).toEqual(NONE);
    expect(await alerting.environment().sendDue()).toEqual(NONE);
    expect([eventBus.taken.length, topic.taken.length]).toEqual([1, 1]);
    expect((await alerting.records()).map(({ sentAtMs }) => sentAtMs)).toEqual([
      { topic: NOON_MS, eventBus: NOON_MS + 60_000 },
    ]);
  });

  it('are sent again under the same id when nobody knows whether they were sent', async () => {
    const alerting = createAlerting([RULE]);
    const [eventBus] = alerting.channels;
    await alerting.use('tokens', 500);
    eventBus.outcome = 'lost';
    await alerting.environment().raise([ENTRY]);
    eventBus.outcome = 'taken';
    await alerting.environment().sendDue();
    expect(eventBus.taken).toHaveLength(2);
    expect(eventBus.taken[1]).toEqual(eventBus.taken[0]);
    expect(await alerting.records()).toHaveLength(1);
  });
});

describe('a run that is still going on', () => {
  const DAY_MS = 86_400_000;

  it('has used a limit before its entry comes: the schedule finds it for who was called lately, once', async () => {
    const alerting = createAlerting([RULE], [{ ...RULE, metric: 'requests' }]);
    const environment = alerting.environment();
    expect(await environment.raiseWatched()).toEqual(NONE);
    await environment.raise([{ ...ENTRY, keyId: 'k1' }]);
    await alerting.use('tokens', 500);
    await alerting.use('requests', 800);
    expect(await environment.raiseWatched()).toEqual(NONE);
    expect(alerting.taken().toSorted()).toEqual(['requests 50', 'requests 80', 'tokens 50']);
    await alerting.environment().raiseWatched();
    await alerting.environment().raise([{ ...ENTRY, keyId: 'k1' }]);
    expect(alerting.taken()).toHaveLength(3);
  });

  it('is looked for until two days after the last call, in the window that is and that which was', async () => {
    const alerting = createAlerting([RULE]);
    await alerting.environment().raise([ENTRY]);
    await alerting.use('tokens', 500);
    // From noon to half a minute after midnight: both days are looked at.
    await alerting.clock.advance(DAY_MS / 2 + 30_000);
    await alerting.use('tokens', 800, 0, NOON_MS + DAY_MS / 2);
    await alerting.environment().raiseWatched();
    expect(alerting.taken().toSorted()).toEqual(['tokens 50', 'tokens 50', 'tokens 80']);
    await alerting.clock.advance(1.5 * DAY_MS);
    await alerting.use('tokens', 1000, 0, alerting.clock.now());
    await alerting.environment().raiseWatched();
    expect(alerting.taken()).toHaveLength(3);
  });

  it('is looked for as long as calls come, and written down once a day', async () => {
    const alerting = createAlerting([RULE]);
    const environment = alerting.environment();
    let written = 0;
    const { watch } = alerting.store;
    alerting.store.watch = async (...input) => {
      written += 1;
      await watch(...input);
    };
    for (let hour = 0; hour <= 72; hour += 1) {
      await environment.raise([{ ...ENTRY, timeMs: alerting.clock.now() }]);
      await alerting.clock.advance(3_600_000);
    }
    expect(written).toBe(4);
    expect((await alerting.store.listWatched(alerting.clock.now(), { maximum: 10 })).owners).toHaveLength(1);
  });

  it('is found where more are watched than one look has room for: they take turns, again and again', async () => {
    const alerting = createAlerting([RULE]);
    const environment = alerting.environment();
    for (let number = 0; number < 1_000; number += 1) {
      const organizationId = `id-${String(number).padStart(4, '0')}`;
      await alerting.store.watch({ organization: 'other', organizationId, keyId: undefined }, NOON_MS);
    }
    await environment.raise([ENTRY]);
    await alerting.use('tokens', 500);
    await environment.raiseWatched();
    await environment.raiseWatched();
    expect(alerting.taken()).toEqual([]);
    await environment.raiseWatched();
    expect(alerting.taken()).toEqual(['tokens 50']);
    await alerting.use('tokens', 300);
    for (let look = 0; look < 3; look += 1) await environment.raiseWatched();
    expect(alerting.taken()).toEqual(['tokens 50', 'tokens 80']);
  });

  it('is not looked for where no share is open, and what cannot be written down holds up nothing', async () => {
    const alerting = createAlerting([RULE]);
    await alerting.use('tokens', 1000);
    const written: unknown[] = [];
    alerting.store.watch = async (owner) => {
      written.push(owner);
      throw new Error('the usage table is down');
    };
    expect(await alerting.environment().raise([ENTRY])).toEqual(NONE);
    expect(alerting.taken()).toEqual(['tokens 50', 'tokens 80', 'tokens 100']);
    expect(written).toEqual([]);
    const tomorrow = { ...ENTRY, timeMs: NOON_MS + DAY_MS };
    expect(await alerting.environment().raise([tomorrow])).toEqual(NONE);
    expect(written).toHaveLength(1);
  });
});

/** The steps at which whoever raises or sends may be killed. */
const STEPS = ['add', 'lease', 'markSent', 'release', 'settle'] as const;

/** An outbox whose user is gone at a step: before or after the step was made, nothing follows. */
function killedAt(step: (typeof STEPS)[number], when: 'before' | 'after', store: AlertOutbox): AlertOutbox {
  const method = store[step] as (...values: readonly unknown[]) => Promise<unknown>;
  const gone = new Promise<never>(() => undefined);
  const killed = async (...values: readonly unknown[]) => {
    if (when === 'after') await method(...values);
    return gone;
  };
  return { ...store, [step]: killed };
}

describe('a function that is killed', () => {
  test.each(STEPS.flatMap((step) => (['before', 'after'] as const).map((when) => [when, step] as const)))(
    '%s the step %s leaves each share for others to alert once',
    async (when, step) => {
      const alerting = createAlerting([RULE]);
      await alerting.use('tokens', 500);
      const [eventBus, topic] = alerting.channels;
      const killed = alerting.environment(killedAt(step, when, alerting.store));
      // Only what was refused is released, and only what is unsent is leased.
      if (step === 'release' || step === 'lease') eventBus.outcome = 'refused';
      void killed.raise([ENTRY]);
      await alerting.clock.advance(1);
      if (step === 'lease') void killed.sendDue();
      await alerting.clock.advance(1);
      eventBus.outcome = 'taken';
      // The stream delivers the entries again, others read on, and the schedule goes on.
      await alerting.environment().raise([ENTRY]);
      await alerting.environment().sendDue();
      await alerting.clock.advance(LEASE_MS);
      await alerting.environment().raise([ENTRY]);
      await alerting.environment().sendDue();
      await alerting.environment().sendDue();
      const ids = new Set([...eventBus.taken, ...topic.taken].map(({ id }) => id));
      expect(ids.size).toBe(1);
      expect(await alerting.records()).toHaveLength(1);
      // Between the answer of a channel and the record of it nobody knows that it was sent.
      const most = step === 'markSent' && when === 'before' ? 2 : 1;
      expect([eventBus.taken.length, topic.taken.length]).toEqual([most, most]);
      expect((await alerting.records())[0]?.sentAtMs).toEqual({
        eventBus: expect.any(Number),
        topic: expect.any(Number),
      });
      expect(await alerting.store.listDue(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    },
  );

  it('makes the entries come again where the limits, the counters or the outbox fail, and sends what was recorded', async () => {
    const alerting = createAlerting([RULE]);
    await alerting.use('tokens', 800);
    let adds = 0;
    const failing: AlertOutbox = {
      ...alerting.store,
      async add(alert, untilMs) {
        adds += 1;
        if (adds === 2) throw new Error('the usage table is down');
        return alerting.store.add(alert, untilMs);
      },
    };
    const environment = alerting.environment(failing);
    await expect(environment.raise([ENTRY])).rejects.toThrow('the usage table is down');
    expect(alerting.taken()).toEqual(['tokens 50']);
    expect(await environment.raise([ENTRY])).toEqual(NONE);
    expect(alerting.taken()).toEqual(['tokens 50', 'tokens 80']);
  });

  it('waits while another writes the same record, and gives the batch back when that takes too long', async () => {
    const alerting = createAlerting([RULE]);
    await alerting.use('tokens', 500);
    let conflicts = 3;
    const busy: AlertOutbox = {
      ...alerting.store,
      async add(alert, untilMs) {
        conflicts -= 1;
        return conflicts >= 0 ? 'conflict' : alerting.store.add(alert, untilMs);
      },
    };
    const raised = alerting.environment(busy).raise([ENTRY]);
    await alerting.clock.advance(1_000);
    expect(await raised).toEqual(NONE);
    expect(alerting.taken()).toEqual(['tokens 50']);
    const never: AlertOutbox = { ...alerting.store, add: async () => 'conflict' };
    const failed = alerting.environment(never).raise([ENTRY]);
    const expected = expect(failed).rejects.toThrow('conflicts for too long');
    await alerting.clock.advance(60_000);
    await expected;
  });
});
