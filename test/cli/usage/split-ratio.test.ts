// `neuron usage --by branch` says where branches were not drawn in the shares of their split.
import { describe, expect, it, test } from 'vitest';
import type { UsageRow } from '../../../core/ports/usage.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { createMemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

const serve = (text: string) => [{ serveOutput: { text } }];
const split = (more: object = {}) => ({
  randomizedSplit: { percentageA: 90, a: serve('A'), b: serve('B'), ...more },
});

async function listBranches(flow: readonly object[], counts: Readonly<Record<string, number>>) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.createVersion('acme', {
    ...{ id: 'v2', number: 2, neuronId: 'id-hello', flow, flowDigest: 'digest' },
    ...{ createdAt: '2026-11-20T08:00:00.000Z', author: 'ada', message: undefined },
  });
  const row = (subject: UsageRow['subject'], success: number): UsageRow => ({
    ...{ organizationId: 'id-acme', neuronId: 'id-hello', neuron: 'hello', day: '2026-11-20', subject },
    ...{ amounts: { ...NO_USAGE, success }, entriesEnd: {}, expiresAt: undefined },
  });
  const branches = Object.entries(counts).map(([branch, count]) =>
    row({ kind: 'branch', version: 'v2', branch }, count),
  );
  await ports.usage.add(
    [{ group: 'g', id: 'mark', expiresAt: 1 }],
    [row({ kind: 'neuron' }, 1), ...branches],
    [],
  );
  return runWith(ports, ['usage', 'acme', '--by', 'branch']);
}

describe('the shares of branches', () => {
  it('are said to be off where chance does not explain them', async () => {
    const { stdout, stderr } = await listBranches([split()], { a: 500, b: 500 });
    expect(stdout).toContain('v2');
    expect(stderr).toContain('acme/hello v2: 500 of 1000 runs took branch a, whose share is 90 %');
  });

  it('are off where one branch has no run at all', async () => {
    expect((await listBranches([split()], { b: 40 })).stderr).toContain('0 of 40 runs took branch a');
  });

  test.each([
    ['what chance makes', [split()], { a: 903, b: 97 }],
    ['few runs', [split()], { a: 1, b: 1 }],
    ['a split by stickyBy, where a caller has many runs', [split({ stickyBy: 'user' })], { a: 500, b: 500 }],
    ['two splits', [split(), split()], { 'a.a': 500, 'b.b': 500 }],
    ['a split that gives one branch all', [split({ percentageA: 100 })], { a: 500 }],
    ['a version without a split, as it is stored now', serve('A'), { a: 500, b: 500 }],
    ['a version that nobody can read', [{ unknown: {} }], { a: 500, b: 500 }],
  ])('are taken as they are with %s', async (_name, flow, counts) => {
    expect((await listBranches(flow, counts)).stderr).toBe('');
  });
});
