// Which shares of a limit count as reached, in which windows, and what the alert says.
import { describe, expect, it } from 'vitest';
import { toAlertDetail } from '../../../core/alerts/alert.ts';
import { findAlerts as lookAt } from '../../../core/alerts/find-alerts.ts';
import { createAlerting, ENTRY, NOON_MS } from './alerting.ts';

const TOKENS = { metric: 'tokens', limit: 1000, period: 'day', alertAt: [50, 80, 100] } as const;
/** What is reached. */
const findAlerts = async (...input: Parameters<typeof lookAt>) => (await lookAt(...input)).alerts;
const limits = (...rules: object[]) => rules as never;

describe('shares of a usage limit', () => {
  it('are reached when so much is used, to the unit', async () => {
    const alerting = createAlerting(limits(TOKENS));
    const found = async () => (await findAlerts([ENTRY], NOON_MS, alerting.ports)).map(({ share }) => share);
    await alerting.use('tokens', 499);
    expect(await found()).toEqual([]);
    await alerting.use('tokens', 1);
    expect(await found()).toEqual([50]);
    await alerting.use('tokens', 299);
    expect(await found()).toEqual([50]);
    await alerting.use('tokens', 1);
    expect(await found()).toEqual([50, 80]);
    await alerting.use('tokens', 700);
    expect(await found()).toEqual([50, 80, 100]);
  });

  it('are not reached by what is only held', async () => {
    const alerting = createAlerting(limits(TOKENS));
    await alerting.use('tokens', 900, 401);
    expect(await findAlerts([ENTRY], NOON_MS, alerting.ports)).toEqual([]);
    await alerting.use('tokens', 0, -1);
    expect(await findAlerts([ENTRY], NOON_MS, alerting.ports)).toMatchObject([{ share: 50, used: 500 }]);
  });

  it('are those of the windows of the entries, each once', async () => {
    const month = { metric: 'cost', limit: 10_000_000, period: 'month', alertAt: [10] };
    const alerting = createAlerting(limits(TOKENS, month));
    const yesterday = NOON_MS - 86_400_000;
    await alerting.use('tokens', 500, 0, yesterday);
    await alerting.use('cost', 1_000_000, 0, yesterday);
    const entries = [ENTRY, { ...ENTRY, timeMs: NOON_MS + 1 }, { ...ENTRY, timeMs: yesterday }];
    expect(await findAlerts(entries, NOON_MS, alerting.ports)).toEqual([
      expect.objectContaining({
        metric: 'cost',
        windowStartMs: Date.UTC(2026, 10),
        windowEndMs: Date.UTC(2026, 11),
      }),
      expect.objectContaining({
        metric: 'tokens',
        windowStartMs: Date.UTC(2026, 10, 20),
        windowEndMs: Date.UTC(2026, 10, 21),
      }),
    ]);
    expect(await findAlerts([ENTRY], NOON_MS, alerting.ports)).toHaveLength(1);
  });

  it('are none without alertAt, of a limit of nothing, and of an organization without limits', async () => {
    const nothing = { metric: 'cost', limit: 0, period: 'day', alertAt: [50] };
    const alerting = createAlerting(limits({ ...TOKENS, alertAt: undefined }, nothing));
    await alerting.use('tokens', 1000);
    const entries = [ENTRY, { ...ENTRY, organization: 'other', organizationId: 'org-2' }];
    expect(await findAlerts(entries, NOON_MS, alerting.ports)).toEqual([]);
    expect(await findAlerts([], NOON_MS, alerting.ports)).toEqual([]);
  });
});

describe('shares of the limit of an API key', () => {
  it('are reached by the key alone, and are those of the keys of the entries', async () => {
    const alerting = createAlerting(limits(), limits({ ...TOKENS, alertAt: [50] }));
    await alerting.use('tokens', 500);
    const find = (keyId: string | undefined) => findAlerts([{ ...ENTRY, keyId }], NOON_MS, alerting.ports);
    expect(await find('k1')).toEqual([
      expect.objectContaining({ keyId: 'k1', share: 50, limit: 1000, used: 500 }),
    ]);
    expect(await find('k2')).toEqual([]);
    expect(await find(undefined)).toEqual([]);
  });

  it('are alerted beside the same shares of the organization, each under an id of its own', async () => {
    const alerting = createAlerting(
      limits({ ...TOKENS, alertAt: [50] }),
      limits({ ...TOKENS, alertAt: [50] }),
    );
    await alerting.use('tokens', 500);
    const found = await findAlerts([{ ...ENTRY, keyId: 'k1' }, ENTRY], NOON_MS, alerting.ports);
    expect(found.map(({ keyId }) => keyId)).toEqual([undefined, 'k1']);
    expect(new Set(found.map(({ id }) => id)).size).toBe(2);
  });
});

describe('an alert', () => {
  const find = async (
    rule: object,
    metric: 'tokens' | 'cost' | 'requests',
    used: number,
    nowMs = NOON_MS,
  ) => {
    const alerting = createAlerting(limits(rule));
    await alerting.use(metric, used);
    const [alert] = await findAlerts([ENTRY], nowMs, alerting.ports);
    if (alert === undefined) throw new Error('there is no alert');
    return alert;
  };

  it('has an id by what it is about, whenever it is found and however much is used by then', async () => {
    const { id } = await find(TOKENS, 'tokens', 500);
    expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect((await find(TOKENS, 'tokens', 700, NOON_MS + 1)).id).toBe(id);
    expect((await find({ ...TOKENS, limit: 999 }, 'tokens', 500)).id).not.toBe(id);
    expect((await find({ ...TOKENS, alertAt: [49] }, 'tokens', 500)).id).not.toBe(id);
    expect((await find({ ...TOKENS, period: 'month' }, 'tokens', 500)).id).not.toBe(id);
  });

  it('becomes an event of this shape', async () => {
    const cost = { metric: 'cost', limit: 500_000_000, period: 'month', alertAt: [80] };
    const alert = await find(cost, 'cost', 401_200_000);
    expect(toAlertDetail(alert, 'prod')).toEqual({
      version: 1,
      id: alert.id,
      stage: 'prod',
      organization: 'acme',
      organizationId: 'org-1',
      keyId: null,
      metric: 'cost',
      period: 'month',
      windowStart: '2026-11-01T00:00:00.000Z',
      windowEnd: '2026-12-01T00:00:00.000Z',
      share: 80,
      limit: 500_000_000,
      used: 401_200_000,
      unit: 'microdollars',
      at: '2026-11-21T12:00:00.000Z',
      summary: 'acme (prod): 80 % of the limit of $500 for 2026-11 is used: $401.2.',
    });
    const requests = await find({ ...TOKENS, metric: 'requests' }, 'requests', 500);
    expect(toAlertDetail({ ...requests, keyId: 'k1' }, 'dev')).toMatchObject({
      keyId: 'k1',
      unit: 'requests',
      summary:
        'acme, API key k1 (dev): 50 % of the limit of 1000 requests for 2026-11-21 is used: 500 requests.',
    });
  });
});
