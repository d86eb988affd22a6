// A key of another system, named on the command line as it was found: by its own text.
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../core/access/api-key.ts';
import { type MemoryPorts, runWith } from '../memory-ports.ts';
import { withAcme } from './acme-keys.ts';

const TEXT = 'sk-9vXq2LmZt7RwYb3NcKd8Ge';
const OTHER = 'sk-Zk4Tn8QyWc2HsLp9Vr6JmX';

async function withForeignKey(): Promise<MemoryPorts> {
  const ports = await withAcme();
  await ports.keys.create(digestOf(TEXT), {
    keyId: 'AbCdEfGh1234',
    prefix: 'nrn_AbCdEfGh1234',
    lastFour: '',
    name: 'shop',
    organizationId: 'id-acme',
    createdAt: '2026-11-19T12:00:00.000Z',
    createdBy: 'an operator',
    imported: true,
  });
  return ports;
}

describe('a key of another system by its text', () => {
  it.each([
    [['keys', 'update', 'acme', TEXT, '--name', 'shop front']],
    [['keys', 'pause', 'acme', TEXT]],
    [['keys', 'resume', 'acme', TEXT]],
    [['keys', 'rotate', 'acme', TEXT, '--overlap', '1h']],
    [['keys', 'revoke', 'acme', TEXT]],
    [['limits', 'acme', '--key', TEXT]],
    [['logs', 'acme', '--key', TEXT]],
  ])('is found by %j, and is not said again', async (words) => {
    const ports = await withForeignKey();
    const found = await runWith(ports, [...words, '--yes']);
    expect(found.stderr).not.toContain('error');
    expect(found.exitCode).toBe(0);
    const other = await runWith(
      ports,
      [...words, '--yes'].map((word) => (word === TEXT ? OTHER : word)),
    );
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain('acme has no key of this text.');
    for (const said of [found.stdout, found.stderr, other.stdout, other.stderr]) {
      expect(said).not.toContain(TEXT);
      expect(said).not.toContain(OTHER);
      expect(said).not.toContain(digestOf(TEXT));
      expect(said).not.toContain('sha256');
    }
  });

  it('changes the key that has it', async () => {
    const ports = await withForeignKey();
    await runWith(ports, ['keys', 'revoke', 'acme', TEXT, '--yes']);
    expect((await ports.keys.find('id-acme', 'AbCdEfGh1234'))?.revokedAt).toBeDefined();
  });

  it('is not found for another organization', async () => {
    const ports = await withForeignKey();
    expect(await ports.keys.find('id-other', `sha256:${digestOf(TEXT)}`)).toBeUndefined();
  });
});
