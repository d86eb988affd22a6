// `neuron block`, `unblock` and `block list`: what they store, say and refuse.
import { describe, expect, it } from 'vitest';
import { createMemoryPorts, NOW_MS, neuronRecord, organizationRecord, runWith } from '../memory-ports.ts';

const KEY_ID = 'AbCdEfGh1234';

async function withAcme() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  await ports.keys.create('digest', {
    ...{ keyId: KEY_ID, organizationId: 'id-acme', name: 'web', prefix: `nrn_${KEY_ID}`, lastFour: 'zzzz' },
    ...{ createdAt: '2026-11-21T00:00:00.000Z', createdBy: 'ada' },
  });
  const run = (...words: readonly string[]) => runWith(ports, words);
  const blocks = async () => (await ports.store.readOrganization('acme'))?.blocks;
  return { ports, run, blocks };
}

describe('neuron block', () => {
  it('blocks a user of an organization, and says until when and when that takes effect', async () => {
    const { run, blocks } = await withAcme();
    const { exitCode, stdout } = await run('block', 'acme', '--user', 'Ann', '--for', '2h');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: 'Blocked user Ann of acme until 2026-11-21T14:00:00.000Z. Takes effect within 15 s.\n',
    });
    expect(await blocks()).toEqual([
      {
        ...{ kind: 'user', value: 'Ann', until: '2026-11-21T14:00:00.000Z' },
        ...{ since: '2026-11-21T12:00:00.000Z', by: 'arn:aws:iam::123456789012:user/ada' },
      },
    ]);
  });

  it('takes a key by each of its names, and an address in its one spelling', async () => {
    const { run, ports, blocks } = await withAcme();
    await run('block', 'acme', '--key', `nrn_${KEY_ID}`, '--for', '1h');
    await run('block', 'acme', '--ip', '::FFFF:203.0.113.0/120', '--for', '1h');
    expect((await blocks())?.map(({ value }) => value)).toEqual([KEY_ID, '203.0.113.0/24']);
    await run('block', 'acme/hello', '--ip', '2001:DB8:0::/48', '--for', '90d');
    const organization = await ports.store.readOrganization('acme');
    const neuron = organization && (await ports.store.readNeuron(organization, 'hello'));
    expect(neuron?.blocks?.map(({ value }) => value)).toEqual(['2001:db8::/48']);
  });

  it('moves the end of a block that is there, and forgets those that have ended', async () => {
    const { run, ports, blocks } = await withAcme();
    await run('block', 'acme', '--user', 'ann', '--for', '2h');
    await run('block', 'acme', '--user', 'ann', '--for', '1h');
    expect((await blocks())?.map(({ until }) => until)).toEqual(['2026-11-21T13:00:00.000Z']);
    const later = { ...ports, clock: { ...ports.clock, now: () => NOW_MS + 3_600_000 } };
    await runWith(later, ['block', 'acme', '--user', 'ben', '--for', '1h']);
    expect((await blocks())?.map(({ value }) => value)).toEqual(['ben']);
  });

  it('refuses what names nobody, everybody, two at once, or has no end', async () => {
    const { run, blocks } = await withAcme();
    for (const words of [
      ['--for', '1h'],
      ['--user', 'ann'],
      ['--user', 'ann', '--ip', '203.0.113.7', '--for', '1h'],
      ['--user', 'ann', '--key', KEY_ID, '--for', '1h'],
      ['--key', KEY_ID, '--ip', '203.0.113.7', '--for', '1h'],
      ['--ip', '0.0.0.0/0', '--for', '1h'],
      ['--ip', '::/0', '--for', '1h'],
      ['--ip', '::ffff:0:0/96', '--for', '1h'],
      ['--ip', '10.0.0.0/7', '--for', '1h'],
      ['--ip', '203.0.113.7/24', '--for', '1h'],
      ['--ip', '203.0.113.7', '--for', '91d'],
      ['--user', '', '--for', '1h'],
    ])
      expect([words, (await run('block', 'acme', ...words)).exitCode]).toEqual([words, 2]);
    for (const words of [
      ['acme', '--key', 'ZZZZZZZZZZZZ', '--for', '1h'],
      ['nobody', '--user', 'ann', '--for', '1h'],
      ['acme/nobody', '--user', 'ann', '--for', '1h'],
    ])
      expect([words, (await run('block', ...words)).exitCode]).toEqual([words, 1]);
    expect(await blocks()).toBeUndefined();
  });

  it('has at most a hundred blocks', async () => {
    const { run, ports } = await withAcme();
    const organization = await ports.store.readOrganization('acme');
    if (organization === undefined) throw new Error('acme is gone');
    const blocks = Array.from({ length: 100 }, (_, index) => ({
      ...{ kind: 'user' as const, value: `u${index}`, until: '2026-11-22T00:00:00.000Z' },
      ...{ since: '2026-11-21T00:00:00.000Z', by: 'ada' },
    }));
    await ports.store.writeOrganization({ ...organization, blocks }, organization.write);
    const full = await run('block', 'acme', '--user', 'one-more', '--for', '1h');
    expect(full.exitCode).toBe(1);
    expect(full.stderr).toContain('acme has 100 blocks, which is the maximum.');
    expect((await run('block', 'acme', '--user', 'u7', '--for', '1h')).exitCode).toBe(0);
  });
});

describe('neuron unblock and block list', () => {
  it('ends a block, and says where there is none', async () => {
    const { run, blocks } = await withAcme();
    await run('block', 'acme', '--user', 'ann', '--for', '2h');
    const other = await run('unblock', 'acme', '--user', 'Ann');
    expect([other.exitCode, other.stdout]).toEqual([0, 'user Ann of acme is not blocked by such a block.\n']);
    expect(await blocks()).toHaveLength(1);
    expect((await run('unblock', 'acme', '--user', 'ann')).stdout).toBe(
      'Unblocked user ann of acme. Takes effect within 15 s.\n',
    );
    expect(await blocks()).toBeUndefined();
  });

  it('lists those of the organization and its neurons', async () => {
    const { run } = await withAcme();
    expect((await run('block', 'list', 'acme')).stderr).toContain('acme has no blocks.');
    await run('block', 'acme', '--user', 'ann\u202e', '--for', '2h');
    await run('block', 'acme/hello', '--ip', '203.0.113.7', '--for', '1h');
    const { stdout } = await run('block', 'list', 'acme');
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/).slice(0, 4))).toEqual([
      ['OF', 'KIND', 'CALLER', 'UNTIL (UTC)'],
      ['acme', 'user', expect.stringContaining('202e'), '2026-11-21 14:00:00'],
      ['acme/hello', 'ip', '203.0.113.7', '2026-11-21 13:00:00'],
      [''],
    ]);
    expect((await run('block', 'list', 'acme/hello', '--json')).stdout.trim().split('\n')).toHaveLength(1);
  });

  it('are changes in the log that name no user', async () => {
    const { run } = await withAcme();
    await run('block', 'acme', '--user', 'ann', '--for', '2h');
    await run('unblock', 'acme', '--user', 'ann');
    const changes = (await run('logs', 'acme', '--changes', '--json')).stdout;
    expect(changes).not.toContain('ann"');
    expect(
      changes
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).actions),
    ).toEqual([['unblock'], ['block']]);
  });
});

describe('a pause with an end', () => {
  it('is stored with its end for an organization, a neuron and a key', async () => {
    const { run, ports } = await withAcme();
    const end = '2026-11-21T14:00:00.000Z';
    for (const words of [
      ['organization', 'pause', 'acme'],
      ['pause', 'acme/hello'],
      ['keys', 'pause', 'acme', KEY_ID],
    ]) {
      const { stdout } = await run(...words, '--for', '2h');
      expect(stdout).toContain(`until ${end}`);
    }
    const organization = await ports.store.readOrganization('acme');
    expect(organization?.pause?.until).toBe(end);
    expect((await ports.keys.find('id-acme', KEY_ID))?.pause?.until).toBe(end);
    const later = { ...ports, clock: { ...ports.clock, now: () => Date.parse(end) } };
    const listed = await runWith(later, ['list', 'acme', '--json']);
    expect(JSON.parse(listed.stdout).paused).toBe(false);
    expect(JSON.parse((await runWith(later, ['keys', 'list', 'acme', '--json'])).stdout).pausedAt).toBeNull();
  });
});
