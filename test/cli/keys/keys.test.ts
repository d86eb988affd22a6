// `neuron keys`: a key is shown once, stored as a digest, listed without itself, and revoked for good.
import { describe, expect, it } from 'vitest';
import { parseApiKey } from '../../../core/access/api-key.ts';
import type { StoredKey } from '../../../core/ports/keys.ts';
import {
  createMemoryPorts,
  type MemoryPorts,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const CREATE = ['keys', 'create', 'acme', '--name', 'Back end'];

const LIMITS = [
  { metric: 'cost', limit: 500_000, period: 'month' },
  { metric: 'requests', limit: 1_000, period: 'day' },
] as const;

async function withAcme(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  for (const slug of ['acme', 'other']) {
    await ports.store.writeOrganization(organizationRecord(slug), 'absent');
  }
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'support'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'sales'), 'absent');
  return ports;
}

async function storedKeys(ports: MemoryPorts, organizationId = 'id-acme'): Promise<StoredKey[]> {
  const keys: StoredKey[] = [];
  for await (const key of ports.keys.list(organizationId)) keys.push(key);
  return keys;
}

/** Makes a key and gives what `--json` said of it. */
async function create(ports: MemoryPorts, ...words: string[]) {
  const { stdout } = await runWith(ports, [...CREATE, ...words, '--json']);
  return JSON.parse(stdout) as Record<string, string>;
}

describe('neuron keys create', () => {
  it('prints only the key on standard output, once, and everything else on standard error', async () => {
    const ports = await withAcme();
    const { exitCode, stdout, stderr } = await runWith(ports, CREATE);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^nrn_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}\n$/);
    const key = stdout.trim();
    expect(stderr).toBe(
      [
        `Key ${key.slice(4, 16)} for all neurons of acme is valid until it is revoked. Takes effect at once.`,
        'The key is not shown again. Never put it in the code of a web page or app.',
        '',
      ].join('\n'),
    );
    const listed = await runWith(ports, ['keys', 'list', 'acme', '--json']);
    expect(`${stderr}${listed.stdout}`).not.toContain(key.slice(17, -4));
  });

  it('stores the public facts of the key under its digest, and nothing of its secret', async () => {
    const ports = await withAcme();
    const { key = '', keyId, ...shown } = await create(ports);
    expect(shown).toEqual({
      prefix: `nrn_${keyId}`,
      lastFour: key.slice(-4),
      organization: 'acme',
      name: 'Back end',
      neurons: null,
      limits: [],
      tags: {},
      onBehalfOf: false,
      tagsFromCalls: false,
      createdAt: '2026-11-21T12:00:00.000Z',
      expiresAt: null,
    });
    const stored = await ports.keyReader.read(parseApiKey(key)?.digest ?? '');
    expect(stored).toEqual({
      keyId,
      prefix: `nrn_${keyId}`,
      lastFour: key.slice(-4),
      organizationId: 'id-acme',
      name: 'Back end',
      createdAt: '2026-11-21T12:00:00.000Z',
      createdBy: 'arn:aws:iam::123456789012:user/ada',
    });
  });

  it('creates a key that expires and is limited to some neurons, by their ids', async () => {
    const ports = await withAcme();
    const shown = await create(ports, '--expires', '90d', '--neurons', 'support,sales,support');
    expect(shown).toMatchObject({
      expiresAt: '2027-02-19T12:00:00.000Z',
      neurons: ['support', 'sales'],
    });
    expect(await storedKeys(ports)).toMatchObject([
      { expiresAt: '2027-02-19T12:00:00.000Z', neurons: ['id-support', 'id-sales'] },
    ]);
  });

  it('asks on a terminal, and creates no key after a no', async () => {
    const ports = await withAcme();
    const rejected = await runWith(ports, [...CREATE, '--neurons', 'sales'], { typed: ['n'] });
    expect(rejected).toMatchObject({ exitCode: 1, stdout: '' });
    expect(rejected.stderr).toContain('Create an API key for acme/sales? [y/N]');
    expect(await storedKeys(ports)).toEqual([]);
    expect((await runWith(ports, CREATE, { typed: ['y'] })).exitCode).toBe(0);
    expect((await runWith(ports, [...CREATE, '--yes'], { typed: [] })).exitCode).toBe(0);
    expect(await storedKeys(ports)).toHaveLength(2);
  });

  it('refuses an unknown organization and unknown neurons, and creates no key', async () => {
    const ports = await withAcme();
    const organization = await runWith(ports, ['keys', 'create', 'nobody', '--name', 'x']);
    expect(organization).toMatchObject({ exitCode: 1, stdout: '' });
    expect(organization.stderr).toContain('There is no organization nobody.');
    const neuron = await runWith(ports, [...CREATE, '--neurons', 'support,none']);
    expect(neuron).toMatchObject({ exitCode: 1, stdout: '' });
    expect(neuron.stderr).toContain('There is no neuron acme/none.');
    expect(await storedKeys(ports)).toEqual([]);
  });

  it.each([
    ['no name', ['keys', 'create', 'acme']],
    ['an empty name', ['keys', 'create', 'acme', '--name', '']],
    ['a name of two lines', ['keys', 'create', 'acme', '--name', 'a\nb']],
    ['a name of 101 characters', ['keys', 'create', 'acme', '--name', 'a'.repeat(101)]],
    ['an expiry that is no duration', [...CREATE, '--expires', '2027-01-01']],
    ['an expiry of no time', [...CREATE, '--expires', '0d']],
    ['an empty list of neurons', [...CREATE, '--neurons', '']],
    ['a list with a gap', [...CREATE, '--neurons', 'support,,sales']],
    ['neurons that are no slugs', [...CREATE, '--neurons', 'acme/support']],
  ])('refuses %s as wrong use', async (_what, words) => {
    const ports = await withAcme();
    expect(await runWith(ports, words)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await storedKeys(ports)).toEqual([]);
  });
});

describe('neuron keys list', () => {
  it('shows prefix and last four, times in UTC, neurons by slug and the last use', async () => {
    const ports = await withAcme();
    const first = await create(ports, '--neurons', 'support');
    await ports.keyUses.record(first['keyId'] ?? '', Date.parse('2026-11-21T12:30:00.000Z'));
    await runWith(ports, ['keys', 'revoke', 'acme', first['keyId'] ?? '', '--yes']);
    const { stdout } = await runWith(ports, ['keys', 'list', 'acme', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      keyId: first['keyId'],
      prefix: first['prefix'],
      lastFour: first['lastFour'],
      name: 'Back end',
      neurons: ['support'],
      limits: [],
      tags: {},
      onBehalfOf: false,
      tagsFromCalls: false,
      imported: false,
      pausedAt: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      createdBy: 'arn:aws:iam::123456789012:user/ada',
      expiresAt: null,
      revokedAt: '2026-11-21T12:00:00.000Z',
      replacedAt: null,
      lastUsedAt: '2026-11-21T12:30:00.000Z',
    });
  });

  it('is a table for people, the oldest key first', async () => {
    const ports = await withAcme();
    const digest = (index: number) => index.toString(16).padStart(64, '0');
    for (const [index, createdAt] of ['2026-03-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'].entries()) {
      await ports.keys.create(digest(index), {
        keyId: `key${index}`,
        prefix: `nrn_key${index}`,
        lastFour: 'Fzi4',
        organizationId: 'id-acme',
        name: `number ${index}`,
        createdAt,
        createdBy: 'local',
        neurons: ['id-gone'],
        ...(index === 0 ? { usageLimits: [...LIMITS] } : {}),
      });
    }
    const { stdout } = await runWith(ports, ['keys', 'list', 'acme']);
    expect(stdout.split('\n')).toEqual([
      'PREFIX    LAST FOUR  NAME      NEURONS  LIMITS                             TAGS  CREATED                   EXPIRES  PAUSED  REVOKED  LAST USED',
      'nrn_key1  Fzi4       number 1  id-gone  -                                  -     2026-01-01T00:00:00.000Z  -        -       -        -',
      'nrn_key0  Fzi4       number 0  id-gone  cost 0.5 month, requests 1000 day  -     2026-03-01T00:00:00.000Z  -        -       -        -',
      '',
    ]);
  });

  it('shows no key of another organization, and says so where there is none', async () => {
    const ports = await withAcme();
    await create(ports);
    const { exitCode, stdout, stderr } = await runWith(ports, ['keys', 'list', 'other']);
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'other has no keys yet.\n',
    });
    expect((await runWith(ports, ['keys', 'list', 'nobody'])).exitCode).toBe(1);
  });
});

describe('neuron keys revoke', () => {
  it('revokes and says when it takes effect, and changes nothing the second time', async () => {
    const ports = await withAcme();
    const { keyId = '' } = await create(ports);
    const words = ['keys', 'revoke', 'acme', keyId, '--yes'];
    expect(await runWith(ports, words)).toMatchObject({
      exitCode: 0,
      stdout: `Revoked key ${keyId} of acme. Takes effect with the next request.\n`,
    });
    expect(await storedKeys(ports)).toMatchObject([{ keyId, revokedAt: '2026-11-21T12:00:00.000Z' }]);
    expect(await runWith(ports, words)).toMatchObject({
      exitCode: 0,
      stdout: `Key ${keyId} of acme is already revoked. Nothing was changed.\n`,
    });
    expect((await runWith(ports, [...words, '--json'])).stdout).toBe(
      `{"organization":"acme","keyId":"${keyId}","outcome":"already_revoked"}\n`,
    );
  });

  it('takes an id, a prefix, or a whole key that was found somewhere, without repeating its secret', async () => {
    for (const part of ['keyId', 'prefix', 'key']) {
      const ports = await withAcme();
      const created = await create(ports);
      const { stdout, stderr } = await runWith(ports, [
        'keys',
        'revoke',
        'acme',
        created[part] ?? '',
        '--yes',
        '--json',
      ]);
      expect(stdout).toBe(`{"organization":"acme","keyId":"${created['keyId']}","outcome":"revoked"}\n`);
      expect(stderr).toBe('');
    }
  });

  it('asks on a terminal, and refuses without one unless --yes is passed', async () => {
    const ports = await withAcme();
    const { keyId = '' } = await create(ports);
    const words = ['keys', 'revoke', 'acme', keyId];
    expect((await runWith(ports, words)).exitCode).toBe(2);
    const asked = await runWith(ports, words, { typed: ['n'] });
    expect(asked.exitCode).toBe(1);
    expect(asked.stderr).toContain(`Revoke key ${keyId} of acme?`);
    expect((await storedKeys(ports))[0]?.revokedAt).toBeUndefined();
    await runWith(ports, words, { typed: ['y'] });
    expect((await storedKeys(ports))[0]?.revokedAt).toBeDefined();
  });

  it('refuses a key that the organization does not have: exit 1, and one of another stays', async () => {
    const ports = await withAcme();
    const { keyId = '' } = await create(ports);
    const { exitCode, stdout, stderr } = await runWith(ports, ['keys', 'revoke', 'other', keyId, '--yes']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(`error: other has no key ${keyId}.`);
    expect((await storedKeys(ports))[0]?.revokedAt).toBeUndefined();
  });

  it('refuses what is not the id of a key as wrong usage', async () => {
    const ports = await withAcme();
    for (const word of ['', 'short', 'nrn_', `${'a'.repeat(12)}_x`, `${'a'.repeat(11)}#`]) {
      expect((await runWith(ports, ['keys', 'revoke', 'acme', word, '--yes'])).exitCode).toBe(2);
    }
  });
});

describe('neuron delete', () => {
  it('of an organization revokes its keys', async () => {
    const ports = await withAcme();
    await create(ports);
    await create(ports);
    expect((await runWith(ports, ['delete', 'acme', '--yes'])).exitCode).toBe(0);
    expect((await storedKeys(ports)).map(({ revokedAt }) => revokedAt)).toEqual([
      '2026-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
    ]);
  });
});
