// `neuron usage --by` and the forecast: one division as a list, and the month at its end beside its limits.
import { describe, expect, it, test } from 'vitest';
import type { RequestUsage } from '../../../cli/json/usage.ts';
import { compareLimits, forecastMonth } from '../../../cli/usage/forecast.ts';
import type { UsageRow } from '../../../core/ports/usage.ts';
import type { UsageLimit } from '../../../core/settings/usage-limits.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { createMemoryPorts, type MemoryPorts, NOW_MS, organizationRecord, runWith } from '../memory-ports.ts';

const DAY_MS = 86_400_000;
const MONTH = { fromDay: '2026-11-01', toDay: '2026-11-30' };
const USED: RequestUsage = {
  ...{ requests: 60, success: 40, stopped: 0, failed: 0, refused: 20 },
  ...{ modelCalls: 40, tokensInput: 300, tokensOutput: 100, costMicrodollars: 1_000_000 },
  ...{ unknownCosts: 0, savingsMicrodollars: 0, infrastructureNanodollars: 0 },
};

describe('the forecast of a month', () => {
  it('goes on as the days so far were on average', () => {
    // Ten of thirty days.
    expect(forecastMonth(USED, MONTH, Date.UTC(2026, 10, 11))).toEqual({
      fromDays: 10,
      toDay: '2026-11-30',
      ...{ requests: 180, tokensInput: 900, tokensOutput: 300, costMicrodollars: 3_000_000 },
    });
    expect(forecastMonth(USED, MONTH, Date.UTC(2026, 10, 16, 12))).toMatchObject({ fromDays: 15.5 });
  });

  test.each([
    ['the first day of the month', MONTH, Date.UTC(2026, 10, 2) - 1],
    ['a month that is over', MONTH, Date.UTC(2026, 11)],
    ['a month that has not begun', MONTH, Date.UTC(2026, 9, 31)],
    ['a day', { fromDay: '2026-11-01', toDay: '2026-11-01' }, Date.UTC(2026, 10, 11)],
  ])('is none on %s', (_, days, nowMs) => {
    expect(forecastMonth(USED, days, nowMs)).toBeUndefined();
  });

  it('is there from the second day to the last moment', () => {
    expect(forecastMonth(USED, MONTH, Date.UTC(2026, 10, 2))?.requests).toBe(1800);
    expect(forecastMonth(USED, MONTH, Date.UTC(2026, 11) - 1)?.requests).toBe(60);
  });
});

describe('the limits of a month', () => {
  const LIMITS: readonly UsageLimit[] = [
    { metric: 'cost', limit: 2_000_000, period: 'month' },
    { metric: 'tokens', limit: 1000, period: 'month' },
    { metric: 'requests', limit: 100, period: 'month' },
    { metric: 'requests', limit: 10, period: 'day' },
  ];

  it('are compared with what they count: all tokens, and requests that were not refused', () => {
    expect(compareLimits(LIMITS, USED, MONTH, Date.UTC(2026, 10, 11))).toEqual([
      { metric: 'cost', limit: 2_000_000, period: 'month', used: 1_000_000, forecast: 3_000_000 },
      { metric: 'tokens', limit: 1000, period: 'month', used: 400, forecast: 1200 },
      { metric: 'requests', limit: 100, period: 'month', used: 40, forecast: 120 },
    ]);
  });

  it('have no forecast in a month that is over', () => {
    const [cost] = compareLimits(LIMITS, USED, MONTH, Date.UTC(2026, 11));
    expect(cost).toMatchObject({ metric: 'cost', used: 1_000_000, forecast: null });
  });

  it('give way to those of a day where a day is shown', () => {
    const day = { fromDay: '2026-11-01', toDay: '2026-11-01' };
    expect(compareLimits(LIMITS, USED, day, NOW_MS)).toEqual([
      { metric: 'requests', limit: 10, period: 'day', used: 40, forecast: null },
    ]);
  });
});

function row(subject: UsageRow['subject'], success: number, day = '2026-11-20'): UsageRow {
  const owner = { organizationId: 'id-acme', neuronId: 'id-hello', neuron: 'hello', day };
  const amounts = { ...NO_USAGE, success, refused: 1, tokensInput: 100, costMicrodollars: 1_000_000 };
  return { ...owner, subject, amounts, entriesEnd: {}, expiresAt: undefined };
}

async function withUsage(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  const usageLimits = [
    { metric: 'cost', limit: 4, period: 'month' },
    { metric: 'concurrent', limit: 4 },
  ];
  await ports.store.writeOrganization(organizationRecord('acme', { usageLimits }), 'absent');
  await ports.keys.create('digest', {
    ...{ keyId: 'k1', organizationId: 'id-acme', name: 'shop', prefix: 'nk_', lastFour: 'abcd' },
    ...{ createdAt: '2026-11-20T08:00:00.000Z', createdBy: 'ada' },
    usageLimits: [
      { metric: 'cost', limit: 2_000_000, period: 'month' },
      { metric: 'requests', limit: 20, period: 'day' },
    ],
  });
  const rows = [
    row({ kind: 'neuron' }, 7),
    row({ kind: 'key', keyId: 'k1' }, 3),
    row({ kind: 'key', keyId: 'k2' }, 2),
    row({ kind: 'model', provider: 'demo', model: 'm' }, 0),
    row({ kind: 'user', username: 'ada' }, 2),
  ];
  await ports.usage.add([{ group: 'g', id: 'mark', expiresAt: 1 }], rows, []);
  return ports;
}

/** What the command prints, with columns apart by bars. */
async function lines(ports: MemoryPorts, ...words: string[]): Promise<string[]> {
  const { stdout } = await runWith(ports, ['usage', 'acme', ...words]);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replaceAll(/ {2,}/g, ' | '));
}

describe('neuron usage --by', () => {
  const REST = 'REQUESTS | SUCCESS | STOPPED | FAILED | REFUSED | TOKENS IN/OUT | COST | SAVED | AWS';
  const used = (success: number) =>
    `${success + 1} | ${success} | 0 | 0 | 1 | 100/0 | $1.000000 | $0.000000 | $0.000000`;

  test.each([
    ['neuron', `NEURON | ${REST}`, `hello | ${used(7)}`],
    ['model', 'MODEL | CALLS | TOKENS IN/OUT | COST', 'demo/m | 0 | 100/0 | $1.000000'],
    ['username', `USERNAME | ${REST}`, `ada | ${used(2)}`],
    ['day', `DAY (UTC) | ${REST}`, `2026-11-20 | ${used(7)}`],
  ])('%s shows that table alone', async (dimension, head, line) => {
    const shown = await lines(await withUsage(), '--by', dimension);
    expect(shown.map((one) => one.trim())).toEqual([head, line]);
  });

  it('key shows names, and limits with what is used of them and what will be', async () => {
    // 20.5 of 30 days are over: $1 becomes $1.46 of $2.
    expect(await lines(await withUsage(), '--by', 'key')).toEqual([
      `API KEY | ${REST} | NAME | LIMITS`,
      `k1 | ${used(3)} | shop | $2 of cost a month: 50% used, 73% by its end, 20 requests a day`,
      `k2 | ${used(2)} | - | -`,
    ]);
    expect((await lines(await withUsage(), '--by', 'key', '--period', '2026-11-20'))[1]).toBe(
      `k1 | ${used(3)} | shop | 20 requests a day: 15% used, $2 of cost a month`,
    );
  });

  it('has these shapes as JSON, one object a line', async () => {
    const ports = await withUsage();
    const shape = async (dimension: string) => {
      const { stdout } = await runWith(ports, ['usage', 'acme', '--by', dimension, '--json']);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const call = ['modelCalls', 'tokensInput', 'tokensOutput', 'costMicrodollars', 'unknownCosts'];
    const request = [
      'requests',
      'success',
      'stopped',
      'failed',
      'refused',
      ...call,
      'savingsMicrodollars',
      'infrastructureNanodollars',
    ];
    const keys = await shape('key');
    expect(keys.map((one) => Object.keys(one))).toEqual(
      [0, 1].map(() => ['name', 'keyId', ...request, 'limits']),
    );
    expect(keys).toMatchObject([
      {
        name: 'shop',
        limits: [{ metric: 'cost', limit: 2_000_000, period: 'month', used: 1_000_000, forecast: 1_463_415 }],
      },
      { name: null, limits: [] },
    ]);
    expect((await shape('neuron')).map((one) => Object.keys(one))).toEqual([
      ['neuron', 'neuronId', ...request],
    ]);
    expect((await shape('model')).map((one) => Object.keys(one))).toEqual([['model', ...call]]);
    expect((await shape('username')).map((one) => Object.keys(one))).toEqual([['username', ...request]]);
    expect((await shape('day')).map((one) => Object.keys(one))).toEqual([['day', ...request]]);
  });

  it('is no way to verify: that compares everything', async () => {
    const { exitCode, stderr } = await runWith(await withUsage(), [
      'usage',
      'acme',
      '--verify',
      '--by',
      'key',
    ]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--verify and --by were both given.')]);
  });

  it('says that there is nothing, and refuses another division', async () => {
    const { stdout, stderr } = await runWith(await withUsage(), [
      'usage',
      'acme',
      '--by',
      'key',
      '--period',
      '2026-10',
    ]);
    expect([stdout, stderr]).toEqual(['', 'No usage of acme by key from 2026-10-01 to 2026-10-31.\n']);
    expect((await runWith(await withUsage(), ['usage', 'acme', '--by', 'week'])).exitCode).toBe(2);
  });
});

describe('neuron usage', () => {
  it('compares the month with the limits of the organization, and gives both as JSON', async () => {
    const ports = await withUsage();
    const shown = await lines(ports);
    expect(shown).toContain('forecast | 12 requests, 146 tokens, $1.463415');
    expect(shown).toContain('limit | $4 of cost a month: 25% used, 36% by its end');
    const { stdout } = await runWith(ports, ['usage', 'acme', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      forecast: {
        fromDays: 20.5,
        toDay: '2026-11-30',
        ...{ requests: 12, tokensInput: 146, tokensOutput: 0, costMicrodollars: 1_463_415 },
      },
      limits: [{ metric: 'cost', limit: 4_000_000, used: 1_000_000, forecast: 1_463_415 }],
      keys: [
        { keyId: 'k1', requests: 4 },
        { keyId: 'k2', requests: 3 },
      ],
    });
  });

  it('compares a month that is over without a forecast, and a day not at all', async () => {
    const ports = await withUsage();
    const later = { ...ports, clock: { ...ports.clock, now: () => NOW_MS + 30 * DAY_MS } };
    const { stdout } = await runWith(later, ['usage', 'acme', '--period', '2026-11']);
    expect(stdout).toContain('limit       $4 of cost a month: 25% used\n');
    expect(stdout).not.toContain('forecast');
    expect((await lines(ports, '--period', '2026-11-20')).join('\n')).not.toMatch(/limit|forecast/);
  });
});
