// `neuron estimate`: a month's bill for a load of one's own, without a stack.
import { describe, expect, it } from 'vitest';
import { costOfCalls } from '../../../bench/costs.ts';
import { createMemoryPorts, runWith } from '../memory-ports.ts';

interface Estimated {
  readonly lines: readonly { readonly line: string; readonly dollars: number }[];
  readonly dollars: number;
  readonly dollarsPerMillionCalls: number | null;
  readonly callsPerSecond: number;
}

async function estimate(...words: readonly string[]): Promise<Estimated> {
  const { stdout, exitCode, stderr } = await runWith(createMemoryPorts(), ['--json', 'estimate', ...words]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout) as Estimated;
}

const lineOf = ({ lines }: Estimated, name: string) => lines.find(({ line }) => line === name)?.dollars;

describe('neuron estimate', () => {
  it('agrees with the table of docs/costs.md, line by line', async () => {
    const model = await estimate('--calls', '1M');
    const hit = await estimate('--calls', '1e6', '--cached', '100');
    for (const row of costOfCalls()) {
      // The table assumes a batch of 10 entries.
      if (['usage', 'seals'].includes(row.part)) continue;
      expect(lineOf(model, row.part), row.part).toBeCloseTo(row.model, 9);
      expect(lineOf(hit, row.part), row.part).toBeCloseTo(row.hit, 9);
    }
  });

  it('is the sum of its lines, and mixes cached calls with the others', async () => {
    const { lines, dollars, dollarsPerMillionCalls } = await estimate('--calls', '2M', '--cached', '30');
    expect(lines.reduce((sum, line) => sum + line.dollars, 0)).toBeCloseTo(dollars, 9);
    expect(dollarsPerMillionCalls).toBeCloseTo(dollars / 2, 9);
    // By hand: 600,000 × 30 ms and 1,400,000 × 2 s at 13.3334 microdollars a second, and 0.20 a million.
    const [execution] = lines.filter(({ line }) => line === 'execution function');
    expect(execution?.dollars).toBeCloseTo(0.4 + (18_000 + 2_800_000) * 0.000_013_333_4, 6);
  });

  it('takes duration, memory, limit, hours and organizations into account', async () => {
    const plain = await estimate('--calls', '1M');
    expect(lineOf(await estimate('--calls', '1M', '--seconds', '4'), 'execution function')).toBeCloseTo(
      0.2 + 53.3336,
      3,
    );
    expect(lineOf(await estimate('--calls', '1M', '--memory', '512'), 'execution function')).toBeCloseTo(
      0.2 + 13.3334,
      3,
    );
    expect(lineOf(await estimate('--calls', '1M', '--limit', 'requests'), 'limits')).toBeCloseTo(0.625, 9);
    expect(lineOf(await estimate('--calls', '1M', '--limit', 'none'), 'limits')).toBe(0);
    // A hit reads what a run settles, and writes what counts requests.
    const hitsOf = (limit: string) => estimate('--calls', '1M', '--cached', '100', '--limit', limit);
    expect(lineOf(await hitsOf('cost'), 'limits')).toBeCloseTo(0.125, 9);
    expect(lineOf(await hitsOf('requests'), 'limits')).toBeCloseTo(0.625, 9);
    expect(lineOf(await hitsOf('none'), 'limits')).toBe(0);
    expect(lineOf(await estimate('--calls', '1M', '--organizations', '1k'), 'secrets')).toBeCloseTo(400, 6);
    const office = await estimate('--calls', '1M', '--hours', '8');
    expect(office.callsPerSecond).toBeCloseTo(plain.callsPerSecond * 3, 9);
    expect(lineOf(office, 'usage')).toBeLessThan(lineOf(plain, 'usage') ?? 0);
  });

  it('shows an idle month, and a table for people', async () => {
    const idle = await estimate('--calls', '0');
    expect(idle).toMatchObject({ dollars: expect.closeTo(3.1, 6), dollarsPerMillionCalls: null });
    const { stdout } = await runWith(createMemoryPorts(), ['estimate', '--calls', '1M']);
    expect(stdout).toMatch(/^API Gateway +\$3\.50$/m);
    expect(stdout).toMatch(/^together +\$\d+\.\d\d$/m);
    expect(stdout).toContain('at 0.38 calls a second.');
  });

  it.each([
    [[]],
    [['--calls', 'many']],
    [['--calls', '-1']],
    [['--calls', '1.5']],
    [['--calls', '9e99']],
    [['--calls', '1M', '--cached', '101']],
    [['--calls', '1M', '--seconds', '0']],
    [['--calls', '1M', '--hours', '25']],
    [['--calls', '1M', '--memory', '64']],
    [['--calls', '1M', '--limit', 'euros']],
  ])('rejects %j', async (words) => {
    expect(await runWith(createMemoryPorts(), ['estimate', ...words])).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
  });
});
