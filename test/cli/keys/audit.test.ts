// `neuron keys audit`: keys that a restored table has brought back are found by the change log and revoked again.
import { describe, expect, it } from 'vitest';
import type { StoredKey } from '../../../core/ports/keys.ts';
import { createMemoryKeyStore } from '../../support/memory/key-store.ts';
import { createMemoryPorts, type MemoryPorts, organizationRecord, runWith } from '../memory-ports.ts';

async function stored(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  for (const slug of ['acme', 'other']) {
    await ports.store.writeOrganization(organizationRecord(slug), 'absent');
  }
  return ports;
}

async function create(ports: MemoryPorts, organization = 'acme'): Promise<string> {
  const { stdout } = await runWith(ports, ['keys', 'create', organization, '--name', 'x', '--json']);
  return (JSON.parse(stdout) as { keyId: string }).keyId;
}

async function keysOf(ports: MemoryPorts, organizationId: string): Promise<StoredKey[]> {
  const keys: StoredKey[] = [];
  for await (const key of ports.keys.list(organizationId)) keys.push(key);
  return keys;
}

/** The ports with the keys as they were before anything was revoked, without those in `lost`. */
async function restored(ports: MemoryPorts, lost: readonly string[] = []): Promise<MemoryPorts> {
  const keys = createMemoryKeyStore();
  const all = [...(await keysOf(ports, 'id-acme')), ...(await keysOf(ports, 'id-other'))];
  for (const { revokedAt: _, ...key } of all)
    if (!lost.includes(key.keyId)) await keys.create(`digest-${key.keyId}`, key);
  return { ...ports, keys, keyReader: keys };
}

const validIds = async (ports: MemoryPorts) =>
  [...(await keysOf(ports, 'id-acme')), ...(await keysOf(ports, 'id-other'))]
    .filter(({ revokedAt }) => revokedAt === undefined)
    .map(({ keyId }) => keyId);

describe('neuron keys audit', () => {
  it('revokes again what was revoked and is valid after a restore, in every organization', async () => {
    const ports = await stored();
    const [kept, gone, theirs] = [await create(ports), await create(ports), await create(ports, 'other')];
    await runWith(ports, ['keys', 'revoke', 'acme', gone, '--yes']);
    await runWith(ports, ['keys', 'revoke', 'other', theirs, '--yes']);
    const back = await restored(ports);
    expect((await validIds(back)).toSorted()).toEqual([kept, gone, theirs].toSorted());
    const rejected = await runWith(back, ['keys', 'audit']);
    expect(rejected.exitCode).toBe(2);
    const { exitCode, stdout } = await runWith(back, ['keys', 'audit', '--yes', '--json']);
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      {
        ...{ organization: 'acme', keyId: gone, difference: 'revoked_in_log' },
        recordedAt: '2026-11-21T12:00:00.000Z',
        by: 'arn:aws:iam::123456789012:user/ada',
      },
      expect.objectContaining({ organization: 'other', keyId: theirs, difference: 'revoked_in_log' }),
    ]);
    expect(await validIds(back)).toEqual([kept]);
    expect(await runWith(back, ['keys', 'audit', '--check'])).toMatchObject({
      exitCode: 0,
      stderr: 'The keys of 2 organizations agree with the change log.\n',
    });
  });

  it('only tells with --check, and asks on a terminal', async () => {
    const ports = await stored();
    const keyId = await create(ports);
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    const back = await restored(ports);
    const checked = await runWith(back, ['keys', 'audit', 'acme', '--check']);
    expect(checked.exitCode).toBe(1);
    expect(checked.stdout).toContain(keyId);
    const asked = await runWith(back, ['keys', 'audit', 'acme'], { typed: ['n'] });
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain('Revoke 1 key again? Requests with it are then denied. [y/N]');
    expect(await validIds(back)).toEqual([keyId]);
  });

  it('does not touch organizations that are not named', async () => {
    const ports = await stored();
    const theirs = await create(ports, 'other');
    await runWith(ports, ['keys', 'revoke', 'other', theirs, '--yes']);
    const back = await restored(ports);
    expect(await runWith(back, ['keys', 'audit', 'acme', '--yes'])).toMatchObject({
      exitCode: 0,
      stdout: '',
    });
    expect(await validIds(back)).toEqual([theirs]);
  });

  it('revokes what the deletion of an organization had revoked, when its settings are back too', async () => {
    const ports = await stored();
    const keyId = await create(ports);
    const back = await restored(ports);
    await runWith(ports, ['delete', 'acme', '--yes']);
    await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
    expect((await runWith(back, ['keys', 'audit', 'acme', '--yes'])).stdout).toContain(keyId);
    expect(await validIds(back)).toEqual([]);
    // A key that was created after it is none of those.
    const later = await create({ ...back, clock: { ...back.clock, now: () => back.clock.now() + 60_000 } });
    await runWith(back, ['keys', 'audit', 'acme', '--yes']);
    expect(await validIds(back)).toEqual([later]);
  });

  it('takes a revocation of unknown outcome for made, and a failed one for none', async () => {
    const ports = await stored();
    const [unknown, failed] = [await create(ports), await create(ports)];
    const entry = (keyId: string, id: string) => ({
      ...{ id, timeMs: ports.clock.now(), by: 'local', expiresAt: 2_000_000_000 },
      ...{ actions: ['revoke_key'] as const, before: { keyId }, after: undefined },
      ...{ organization: 'acme', organizationId: 'id-acme', neuron: undefined, neuronId: undefined },
    });
    await ports.changes.begin(entry(unknown, 'chg-1-0000000000000001'));
    const second = entry(failed, 'chg-1-0000000000000002');
    await ports.changes.begin(second);
    await ports.changes.end(second, 'failed');
    expect((await runWith(ports, ['keys', 'audit', 'acme', '--yes'])).exitCode).toBe(0);
    expect(await validIds(ports)).toEqual([failed]);
  });

  it('names keys that the restore lost, and keys that no command created', async () => {
    const ports = await stored();
    const lost = await create(ports);
    const back = await restored(ports, [lost]);
    await back.keys.create('digest-strange', {
      ...{ keyId: 'strangeKey12', organizationId: 'id-acme', name: 'x', prefix: 'nrn_strangeKey12' },
      ...{ lastFour: 'abcd', createdAt: '2026-11-20T00:00:00.000Z', createdBy: 'someone' },
    });
    const { exitCode, stdout } = await runWith(back, ['keys', 'audit', 'acme', '--check', '--json']);
    expect(exitCode).toBe(1);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([
      expect.objectContaining({ keyId: lost, difference: 'missing' }),
      {
        ...{ organization: 'acme', keyId: 'strangeKey12', difference: 'not_in_log' },
        ...{ recordedAt: '2026-11-20T00:00:00.000Z', by: 'someone' },
      },
    ]);
    expect((await runWith(back, ['keys', 'audit', 'acme'])).exitCode).toBe(0);
    expect(await validIds(back)).toEqual(['strangeKey12']);
  });

  it('says nothing of keys that are older than the change log', async () => {
    const ports = await stored();
    await ports.keys.create('digest-old', {
      ...{ keyId: 'oldKey123456', organizationId: 'id-acme', name: 'x', prefix: 'nrn_oldKey123456' },
      ...{ lastFour: 'abcd', createdAt: '2024-11-20T00:00:00.000Z', createdBy: 'someone' },
    });
    expect((await runWith(ports, ['keys', 'audit', 'acme', '--check'])).exitCode).toBe(0);
  });
});
