// `neuron limits`: what operators see of limits, as they stand in this very window.
import { describe, expect, it } from 'vitest';
import { counterKey } from '../../../core/limits/counter-key.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import { createMemoryPorts, NOW_MS, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const RATE_LIMITS = [
  { metric: 'requests', scope: 'user', limit: 20, period: '1m' },
  { metric: 'requests', scope: 'ip', limit: 30, period: '10m' },
  { metric: 'tokens', scope: 'total', limit: 9000, period: '1d' },
  { metric: 'requests', scope: 'total', limit: 500, period: '1h' },
];

async function withLimits(usageLimits: readonly object[] = [], rateLimits: readonly object[] = RATE_LIMITS) {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme', { usageLimits }), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello', { rateLimits }), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'other'), 'absent');
  return ports;
}

type MemoryPorts = Awaited<ReturnType<typeof withLimits>>;
type Identity = Parameters<typeof counterKey>[0];

/** Takes of a counter as a run would. */
async function take(
  { counters }: MemoryPorts,
  identity: Partial<Identity> & Pick<Identity, 'scope' | 'period'>,
  [metric, taken, held]: readonly ['requests' | 'tokens' | 'cost', number, number],
  { atMs = NOW_MS, shard }: { atMs?: number; shard?: number } = {},
) {
  const whole = counterKey({ ownerId: 'id-hello', subject: { kind: 'everyone' }, ...identity }, atMs);
  const key = shard === undefined ? whole : `${whole}#${shard}`;
  await counters.reserve({ key, changes: [{ metric, taken, held, limit: 1e9 }], atMs, expiresAt: 0 });
}

const KEY_ID = 'AbCdEfGh1234';
const KEY: StoredKey = {
  ...{ keyId: KEY_ID, organizationId: 'id-acme', name: 'web', prefix: `nrn_${KEY_ID}`, lastFour: 'zzzz' },
  ...{ createdAt: '2026-11-21T00:00:00.000Z', createdBy: 'ada' },
  usageLimits: [{ metric: 'requests', limit: 9, period: 'month' }],
};

describe('neuron limits', () => {
  it('shows used, held, limit and reset of each rule, those of the organization first', async () => {
    const ports = await withLimits([{ metric: 'cost', limit: 500, period: 'month' }]);
    await take(ports, { scope: 'total', period: '1d' }, ['tokens', 1500, 300]);
    await take(ports, { scope: 'total', period: '1h' }, ['requests', 7, 0]);
    await take(ports, { ownerId: 'id-acme', scope: 'organization', period: 'month' }, ['cost', 1_230_000, 0]);
    const { stdout, stderr } = await runWith(ports, ['limits', 'acme']);
    expect(stdout).toBe(
      [
        'OF          METRIC    SCOPE         PERIOD       USED       HELD        LIMIT    REMAINING  RESETS (UTC)',
        'acme        cost      organization  month   $1.230000  $0.000000  $500.000000  $498.770000  2026-12-01 00:00:00',
        'acme/hello  requests  user          1m              -          -           20            -  2026-11-21 12:01:00',
        'acme/hello  requests  ip            10m             -          -           30            -  2026-11-21 12:10:00',
        'acme/hello  tokens    total         1d           1200        300         9000         7500  2026-11-22 00:00:00',
        'acme/hello  requests  total         1h              7          0          500          493  2026-11-21 13:00:00',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(
      'Limits per user and per address are counted separately. Pass --user, --key or --ip to see one of them.\n' +
        'A call that asks for more tokens or cost than REMAINING is refused although the limit is not used up. `neuron logs ORG --outcome refused --json` shows what each call asked for.\n',
    );
  });

  it('explains refusals of a limit that is not used up only where one is partly used', async () => {
    const stderrWith = async (taken: number) => {
      const ports = await withLimits([], [{ metric: 'cost', scope: 'total', limit: 0.5, period: '1h' }]);
      await take(ports, { scope: 'total', period: '1h' }, ['cost', taken, 0]);
      return (await runWith(ports, ['limits', 'acme/hello'])).stderr;
    };
    expect(await stderrWith(1)).toContain('asks for more tokens or cost than REMAINING');
    expect(await stderrWith(499_999)).toContain('asks for more tokens or cost than REMAINING');
    for (const taken of [0, 500_000]) expect(await stderrWith(taken)).toBe('');
  });

  it('shows what one user, one API key and one address have used', async () => {
    const ports = await withLimits();
    const { usageLimits: _none, ...key } = KEY;
    await ports.keys.create('d1', key);
    const user = { scope: 'user', period: '1m' } as const;
    await take(ports, { ...user, subject: { kind: 'username', name: 'ada' } }, ['requests', 3, 0]);
    await take(ports, { ...user, subject: { kind: 'keyId', name: KEY_ID } }, ['requests', 4, 0]);
    const address = { kind: 'address', name: '203.0.113.7' } as const;
    await take(ports, { scope: 'ip', period: '10m', subject: address }, ['requests', 5, 0]);
    const used = async (...words: string[]) => {
      const { stdout } = await runWith(ports, ['--json', 'limits', 'acme/hello', ...words]);
      return stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { used: number | null }).used);
    };
    expect(await used()).toEqual([null, null, 0, 0]);
    expect(await used('--user', 'ada')).toEqual([3, null, 0, 0]);
    expect(await used('--user', 'Ada')).toEqual([0, null, 0, 0]);
    expect(await used('--key', KEY_ID, '--ip', '203.0.113.7')).toEqual([4, 5, 0, 0]);
  });

  it.each([KEY_ID, `nrn_${KEY_ID}`, `nrn_${KEY_ID}_${'x'.repeat(36)}`])(
    'shows the counters of the key %s, however it is named',
    async (name) => {
      const ports = await withLimits();
      await ports.keys.create('d1', KEY);
      const subject = { kind: 'keyId', name: KEY_ID } as const;
      await take(ports, { scope: 'user', period: '1m', subject }, ['requests', 4, 0]);
      const identity = { ownerId: KEY_ID, scope: 'key', period: 'month' } as const;
      await take(ports, identity, ['requests', 7, 0]);
      const { stdout } = await runWith(ports, ['--json', 'limits', 'acme', '--key', name]);
      const lines = stdout.trim().split('\n');
      const used = lines.map((line) => JSON.parse(line) as { scope: string; used: number | null });
      expect(used.find(({ scope }) => scope === 'key')?.used).toBe(7);
      expect(used.find(({ scope }) => scope === 'user')?.used).toBe(4);
    },
  );

  it('fails for a key that the organization does not have, and for a store of keys that cannot be read', async () => {
    const ports = await withLimits();
    await ports.keys.create('d1', { ...KEY, organizationId: 'id-other' });
    const foreign = await runWith(ports, ['limits', 'acme/hello', '--key', KEY_ID]);
    expect(foreign).toMatchObject({ exitCode: 1, stdout: '' });
    expect(foreign.stderr).toContain(`acme has no key ${KEY_ID}.`);
    const keys = { ...ports.keys, find: () => Promise.reject(new Error('denied')) };
    const denied = await runWith({ ...ports, keys }, ['limits', 'acme', '--key', KEY_ID]);
    expect(denied).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('says that nothing is counted for a username, and nothing where something is', async () => {
    const ports = await withLimits();
    const subject = { kind: 'username', name: 'ada' } as const;
    await take(ports, { scope: 'user', period: '1m', subject }, ['requests', 3, 0]);
    const stderrFor = async (name: string) =>
      (await runWith(ports, ['limits', 'acme/hello', '--user', name])).stderr;
    expect(await stderrFor('Ada')).toContain('Nothing is counted for the user Ada in these windows.');
    expect(await stderrFor('ada')).not.toContain('Nothing is counted');
  });

  it('is a line of JSON per rule, cost in microdollars', async () => {
    const ports = await withLimits([], [{ metric: 'cost', scope: 'total', limit: 0.5, period: '1h' }]);
    await take(ports, { scope: 'total', period: '1h' }, ['cost', 1500, 500]);
    expect(JSON.parse((await runWith(ports, ['--json', 'limits', 'acme/hello'])).stdout)).toEqual({
      ...{ organization: 'acme', neuron: 'hello', keyId: null, metric: 'cost', scope: 'total', period: '1h' },
      ...{
        when: null,
        used: 1000,
        held: 500,
        limit: 500_000,
        remaining: 498_500,
        resetsAt: '2026-11-21T13:00:00.000Z',
      },
    });
  });

  it('adds up the items that share a limit', async () => {
    const ports = await withLimits([], RATE_LIMITS.slice(3));
    const stack = { ...ports.stack, outputs: { ...ports.stack.outputs, counterShards: '3' } };
    for (const shard of [0, 2])
      await take(ports, { scope: 'total', period: '1h' }, ['requests', 6, 0], { shard });
    const { stdout } = await runWith({ ...ports, stack }, ['--json', 'limits', 'acme/hello']);
    expect(JSON.parse(stdout)).toMatchObject({ used: 12, limit: 500 });
  });

  it('shows only the current window, and never less than 0 remaining', async () => {
    const ports = await withLimits([], RATE_LIMITS.slice(3));
    await take(ports, { scope: 'total', period: '1h' }, ['requests', 8, 0], { atMs: NOW_MS - 1 });
    expect((await runWith(ports, ['limits', 'acme/hello'])).stdout).toContain(
      ' 0     0    500        500  2026',
    );
    await take(ports, { scope: 'total', period: '1h' }, ['requests', 501, 0]);
    expect((await runWith(ports, ['limits', 'acme/hello'])).stdout).toContain(
      '501     0    500          0  2026',
    );
  });

  it('says that there are none', async () => {
    const ports = await withLimits();
    expect(await runWith(ports, ['limits', 'acme/other'])).toMatchObject({
      stdout: '',
      stderr: 'acme/other has no limits.\n',
      exitCode: 0,
    });
  });

  it('refuses two subjects of one rule', async () => {
    const ports = await withLimits();
    expect((await runWith(ports, ['limits', 'acme', '--user', 'a', '--key', 'b'])).exitCode).toBe(2);
  });

  it('shows the other rules when settings are unusable, and names those settings', async () => {
    const ports = await withLimits([{ metric: 'love' }]);
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'odd', { rateLimits: 7 }), 'absent');
    const { exitCode, stdout, stderr } = await runWith(ports, ['limits', 'acme']);
    expect(exitCode).toBe(1);
    expect(stdout.match(/acme\/hello/g)).toHaveLength(4);
    for (const name of ['acme', 'acme/odd'])
      expect(stderr).toContain(`warning: This release cannot use the stored settings of ${name}.`);
    expect(await runWith(ports, ['limits', 'acme/odd'])).toMatchObject({ exitCode: 1, stdout: '' });
  });
});
