// What a key may beside calling neurons, on the command line: patterns, tags, end users, and a pause.
import { describe, expect, it } from 'vitest';
import { neuronRecord, runWith } from '../memory-ports.ts';
import { createKey, withAcme } from './acme-keys.ts';

const PAUSE = { retryAfterSeconds: 600, since: '2026-11-21T12:00:00.000Z' };

describe('the grants of a key', () => {
  it('are stored with it, and shown', async () => {
    const ports = await withAcme();
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'support'), 'absent');
    const words = ['--neurons', 'support,shop-*', '--tag', 'team=shop', '--tag', 'cost-center=42 Ω'];
    const { keyId, ...shown } = await createKey(ports, ...words, '--on-behalf-of', '--tags-from-calls');
    const grants = { tags: { team: 'shop', 'cost-center': '42 Ω' }, onBehalfOf: true, tagsFromCalls: true };
    expect(shown).toMatchObject({ ...grants, neurons: ['support', 'shop-*'] });
    expect(await ports.keys.find('id-acme', keyId)).toMatchObject({
      ...grants,
      neurons: ['id-support'],
      neuronPatterns: ['shop-*'],
    });
    const { stdout } = await runWith(ports, ['keys', 'list', 'acme', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ...grants, neurons: ['support', 'shop-*'], pausedAt: null });
  });

  it('change, each back again', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const update = async (...words: string[]) => {
      await runWith(ports, ['keys', 'update', 'acme', keyId, '--yes', ...words]);
      return ports.keys.find('id-acme', keyId);
    };
    expect(await update('--neurons', 'shop-*')).toMatchObject({ neurons: [], neuronPatterns: ['shop-*'] });
    const all = await update('--all-neurons', '--tag', 'a=b', '--on-behalf-of', '--tags-from-calls');
    expect(all).toMatchObject({ tags: { a: 'b' }, onBehalfOf: true, tagsFromCalls: true });
    expect(all).not.toHaveProperty('neuronPatterns');
    expect(all).not.toHaveProperty('neurons');
    const none = await update('--clear-tags', '--not-on-behalf-of', '--ignore-call-tags');
    for (const member of ['tags', 'onBehalfOf', 'tagsFromCalls']) expect(none).not.toHaveProperty(member);
  });

  it.each([
    ['--tag', 'team', 'It must be NAME=VALUE'],
    ['--tag', '=x', 'It must be NAME=VALUE'],
    ['--tag', 'team=', 'It must be NAME=VALUE'],
    ['--tag', 'a b=x', 'It must be NAME=VALUE'],
    ['--tag', `team=${'x'.repeat(65)}`, 'It must be NAME=VALUE'],
    ['--tag', 'team=a\u202eb', 'It must be NAME=VALUE'],
    ['--neurons', 'a*b', 'It must be neurons'],
    ['--neurons', '*b*', 'It must be neurons'],
    ['--neurons', 'Shop-*', 'It must be neurons'],
    [
      '--neurons',
      Array.from({ length: 21 }, (_, index) => `a${index}*`).join(','),
      'at most 20 names with *',
    ],
  ])('refuse %s %s', async (name, value, message) => {
    const words = ['keys', 'create', 'acme', '--name', 'x', name, value];
    const { exitCode, stderr } = await runWith(await withAcme(), words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuse eleven tags, and one twice', async () => {
    const ports = await withAcme();
    const tags = Array.from({ length: 11 }, (_, index) => ['--tag', `t${index}=x`]).flat();
    for (const words of [tags, ['--tag', 'a=b', '--tag', 'a=c']])
      expect((await runWith(ports, ['keys', 'create', 'acme', '--name', 'x', ...words])).exitCode).toBe(2);
  });
});

describe('neuron keys pause', () => {
  it('stores the wait with who did it, and resume removes it', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    const paused = await runWith(ports, ['keys', 'pause', 'acme', keyId, '--retry-after', '10m', '--yes']);
    expect(paused.stdout).toBe(
      `Key ${keyId} of acme is paused from the next request on. Callers get Retry-After: 600.\n`,
    );
    expect(await ports.keys.find('id-acme', keyId)).toMatchObject({ pause: PAUSE });
    const { stdout } = await runWith(ports, ['keys', 'list', 'acme', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ pausedAt: PAUSE.since });
    const resumed = await runWith(ports, ['keys', 'resume', 'acme', keyId, '--yes', '--json']);
    expect(JSON.parse(resumed.stdout)).toEqual({ organization: 'acme', keyId, pause: null });
    expect(await ports.keys.find('id-acme', keyId)).not.toHaveProperty('pause');
    expect((await runWith(ports, ['keys', 'resume', 'acme', keyId])).stdout).toContain('is not paused.');
  });

  it('refuses a key that is revoked, or not there', async () => {
    const ports = await withAcme();
    const { keyId } = await createKey(ports);
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    const revoked = await runWith(ports, ['keys', 'pause', 'acme', keyId, '--yes']);
    expect(revoked.stderr).toContain('is revoked. Nothing was changed.');
    const unknown = await runWith(ports, ['keys', 'pause', 'acme', '0123456789ab', '--yes']);
    expect(unknown.stderr).toContain('has no key 0123456789ab');
  });
});

describe('neuron pause', () => {
  it('closes one neuron, and resume opens it', async () => {
    const ports = await withAcme();
    await ports.store.writeNeuron('acme', neuronRecord('acme', 'support'), 'absent');
    const read = async () => {
      const owner = await ports.store.readOrganization('acme');
      return owner && ports.store.readNeuron(owner, 'support');
    };
    const paused = await runWith(ports, ['pause', 'acme/support', '--retry-after', '10m', '--yes']);
    expect(paused.stdout).toBe(
      'acme/support is paused. Takes effect within 15 s. Callers get Retry-After: 600.\n',
    );
    expect(await read()).toMatchObject({ pause: PAUSE, document: { neuron: 'acme/support' } });
    const listed = await runWith(ports, ['list', 'acme', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({ neuron: 'acme/support', paused: true });
    await runWith(ports, ['resume', 'acme/support', '--yes']);
    expect((await read())?.pause).toBeUndefined();
    expect((await runWith(ports, ['resume', 'acme/support'])).stdout).toBe('acme/support is not paused.\n');
  });
});
