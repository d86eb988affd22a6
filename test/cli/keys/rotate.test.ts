// Rotation of an API key on the command line: another text of the same key, printed once.
import { describe, expect, it } from 'vitest';
import { parseApiKey } from '../../../core/access/api-key.ts';
import type { MemoryKeyStore } from '../../support/memory/key-store.ts';
import { type MemoryPorts, NOW_MS, runWith } from '../memory-ports.ts';
import { COST, createKey, withAcme } from './acme-keys.ts';

/** As the authorizer reads it. */
const readByDigest = (ports: MemoryPorts, digest: string) => (ports.keys as MemoryKeyStore).read(digest);

describe('neuron keys rotate', () => {
  it('prints another text of the same key once, and says how long both are valid', async () => {
    const ports = await withAcme();
    const { key, keyId } = await createKey(ports, '--limit', 'cost 50 month');
    const { stdout, stderr } = await runWith(ports, ['keys', 'rotate', 'acme', keyId, '--yes', '--json']);
    const rotated = JSON.parse(stdout) as { readonly key: string };
    const overlapEndsAt = new Date(NOW_MS + 86_400_000).toISOString();
    expect(rotated).toMatchObject({ keyId, organization: 'acme', prefix: `nrn_${keyId}`, overlapEndsAt });
    expect(rotated.key).not.toBe(key);
    expect(stderr).toContain(`Both are valid until ${overlapEndsAt}.`);
    const [before, after] = [parseApiKey(key)!, parseApiKey(rotated.key)!];
    expect(after.keyId).toBe(keyId);
    expect(await readByDigest(ports, before.digest)).toMatchObject({ expiresAt: overlapEndsAt });
    expect(await readByDigest(ports, after.digest)).toMatchObject({
      keyId,
      usageLimits: [COST],
      name: 'shop',
    });
    const listed = await runWith(ports, ['keys', 'list', 'acme', '--json']);
    const both = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly replacedAt: string | null });
    expect(both.map(({ replacedAt }) => replacedAt !== null)).toEqual([true, false]);
  });

  it('ends the text before it as soon as it is told to', async () => {
    const ports = await withAcme();
    const { key, keyId } = await createKey(ports);
    const { stderr } = await runWith(ports, ['keys', 'rotate', 'acme', keyId, '--overlap', '0s', '--yes']);
    expect(stderr).toContain('The one before is not valid any more.');
    expect(stderr).not.toContain('Both are valid');
    expect(await readByDigest(ports, parseApiKey(key)!.digest)).toMatchObject({
      expiresAt: new Date(NOW_MS).toISOString(),
    });
  });

  it('records neither a key nor its digest', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const { stdout: rotated } = await runWith(ports, ['keys', 'rotate', 'acme', keyId, '--yes', '--json']);
    const { key } = JSON.parse(rotated) as { readonly key: string };
    const { stdout } = await runWith(ports, ['logs', 'acme', '--changes', '--json']);
    expect(stdout).toContain('rotate_key');
    for (const secret of [key, parseApiKey(key)!.digest]) expect(stdout).not.toContain(secret);
  });

  it('is one key to the audit, whichever text a restore brings back', async () => {
    const ports = await withAcme();
    const { key, keyId } = await createKey(ports);
    await runWith(ports, ['keys', 'rotate', 'acme', keyId, '--yes']);
    const agreed = await runWith(ports, ['keys', 'audit', 'acme', '--check']);
    expect(agreed.exitCode).toBe(0);
    const { digest } = parseApiKey(key)!;
    const before = await readByDigest(ports, digest);
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    const read = ports.keys.list;
    const list = async function* (organizationId: string) {
      for await (const one of read(organizationId)) yield one.replacedAt === undefined ? one : before!;
    };
    const words = ['keys', 'audit', 'acme', '--check', '--json'];
    const { exitCode, stdout } = await runWith({ ...ports, keys: { ...ports.keys, list } }, words);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ keyId, difference: 'revoked_in_log' });
  });

  it('says that someone else has changed the key meanwhile', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const keys = { ...ports.keys, rotate: async () => 'conflict' as const };
    const { exitCode, stderr } = await runWith({ ...ports, keys }, [
      'keys',
      'rotate',
      'acme',
      keyId,
      '--yes',
    ]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Run the command again.')]);
  });
});
