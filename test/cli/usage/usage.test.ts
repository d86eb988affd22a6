// `neuron usage`: what an organization used, and whether that is what its entries say.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../core/contract/log-entry.ts';
import { countAndSeal } from '../../../core/usage/count-and-seal.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { countingPorts, deliver } from '../../core/usage/deliveries.ts';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const DAY_MS = 86_400_000;
const CALL: LogEntry['modelCalls'][number] = {
  provider: 'demo',
  model: 'm',
  modelVersion: undefined,
  finish: 'stop',
  tokensInput: 11,
  tokensOutput: 22,
  costMicrodollars: 1_500,
  estimated: false,
  attempts: 1,
  latencyMs: 100,
};
const KEPT = { expiresAt: (NOW_MS + 90 * DAY_MS) / 1000 };
const ENTRIES: readonly LogEntry[] = [
  logEntry({ ...KEPT, executionId: '1', modelCalls: [CALL], costMicrodollars: 1_500, username: 'ada' }),
  logEntry({
    ...KEPT,
    executionId: '2',
    timeMs: NOW_MS - DAY_MS,
    modelCalls: [{ ...CALL, costMicrodollars: null }],
    costMicrodollars: null,
  }),
  logEntry({
    ...KEPT,
    ...{ executionId: '3', outcome: 'refused', count: 40, costMicrodollars: 0 },
    ...{ tokensInput: 0, tokensOutput: 0, neuron: 'other', neuronId: 'id-other' },
  }),
  logEntry({
    ...KEPT,
    ...{ executionId: '4', costMicrodollars: 0, tokensInput: 0, tokensOutput: 0 },
    ...{ username: 'ada', cache: 'exact', savingsMicrodollars: 1_500 },
    infrastructureNanodollars: 14_010,
  }),
];

async function roll(ports: MemoryPorts, entries: readonly LogEntry[]): Promise<void> {
  const delivered = entries.map((entry) => deliver(entry, NOW_MS));
  await countAndSeal(delivered, countingPorts(ports.seals, ports.usage));
}

/** Entries that are stored, and those of them that are rolled up. Waiting takes no time. */
async function withUsage(stored = ENTRIES, rolledUp = stored): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  for (const entry of stored) await ports.logStore.put(entry);
  await roll(ports, rolledUp);
  let waitedMs = 0;
  const sleep = async (milliseconds: number) => {
    waitedMs += milliseconds;
  };
  const clock = { ...ports.clock, now: () => NOW_MS + waitedMs, monotonicMs: () => waitedMs, sleep };
  return { ...ports, clock };
}

describe('neuron usage', () => {
  it('shows the current month: totals, and by neuron, model, username and day', async () => {
    const { stdout, exitCode } = await runWith(await withUsage(), ['usage', 'acme']);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [
        'period      2026-11-01 to 2026-11-30, UTC',
        'requests    43: 3 success, 0 stopped, 0 failed, 40 refused',
        'tokens      22 in, 44 out',
        'cost        $0.001500 + 1 unknown',
        'saved       $0.001500',
        'AWS         $0.000014',
        // 20.5 of 30 days are over.
        'forecast    63 requests, 96 tokens, $0.002195',
        '',
        'NEURON  REQUESTS  SUCCESS  STOPPED  FAILED  REFUSED  TOKENS IN/OUT                   COST      SAVED        AWS',
        'other         40        0        0       0       40            0/0              $0.000000  $0.000000  $0.000000',
        'hello          3        3        0       0        0          22/44  $0.001500 + 1 unknown  $0.001500  $0.000014',
        '',
        'MODEL   CALLS  TOKENS IN/OUT                   COST',
        'demo/m      2          22/44  $0.001500 + 1 unknown',
        '',
        'USERNAME  REQUESTS  SUCCESS  STOPPED  FAILED  REFUSED  TOKENS IN/OUT       COST      SAVED        AWS',
        'ada              2        2        0       0        0          11/22  $0.001500  $0.001500  $0.000014',
        '',
        'DAY (UTC)   REQUESTS  SUCCESS  STOPPED  FAILED  REFUSED  TOKENS IN/OUT                   COST      SAVED        AWS',
        '2026-11-20         1        1        0       0        0          11/22  $0.000000 + 1 unknown  $0.000000  $0.000000',
        '2026-11-21        42        2        0       0       40          11/22              $0.001500  $0.001500  $0.000014',
        '',
      ].join('\n'),
    );
  });

  it('shows one day, or another month', async () => {
    const ports = await withUsage();
    const requests = async (period: string) => {
      const { stdout } = await runWith(ports, ['usage', 'acme', '--period', period, '--json']);
      return (JSON.parse(stdout) as { totals: { requests: number } }).totals.requests;
    };
    expect(await requests('day')).toBe(42);
    expect(await requests('2026-11-20')).toBe(1);
    expect(await requests('2026-11')).toBe(43);
    expect(await requests('2026-10')).toBe(0);
  });

  it('gives the report as one value with --json', async () => {
    const { stdout } = await runWith(await withUsage(), [
      'usage',
      'acme',
      '--period',
      '2026-11-20',
      '--json',
    ]);
    const used = { modelCalls: 1, tokensInput: 11, tokensOutput: 22, costMicrodollars: 0, unknownCosts: 1 };
    const runs = { latencyP50Ms: 109, latencyP95Ms: 126 };
    const request = {
      ...{ requests: 1, success: 1, stopped: 0, failed: 0, refused: 0 },
      ...{ savingsMicrodollars: 0, infrastructureNanodollars: 0 },
    };
    expect(JSON.parse(stdout)).toEqual({
      organization: 'acme',
      arms: [],
      branches: [],
      versions: [{ neuron: 'hello', version: 'v1', hits: 0, ...runs, ...request, ...used }],
      feedback: [],
      fromDay: '2026-11-20',
      toDay: '2026-11-20',
      totals: { ...request, ...used },
      neurons: [{ neuron: 'hello', neuronId: 'id-hello', ...request, ...used }],
      models: [{ model: 'demo/m', ...used }],
      users: [],
      keys: [],
      tags: [],
      days: [{ day: '2026-11-20', ...request, ...used }],
      forecast: null,
      limits: [],
    });
  });

  it('leaves out columns instead of wrapping on a narrow terminal, and names them once', async () => {
    const long = logEntry({ ...KEPT, executionId: '5', username: 'a-long-name'.repeat(9) });
    const ports = await withUsage([...ENTRIES, long]);
    for (const columns of [60, 80, 100]) {
      const { stdout, stderr } = await runWith(ports, ['usage', 'acme'], { typed: [], columns });
      const text = stripVTControlCharacters(stdout);
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(columns);
      const dropped = /^No room for (.+): widen the terminal, or pass --json\.$/m
        .exec(stderr)?.[1]
        ?.split(', ');
      expect(dropped?.length).toBe(new Set(dropped).size);
      expect(dropped).toContain('STOPPED');
      expect(text).toMatch(/USERNAME +REQUESTS {2}(?!.*STOPPED)/);
      expect(text).toContain('a-long-name');
      expect(text).toMatch(/NEURON .*REQUESTS.*COST/);
    }
  });

  it('keeps every column where it does not print to a terminal', async () => {
    const { stdout, stderr } = await runWith(await withUsage(), ['usage', 'acme'], { columns: 40 });
    expect(stdout).toContain('TOKENS IN/OUT                   COST      SAVED');
    expect(stderr).toBe('');
  });

  it('says that there is no usage', async () => {
    const { stdout, stderr } = await runWith(await withUsage([]), ['usage', 'acme']);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      'No usage of acme from 2026-11-01 to 2026-11-30. Calls appear after a few seconds.',
    );
  });

  it.each(['2026-13', '2026-02-30', 'week', '2026'])('refuses the period %s', async (period) => {
    const { exitCode } = await runWith(await withUsage(), ['usage', 'acme', '--period', period]);
    expect(exitCode).toBe(2);
  });
});

describe('neuron usage --verify', () => {
  it('says that the rollups match the entries', async () => {
    const { stdout, exitCode } = await runWith(await withUsage(), ['usage', 'acme', '--verify']);
    expect(stdout).toBe('The usage of acme from 2026-11-01 to 2026-11-30 matches its log entries.\n');
    expect(exitCode).toBe(0);
  });

  it('waits until the rollups have caught up', async () => {
    const ports = await withUsage(ENTRIES, ENTRIES.slice(1));
    let rounds = 0;
    const sleep = async () => {
      rounds += 1;
      if (rounds === 3) await roll(ports, ENTRIES);
    };
    const patient = { ...ports, clock: { ...ports.clock, sleep } };
    const { exitCode, stderr } = await runWith(patient, ['usage', 'acme', '--verify']);
    expect([exitCode, rounds]).toEqual([0, 3]);
    expect(stderr).toContain('Waiting for it to catch up');
  });

  it('says that they have not caught up with the newest entry', async () => {
    const newest = logEntry({ ...KEPT, executionId: '9', timeMs: NOW_MS - 1 });
    const ports = await withUsage([...ENTRIES, newest], ENTRIES);
    const { exitCode, stderr } = await runWith(ports, ['usage', 'acme', '--verify']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('has not caught up with the newest entry');
  });

  it('fails with what differs, in either direction', async () => {
    const missing = await withUsage(
      ENTRIES,
      ENTRIES.filter(({ executionId }) => executionId !== '2'),
    );
    const { exitCode, stdout } = await runWith(missing, ['usage', 'acme', '--verify', '--json']);
    expect(exitCode).toBe(1);
    const on = { day: '2026-11-20', neuronId: 'id-hello', neuron: null };
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'differs',
      differences: expect.arrayContaining([
        { ...on, subject: 'all', amount: 'success', rollup: 0, recounted: 1 },
        { ...on, subject: 'all', amount: 'unknownCosts', rollup: 0, recounted: 1 },
        { ...on, subject: 'model demo/m', amount: 'tokensOutput', rollup: 0, recounted: 22 },
      ]),
    });
    const tooMany = await withUsage(ENTRIES.slice(1), ENTRIES);
    const shown = await runWith(tooMany, ['usage', 'acme', '--verify']);
    expect(shown.exitCode).toBe(1);
    expect(shown.stdout).toContain('2026-11-21  id-hello  user ada      success                2        1');
    expect(shown.stderr).toContain('differs from its log entries');
  });

  it('names neurons by their slugs, and deleted ones by their ids', async () => {
    const ports = await withUsage(ENTRIES, ENTRIES.slice(3));
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
    const { stdout } = await runWith(ports, ['usage', 'acme', '--verify']);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2));
    expect(rows[0]).toEqual(['DAY (UTC)', 'NEURON']);
    expect(rows).toContainEqual(['2026-11-20', 'hello']);
    expect(rows).toContainEqual(['2026-11-21', 'id-other']);
    expect(stdout).not.toContain('id-hello');
    const json = await runWith(ports, ['usage', 'acme', '--verify', '--json']);
    expect((JSON.parse(json.stdout) as { differences: unknown[] }).differences).toContainEqual(
      expect.objectContaining({ neuronId: 'id-hello', neuron: 'hello' }),
    );
  });

  it('does not lend a deleted organization the slugs of the present one', async () => {
    const ports = await withUsage(ENTRIES, ENTRIES.slice(1));
    const owner = await ports.store.readOrganization('acme');
    if (owner === undefined) throw new Error('acme was not stored');
    await runWith(ports, ['delete', 'acme', '--yes']);
    await ports.store.writeOrganization({ ...organizationRecord('acme'), id: 'id-acme-2' }, 'absent');
    const next = { ...neuronRecord('acme', 'hello'), organizationId: 'id-acme-2' };
    await ports.store.writeNeuron('acme', next, 'absent');
    const words = ['usage', 'acme', '--verify', '--deleted', owner.id];
    const { stdout } = await runWith(ports, words);
    expect(stdout).toContain('2026-11-21  id-hello  ');
  });

  it('skips the day of a neuron whose entries have begun to expire, and says so', async () => {
    const ended = { executionId: '8', timeMs: NOW_MS - DAY_MS, expiresAt: NOW_MS / 1000 - 60 };
    const ports = await withUsage();
    await ports.usage.add(
      [{ group: 'g', id: 'k', expiresAt: 1 }],
      [
        {
          organizationId: 'id-acme',
          day: '2026-11-20',
          neuronId: 'id-gone',
          neuron: 'gone',
          subject: { kind: 'neuron' },
          amounts: { ...NO_USAGE, success: 1 },
          entriesEnd: { '2026-11-21': 1 },
          expiresAt: undefined,
        },
      ],
      [],
    );
    await ports.logStore.put(logEntry({ ...ended, neuronId: 'id-gone', neuron: 'gone' }));
    const { exitCode, stderr } = await runWith(ports, ['usage', 'acme', '--verify']);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('1 neuron day was skipped');
  });
});
