// `neuron versions compare`, and usage by version and branch: from rows as the rollup adds them.
import { describe, expect, it } from 'vitest';
import type { UsageRow } from '../../../core/ports/usage.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { createMemoryPorts, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

type Changes = { readonly amounts: object } & Partial<Omit<UsageRow, 'amounts'>>;

const row = ({ amounts, ...changes }: Changes): UsageRow => ({
  organizationId: 'id-acme',
  day: '2026-11-21',
  neuronId: 'id-hello',
  neuron: 'hello',
  subject: { kind: 'version', version: 'v1' },
  entriesEnd: {},
  expiresAt: undefined,
  ...changes,
  amounts: { ...NO_USAGE, ...amounts },
});

const rated = (version: string, ratings: number, good: number): UsageRow =>
  row({
    subject: { kind: 'feedback', metric: 'helpful', version },
    amounts: { ratings, ratingSum: good * 1e3, ratingSquares: good * 1e6 },
  });

/** v1: 200 runs, 2 failed, 180 to 256 ms, 100 microdollars each. v2: 100 runs, 30 failed, four times as slow, no cost that is known. */
const ROWS: readonly UsageRow[] = [
  row({
    amounts: { success: 198, failed: 2, hits: 40, costMicrodollars: 20_000 },
    buckets: { 'latency#4': 200, 'cost#14': 200 },
  }),
  row({
    subject: { kind: 'version', version: 'v2' },
    amounts: { success: 70, failed: 30, unknownCosts: 100 },
    buckets: { 'latency#8': 100 },
  }),
  row({
    subject: { kind: 'branch', version: 'v1', branch: 'a' },
    amounts: { success: 9, failed: 1 },
    buckets: { 'latency#4': 10 },
  }),
  row({ subject: { kind: 'branch', version: 'v1', branch: 'b' }, amounts: { success: 7 } }),
  rated('v1', 20, 15),
  rated('v2', 10, 7),
];

async function withRows(rows = ROWS) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const number of [1, 2]) {
    const version = { id: `v${number}`, number, neuronId: 'id-hello', author: 'ada', message: undefined };
    const flow = { flow: [{ stop: {} }], flowDigest: `digest-${number}` };
    await ports.store.createVersion('acme', {
      ...version,
      ...flow,
      createdAt: '2026-11-01T08:00:00.000Z',
    });
  }
  await ports.usage.add([{ group: 'g', id: 'k', expiresAt: 1 }], rows, []);
  return ports;
}

const compare = async (ports: Awaited<ReturnType<typeof withRows>>, ...more: readonly string[]) =>
  runWith(ports, ['versions', 'compare', 'acme/hello', 'v1', 'v2', '--period', '2026-11', ...more]);

describe('neuron versions compare', () => {
  it('shows runs, failures, latency, cost and feedback of both, each with its interval', async () => {
    const { stdout, exitCode } = await compare(await withRows());
    expect(exitCode).toBe(0);
    expect(stdout).toContain('v1: 200 runs (198 success, 0 stopped, 2 failed), and 40 answers of the cache.');
    expect(stdout).toContain('v2: 100 runs (70 success, 0 stopped, 30 failed), and 0 answers of the cache.');
    // Wilson: 2 of 200, and 30 of 100.
    expect(stdout).toMatch(/failed +1\.0% \(0\.3% to 3\.6%\) +30\.0% \(21\.9% to 39\.6%\) +yes/);
    expect(stdout).toMatch(/latency p50 +219 ms \(181 ms to 256 ms\) +874 ms \(724 ms to 1024 ms\) +yes/);
    expect(stdout).toMatch(/cost a run +\$0\.000100 \(\$0\.0000\d\d to \$0\.0001\d\d\) +- +unknown/);
    expect(stdout).toMatch(/feedback helpful +0\.750 .* +0\.700 .* +not distinguishable/);
  });

  it('gives one value with --json, without figures where there are no runs', async () => {
    const ports = await withRows([ROWS[0]!]);
    const value = JSON.parse((await compare(ports, '--json')).stdout);
    expect(value).toMatchObject({
      neuron: 'acme/hello',
      fromDay: '2026-11-01',
      versions: [
        { version: 'v1', runs: 200, hits: 40 },
        { version: 'v2', runs: 0, hits: 0 },
      ],
    });
    expect(value.figures[0]).toEqual({
      figure: 'failed',
      unit: 'share',
      a: { value: 0.01, low: expect.any(Number), high: expect.any(Number), count: 200 },
      b: null,
      differs: null,
    });
  });

  it('names the last bucket, which has no end, as more', async () => {
    const open = row({ amounts: { success: 3 }, buckets: { 'latency#23': 3 } });
    expect((await compare(await withRows([open]))).stdout).toContain('131072 ms (131072 ms to more)');
  });

  it('takes no version that is none, and no period to come', async () => {
    const ports = await withRows();
    const wrong = await runWith(ports, ['versions', 'compare', 'acme/hello', 'v1', 'v9']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('has no version v9')]);
    const later = await runWith(ports, [
      'versions',
      'compare',
      'acme/hello',
      'v1',
      'v2',
      '--period',
      '2099-01',
    ]);
    expect(later.stderr).toContain('begins in the future');
  });
});

describe('neuron usage', () => {
  it('lists runs by version, with answers of the cache apart', async () => {
    const ran = await runWith(await withRows(), [
      'usage',
      'acme',
      '--period',
      '2026-11',
      '--by',
      'version',
      '--json',
    ]);
    const [one, other] = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(one).toMatchObject({ version: 'v1', requests: 200, failed: 2, hits: 40, latencyP50Ms: 219 });
    expect(other).toMatchObject({ version: 'v2', requests: 100, failed: 30, hits: 0, latencyP50Ms: 874 });
  });

  it('lists runs by the branches that were drawn', async () => {
    const ran = await runWith(await withRows(), ['usage', 'acme', '--period', '2026-11', '--by', 'branch']);
    expect(ran.stdout).toMatch(/hello +v1 +a +10 +9 +0 +1 +219 +25\d/);
    expect(ran.stdout).toMatch(/hello +v1 +b +7 +7 +0 +0/);
  });
});
