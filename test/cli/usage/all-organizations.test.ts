// `neuron usage --all`: every organization from its daily rows, at ten thousand of them.
import { describe, expect, it } from 'vitest';
import { counterKey } from '../../../core/limits/counter-key.ts';
import { CounterFailure } from '../../../core/ports/counters.ts';
import type { UsageAmounts, UsageRow } from '../../../core/ports/usage.ts';
import { NO_USAGE } from '../../../core/usage/entry-usage.ts';
import { createMemoryPorts, type MemoryPorts, NOW_MS, organizationRecord, runWith } from '../memory-ports.ts';

function row(slug: string, amounts: Partial<UsageAmounts>, changes: Partial<UsageRow> = {}): UsageRow {
  return {
    organizationId: `id-${slug}`,
    day: '2026-11-21',
    neuronId: '',
    neuron: '',
    subject: { kind: 'organization', slug },
    amounts: { ...NO_USAGE, ...amounts },
    entriesEnd: {},
    expiresAt: undefined,
    ...changes,
  };
}

const TROUBLES = { 'guard#blocked': 3, 'guard#notJudged': 2, 'rollout#runs': 41 };

/** `acme` has used most of its money, `beta` fails, `gone` was deleted. */
async function withThree() {
  const ports = createMemoryPorts();
  const usageLimits = [{ metric: 'cost', limit: 10, period: 'month' }];
  await ports.store.writeOrganization(organizationRecord('acme', { usageLimits }), 'absent');
  await ports.store.writeOrganization(organizationRecord('beta', { usageLimits }), 'absent');
  await ports.store.writeOrganization(organizationRecord('idle', { usageLimits }), 'absent');
  await ports.usage.add(
    [],
    [
      row('acme', { success: 4, costMicrodollars: 9_000_000, tokensInput: 10, tokensOutput: 5 }),
      row('acme', { success: 2, refused: 1, costMicrodollars: 500_000 }, { day: '2026-11-20' }),
      row('beta', { success: 1, failed: 40, costMicrodollars: 20 }, { buckets: TROUBLES }),
      row('beta', {}, { buckets: { 'guard#blocked': 4 }, day: '2026-11-20' }),
      row('gone', { success: 1 }, { organizationId: 'id-before', day: '2026-11-01' }),
      row('acme', { success: 99 }, { day: '2026-10-31' }),
    ],
    [],
  );
  const everyone = { kind: 'everyone' } as const;
  const key = counterKey(
    { ownerId: 'id-acme', scope: 'organization', period: 'month', subject: everyone },
    NOW_MS,
  );
  await ports.counters.reserve({
    key,
    changes: [{ metric: 'cost', taken: 9_500_000, held: 0, limit: 1e9 }],
    atMs: NOW_MS,
    expiresAt: 0,
  });
  return ports;
}

async function alert(ports: MemoryPorts, share: number, changes: object = {}) {
  const month = { windowStartMs: Date.UTC(2026, 10), windowEndMs: Date.UTC(2026, 11) };
  const limit = { metric: 'cost', period: 'month', limit: 10_000_000, used: 9_000_000 } as const;
  const owner = { organization: 'acme', organizationId: 'id-acme', keyId: undefined };
  await ports.alerts.add(
    {
      id: `a-${share}-${JSON.stringify(changes)}`,
      share,
      atMs: NOW_MS,
      ...owner,
      ...month,
      ...limit,
      ...changes,
    },
    0,
  );
}

const run = (ports: MemoryPorts, ...words: readonly string[]) => runWith(ports, ['usage', '--all', ...words]);

describe('neuron usage --all', () => {
  it('shows those that cost most first, what they have nearly used, and alerts', async () => {
    const ports = await withThree();
    await alert(ports, 50);
    await alert(ports, 80);
    await alert(ports, 100, { windowStartMs: Date.UTC(2026, 9), windowEndMs: Date.UTC(2026, 10) });
    const { exitCode, stdout, stderr } = await run(ports);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['3 organizations from 2026-11-01 to 2026-11-30: 49 requests, 40 failed, 1 refused, $9.500020'],
      [
        'ORGANIZATION',
        'REQUESTS',
        'FAILED',
        'REFUSED',
        'TOKENS IN/OUT',
        'COST',
        'SAVED',
        'GUARDS',
        'ROLLOUT RUNS',
        'NEARLY USED',
      ],
      ['acme', '7', '0', '1', '10/5', '$9.500000', '$0.000000', '-', '-', 'cost month 95%'],
      ['beta', '41', '40', '0', '0/0', '$0.000020', '$0.000000', '7 blocked, 2 not judged', '41', '-'],
      ['gone', '1', '0', '0', '0/0', '$0.000000', '$0.000000', '-', '-', '-'],
      ['alert: acme has used 80% of cost per month'],
      [''],
    ]);
  });

  it.each(['guards', 'rollouts'])('sorts by %s', async (order) => {
    const { stdout } = await run(await withThree(), '--sort', order, '--json');
    const { organizations } = JSON.parse(stdout) as { organizations: readonly Record<string, unknown>[] };
    expect(organizations[0]).toMatchObject({
      organization: 'beta',
      guardBlocked: 7,
      guardNotJudged: 2,
      rolloutRuns: 41,
    });
    expect(organizations[1]).toMatchObject({ guardBlocked: 0, guardNotJudged: 0, rolloutRuns: 0 });
  });

  it('sorts by what is asked for, and shows some of them with the totals of all', async () => {
    const ports = await withThree();
    const { stdout, stderr } = await run(ports, '--sort', 'failed', '--limit', '1');
    expect(stdout).toMatch(/^3 organizations .*\nORGANIZATION .*\nbeta .*\n$/);
    expect(stderr).toContain('2 organizations more: pass --limit.');
    const json = JSON.parse((await run(ports, '--json', '--period', 'day', '--limit', '1')).stdout);
    expect(json).toMatchObject({ fromDay: '2026-11-21', toDay: '2026-11-21', called: 2, alerts: [] });
    expect(json.totals.requests).toBe(45);
    expect(json.organizations[0]).toMatchObject({
      organization: 'acme',
      organizationId: 'id-acme',
      requests: 4,
    });
    expect(json.organizations[0].limits[0]).toMatchObject({ metric: 'cost', remaining: 500_000 });
  });

  it('leaves out limits where these credentials may not read counters, says so, and hides no other failure', async () => {
    const ports = await withThree();
    const failing = (cause: Error) => {
      const read = () => Promise.reject(new CounterFailure('unknown', { cause }));
      return { ...ports, counterReader: new Proxy(ports.counterReader, { get: () => read }) };
    };
    const denied = Object.assign(new Error('no'), {
      name: 'AccessDeniedException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400 },
    });
    const { exitCode, stdout, stderr } = await run(failing(denied), '--json');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('may not read the counters of limits'),
    });
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ called: 3, limitsWithheld: true, organizations: [{ limits: [] }, {}, {}] });
    expect(JSON.parse((await run(ports, '--json')).stdout)).not.toHaveProperty('limitsWithheld');
    expect((await run(failing(new Error('broken')))).exitCode).toBe(1);
  });

  it('says that there is nothing, and refuses what does not go together', async () => {
    const ports = createMemoryPorts();
    expect((await run(ports)).stderr).toContain('No usage of any organization from 2026-11-01');
    for (const words of [
      ['acme'],
      ['--by', 'key'],
      ['--verify'],
      ['--deleted', 'id'],
      ['--limit', '0'],
      ['--limit', '101'],
    ])
      expect([words, (await run(ports, ...words)).exitCode]).toEqual([words, 2]);
    for (const words of [['usage'], ['usage', 'acme', '--sort', 'cost'], ['usage', 'acme', '--limit', '2']])
      expect([words, (await runWith(ports, words)).exitCode]).toEqual([words, 2]);
  });

  it('reads nothing but rows, and the limits of those it shows, at ten thousand organizations', async () => {
    const ports = await withThree();
    const rows = Array.from({ length: 10_000 }, (_, index) =>
      row(`org-${index}`, { success: 1, costMicrodollars: 1 }),
    );
    await ports.usage.add([], rows, []);
    let reads = 0;
    const readOrganization = (slug: string) => {
      reads += 1;
      return ports.store.readOrganization(slug);
    };
    const listOrganizations = () => Promise.reject(new Error('a scan'));
    const bounded = { ...ports, store: { ...ports.store, readOrganization, listOrganizations } };
    const json = JSON.parse((await runWith(bounded, ['usage', '--all', '--json'])).stdout);
    expect([json.called, json.organizations.length, reads]).toEqual([10_003, 20, 20]);
  });
});
