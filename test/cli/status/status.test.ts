// `neuron status`: what an operator sees of an organization and of one neuron on one screen.
import { describe, expect, it } from 'vitest';
import { counterKey } from '../../../core/limits/counter-key.ts';
import type { NeuronRecord } from '../../../core/ports/administration.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const ROLLOUT = {
  id: '0123456789abcdef',
  candidate: 'v3',
  basisPoints: 500,
  by: 'user',
  stages: [
    { share: 500, for: 3_600_000, runs: 10 },
    { share: 10_000, for: 3_600_000, runs: 10 },
  ],
  stage: 0,
  stageSince: '2026-11-21T10:00:00.000Z',
  since: '2026-11-21T10:00:00.000Z',
  startedBy: 'ada',
} satisfies NeuronRecord['rollout'];

async function withTrouble() {
  const ports = createMemoryPorts();
  const usageLimits = [{ metric: 'cost', limit: 10, period: 'month' }];
  await ports.store.writeOrganization(organizationRecord('acme', { usageLimits }), 'absent');
  await ports.store.writeNeuron('acme', { ...neuronRecord('acme', 'hello'), rollout: ROLLOUT }, 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'other'), 'absent');
  const put = (executionId: string, changes: object) =>
    ports.logStore.put(logEntry({ executionId, ...changes }));
  await put('a', { outcome: 'refused', status: 429, code: 'rate_limited', count: 7 });
  await put('b', {
    outcome: 'failed',
    status: 503,
    code: 'upstream_unavailable',
    neuron: 'other',
    neuronId: 'id-other',
  });
  await put('c', {
    outcome: 'failed',
    status: 503,
    code: 'upstream_unavailable',
    timeMs: NOW_MS - 3_700_000,
  });
  const guard = {
    guard: 'pii',
    type: 'pii',
    stage: 'input',
    action: 'block',
    finds: [{ type: 'email', count: 1 }],
  };
  const down = {
    guard: 'own',
    type: 'webhook',
    stage: 'input',
    action: 'block',
    finds: [],
    notJudged: 'timeout',
  };
  await put('d', { outcome: 'refused', status: 422, code: 'guard_blocked', guards: [guard, guard, down] });
  const passed = { ...guard, guard: 'judge', type: 'webhook', finds: [] };
  await put('g', { outcome: 'failed', status: 503, code: 'upstream_unavailable', guards: [passed] });
  await put('f', { outcome: 'failed', status: 503, code: 'guard_unavailable', guards: [down] });
  await put('e', { guards: [{ ...guard, action: 'flag' }] });
  const key = counterKey(
    { ownerId: 'id-acme', scope: 'organization', period: 'month', subject: { kind: 'everyone' } },
    NOW_MS,
  );
  await ports.counters.reserve({
    key,
    changes: [{ metric: 'cost', taken: 8_500_000, held: 0, limit: 1e9 }],
    atMs: NOW_MS,
    expiresAt: 0,
  });
  const row = {
    organizationId: 'id-acme',
    day: '2026-11-21',
    neuronId: 'id-hello',
    neuron: 'hello',
    entriesEnd: {},
    expiresAt: undefined,
  };
  await ports.usage.add(
    [],
    [
      {
        ...row,
        subject: { kind: 'neuron' },
        amounts: { ...NO_USAGE, success: 40, failed: 2, costMicrodollars: 1_250_000 },
      },
    ],
    [],
  );
  return ports;
}

describe('neuron status', () => {
  it('shows an organization on one screen', async () => {
    const { exitCode, stdout, stderr } = await runWith(await withTrouble(), ['status', 'acme']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'NEURON      VERSION  ROLLOUT                   STATE',
      'acme/hello  v2       v3 gets 5%, stage 1 of 2  open',
      'acme/other  v2       -                         open',
      'today      42 requests, 2 failed, 0 refused, $1.250000',
      'last hour  7 rate_limited (refused): hello',
      '           2 upstream_unavailable (failed): hello, other',
      '           1 guard_unavailable (failed): hello',
      '           1 guard_blocked (refused): hello',
      'guards     own is down: 2 requests not judged',
      '           pii blocked 1 request',
      'alerts     none',
      'limits     acme cost organization per month: 85% used, resets 2026-12-01 00:00',
      'changes    none',
      '',
    ]);
  });

  it('shows one neuron alone', async () => {
    const ports = await withTrouble();
    const { stdout } = await runWith(ports, ['status', 'acme/other', '--json']);
    const report = JSON.parse(stdout);
    expect(report.neurons.map(({ neuron }: { neuron: string }) => neuron)).toEqual(['acme/other']);
    expect(report.failures).toEqual({
      codes: [{ code: 'upstream_unavailable', outcome: 'failed', requests: 1, neurons: ['other'] }],
      complete: true,
    });
    expect([report.guards.found, report.today.requests]).toEqual([[], 0]);
  });

  it('says that nobody is served, and who changed what last', async () => {
    const ports = await withTrouble();
    await runWith(ports, ['pause', 'acme/hello', '--yes']);
    await runWith(ports, ['organization', 'pause', 'acme', '--yes']);
    const { stdout } = await runWith(ports, ['status', 'acme/hello']);
    expect(stdout).toMatch(/^Nobody is served now: 429 organization_paused, since 2026-11-21T12:00/);
    expect(stdout).toContain('paused since 2026-11-21T12:00');
    expect(stdout).toMatch(/changes {4}2026-11-21 12:00 pause by arn:.*chg-/);
    expect(stdout).toMatch(/ pause of hello by arn:.*chg-/);
    const other = await runWith(ports, ['status', 'acme/other', '--json']);
    expect(JSON.parse(other.stdout).changes).toMatchObject([{ actions: ['pause'], neuron: null }]);
  });

  it('counts no more entries than it reads, and says so', async () => {
    const ports = await withTrouble();
    for (let index = 0; index <= 2_000; index += 1)
      await ports.logStore.put(
        logEntry({ executionId: `f-${index}`, outcome: 'refused', status: 403, code: 'ip_not_allowed' }),
      );
    const { stdout } = await runWith(ports, ['status', 'acme']);
    expect(stdout).toMatch(/at least \d+ ip_not_allowed/);
  });
});
