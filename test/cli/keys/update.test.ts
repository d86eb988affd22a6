// What an API key may do, on the command line: created with it, changed, rotated, shown with what is used.
import { describe, expect, it } from 'vitest';
import { counterKey } from '../../../core/limits/counter-key.ts';
import { type MemoryPorts, NOW_MS, neuronRecord, runWith } from '../memory-ports.ts';
import { COST, createKey, withAcme } from './acme-keys.ts';

const REQUESTS = { metric: 'requests', limit: 1_000, period: 'day' };

const limitsOf = async (ports: MemoryPorts, keyId: string) =>
  (await ports.keys.find('id-acme', keyId))?.usageLimits;

describe('neuron keys create --limit', () => {
  it('stores limits with the key, cost in microdollars, and says them', async () => {
    const ports = await withAcme();
    const words = ['--limit', 'cost 50 month', '--limit', 'requests 1000 day'];
    const { keyId, limits } = await createKey(ports, ...words);
    expect(limits).toEqual([COST, REQUESTS]);
    expect(await limitsOf(ports, keyId)).toEqual([COST, REQUESTS]);
    const { stderr } = await runWith(ports, ['keys', 'create', 'acme', '--name', 'b', ...words]);
    expect(stderr).toContain(
      'is valid until it is revoked. Its limits: cost 50 month, requests 1000 day. Takes',
    );
  });

  it('takes the shares that are alerted', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports, '--limit', 'cost 50 month 80%,100%');
    expect(await limitsOf(ports, keyId)).toEqual([{ ...COST, alertAt: [80, 100] }]);
    const { stdout } = await runWith(ports, ['keys', 'list', 'acme']);
    expect(stdout).toContain('cost 50 month 80%,100%');
  });

  it.each([
    ['cost 50 month 80', 'It must be'],
    ['cost 50 month 80%,', 'It must be'],
    ['cost 50 month 101%', 'Its alertAt must be'],
    ['cost 50 month 50%,50%', 'Its alertAt must be at most 10 different percentages'],
    ['cost', 'It must be'],
    ['cost 50', 'Its period must be minute, day or month'],
    ['cost fifty month', 'It must be'],
    ['cost -5 month', 'It must be'],
    ['cost 5e3 month', 'It must be'],
    ['cost 0.0000001 month', 'Its limit must be an amount in US dollars'],
    ['requests 0 day', 'Its limit must be a whole number from 1'],
    ['requests 1.5 day', 'Its limit must be a whole number from 1'],
    ['concurrent 5 day', 'Its metric must be requests, tokens or cost: '],
    ['cost 50 week', 'Its period must be minute, day or month'],
    ['cost 50 minute 50%', 'Its alertAt is for limits per day or month'],
    ['cost 50 month now', 'It must be'],
  ])('refuses %s', async (text, message) => {
    const ports = await withAcme();
    const { exitCode, stderr } = await runWith(ports, [
      'keys',
      'create',
      'acme',
      '--name',
      'b',
      '--limit',
      text,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses two limits on one counter', async () => {
    const words = ['--limit', 'cost 50 month', '--limit', 'cost 5 day', '--limit', 'cost 40 month'];
    const { exitCode, stderr } = await runWith(await withAcme(), [
      'keys',
      'create',
      'acme',
      '--name',
      'b',
      ...words,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There are two limits of cost per month.');
  });
});

describe('neuron keys update', () => {
  it('replaces the limits of a key, and removes them', async () => {
    const ports = await withAcme();
    const { key, keyId } = await createKey(ports, '--limit', 'cost 5 day');
    const set = await runWith(ports, ['keys', 'update', 'acme', key, '--limit', 'cost 50 month', '--yes']);
    expect(set.exitCode).toBe(0);
    expect(set.stdout).toBe(
      [
        `Key ${keyId} of acme is changed. Takes effect with the next request.`,
        '  name      shop',
        '  neurons   all',
        '  limits    cost 50 month (a limit that it had keeps its count; another one counts from now on)',
        '  tags      none',
        '  may       call neurons',
        '  ends      when it is revoked',
        '',
      ].join('\n'),
    );
    expect(await limitsOf(ports, keyId)).toEqual([COST]);
    const none = await runWith(ports, ['keys', 'update', 'acme', keyId, '--clear-limits', '--yes', '--json']);
    expect(JSON.parse(none.stdout)).toEqual({
      organization: 'acme',
      ...{ keyId, name: 'shop', neurons: null, limits: [], expiresAt: null },
      ...{ tags: {}, onBehalfOf: false, tagsFromCalls: false },
    });
    expect(await limitsOf(ports, keyId)).toBeUndefined();
  });

  it('changes name, neurons and end date, each back again', async () => {
    const ports = await withAcme();
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'support'), 'absent');
    const { keyId } = await createKey(ports);
    const words = ['keys', 'update', 'acme', keyId, '--yes', '--json'];
    const narrow = ['--name', 'Shop of Rome', '--neurons', 'support', '--expires', '90d'];
    const { stdout } = await runWith(ports, [...words, ...narrow]);
    const expiresAt = new Date(NOW_MS + 90 * 86_400_000).toISOString();
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Shop of Rome', neurons: ['support'], expiresAt });
    expect(await ports.keys.find('id-acme', keyId)).toMatchObject({ neurons: ['id-support'], expiresAt });
    const wide = await runWith(ports, [...words, '--all-neurons', '--never-expires']);
    expect(JSON.parse(wide.stdout)).toMatchObject({ name: 'Shop of Rome', neurons: null, expiresAt: null });
  });

  it('leaves an entry of what changed, and of nothing else', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports, '--limit', 'cost 50 month');
    await runWith(ports, ['keys', 'update', 'acme', keyId, '--limit', 'requests 1000 day', '--yes']);
    const { stdout } = await runWith(ports, ['logs', 'acme', '--changes', '--json']);
    const entries = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries.find(({ actions }) => String(actions) === 'update_key')).toMatchObject({
      outcome: 'made',
      before: { keyId, usageLimits: [COST] },
      after: { keyId, usageLimits: [REQUESTS] },
    });
  });

  it.each([
    [['--neurons', 'support', '--all-neurons'], '--neurons and --all-neurons were both given.'],
    [['--expires', '90d', '--never-expires'], '--expires and --never-expires were both given.'],
    [['--limit', 'cost 5 day', '--clear-limits'], '--limit and --clear-limits were both given.'],
    [[], 'Nothing to change was named.'],
    [['--name', ''], 'It must be one line of 1 to 100 characters.'],
    [['--neurons', 'no such'], 'It must be neurons of the organization'],
  ])('refuses %j', async (unclear, message) => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const { exitCode, stderr } = await runWith(ports, ['keys', 'update', 'acme', keyId, ...unclear, '--yes']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('asks on a terminal', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const words = ['keys', 'update', 'acme', keyId, '--limit', 'cost 5 day'];
    const asked = await runWith(ports, words, { typed: ['n'] });
    expect(asked.stderr).toContain(`Change key ${keyId} (shop) of acme?`);
    expect(await limitsOf(ports, keyId)).toBeUndefined();
  });

  it('refuses a revoked key, one that the organization does not have, and unknown neurons', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const neuron = await runWith(ports, ['keys', 'update', 'acme', keyId, '--neurons', 'nope', '--yes']);
    expect([neuron.exitCode, neuron.stderr]).toEqual([1, expect.stringContaining('nope')]);
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    for (const verb of [['update', '--clear-limits'], ['rotate']] as const) {
      const [name, ...options] = verb;
      const revoked = await runWith(ports, ['keys', name, 'acme', keyId, ...options, '--yes']);
      expect([revoked.exitCode, revoked.stderr]).toEqual([
        1,
        expect.stringContaining('is revoked. Nothing was changed.'),
      ]);
      const unknown = await runWith(ports, ['keys', name, 'acme', '0123456789ab', ...options, '--yes']);
      expect([unknown.exitCode, unknown.stderr]).toEqual([
        1,
        expect.stringContaining('acme has no key 0123456789ab.'),
      ]);
    }
  });
});

describe('neuron limits', () => {
  it('shows the limits of keys after those of the organization, but for revoked ones', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports, '--limit', 'requests 1000 day');
    const { keyId: revoked } = await createKey(ports, '--limit', 'requests 1000 day');
    await createKey(ports);
    await runWith(ports, ['keys', 'revoke', 'acme', revoked, '--yes']);
    const identity = { ownerId: keyId, scope: 'key', period: 'day', subject: { kind: 'everyone' } } as const;
    await ports.counters.reserve({
      key: counterKey(identity, NOW_MS),
      changes: [{ metric: 'requests', taken: 7, held: 0, limit: 1_000 }],
      ...{ atMs: NOW_MS, expiresAt: 0 },
    });
    const { stdout } = await runWith(ports, ['limits', 'acme']);
    const used = await runWith(ports, ['limits', 'acme', '--json']);
    expect(stdout.split('\n')[1]).toMatch(
      new RegExp(`^acme key ${keyId} +requests +key +day +7 +0 +1000 +993 `),
    );
    expect(JSON.parse(used.stdout)).toMatchObject({ organization: 'acme', neuron: null, keyId, used: 7 });
    const ofRevoked = await runWith(ports, ['limits', 'acme', '--key', revoked, '--json']);
    expect(JSON.parse(ofRevoked.stdout)).toMatchObject({ keyId: revoked, used: 0 });
  });

  it('goes on without the right to read keys, and says so', async () => {
    const ports = await withAcme();
    const list = () => {
      throw new Error('not authorized');
    };
    const { exitCode, stderr } = await runWith({ ...ports, keys: { ...ports.keys, list } }, [
      'limits',
      'acme',
    ]);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Limits of API keys are not shown: the keys could not be read.');
  });

  it('shows runs at once, and the default of the stage', async () => {
    const ports = await withAcme();
    const stack = { ...ports.stack, outputs: { ...ports.stack.outputs, organizationConcurrency: '200' } };
    const { stdout } = await runWith({ ...ports, stack }, ['limits', 'acme']);
    expect(stdout.split('\n')[1]).toMatch(/^acme +concurrent +organization +- +0 +0 +200 +200 +-$/);
    const json = await runWith({ ...ports, stack }, ['limits', 'acme', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ metric: 'concurrent', period: null, resetsAt: null });
  });
});
