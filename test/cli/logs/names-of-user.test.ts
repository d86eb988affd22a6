// Calls by a username: found under the name and under its digest, with the right to the key and without it.
import { describe, expect, it } from 'vitest';
import { digestUsername } from '../../../core/ports/user-key.ts';
import {
  createMemoryPorts,
  logEntry,
  type MemoryPorts,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../memory-ports.ts';

const KEY = 'k'.repeat(44);
const DIGEST = digestUsername('ann', KEY);

async function withCalls(usernameAs?: 'hmac', key: string | null = KEY): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  const jwt = { sharedSecret: { secret: 's' }, usernamePath: 'sub', ...(usernameAs && { usernameAs }) };
  const record = neuronRecord('acme', 'hello');
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron(
    'acme',
    { ...record, document: { neuron: 'acme/hello', access: { jwt } } },
    'absent',
  );
  if (key !== null) ports.secretValues.set('id-acme/providers/user:hmac', key);
  await ports.logStore.put(logEntry({ executionId: 'plain=', username: 'ann' }));
  await ports.logStore.put(logEntry({ executionId: 'digest=', username: DIGEST }));
  await ports.logStore.put(logEntry({ executionId: 'other=', username: 'bob' }));
  return ports;
}

const denied = (ports: MemoryPorts, name = 'AccessDeniedException'): MemoryPorts => ({
  ...ports,
  secretReader: {
    read: async () => {
      throw Object.assign(new Error('not authorized'), { name });
    },
  },
});

async function listed(ports: MemoryPorts, ...words: string[]) {
  const { stdout, stderr, exitCode } = await runWith(ports, ['logs', ...words, '--json']);
  const ids = [...stdout.matchAll(/"executionId":"([^"]+)"/g)].map(([, id]) => id);
  return { ids: ids.toSorted(), stderr, exitCode, stdout };
}

describe('neuron logs --user', () => {
  it('finds the name and its digest, each entry once, also where an organization and its neuron are named', async () => {
    const ports = await withCalls('hmac');
    expect((await listed(ports, 'acme', '--user', 'ann')).ids).toEqual(['digest=', 'plain=']);
    expect((await listed(ports, 'acme', 'acme/hello', '--user', 'ann')).ids).toEqual(['digest=', 'plain=']);
    expect((await listed(ports, 'acme/hello', '--user', DIGEST)).ids).toEqual(['digest=']);
    const { stdout, stderr } = await listed(ports, 'acme', '--user', 'ann');
    expect(`${stdout}${stderr}`).not.toContain(KEY);
  });

  it('finds the name alone in an organization without a key', async () => {
    const { ids, stderr } = await listed(await withCalls(undefined, null), 'acme', '--user', 'ann');
    expect([ids, stderr]).toEqual([['plain='], '']);
  });

  it('says what it left out without the right to the key, where a neuron keeps digests', async () => {
    const { ids, stderr } = await listed(denied(await withCalls('hmac')), 'acme', '--user', 'ann');
    expect(ids).toEqual(['plain=']);
    expect(stderr).toContain('Neurons with `usernameAs: hmac` are left out');
    expect(await listed(denied(await withCalls()), 'acme', '--user', 'ann')).toMatchObject({
      ids: ['plain='],
      stderr: '',
    });
    // A digest takes no key.
    expect(await listed(denied(await withCalls('hmac')), 'acme', '--user', DIGEST)).toMatchObject({
      ids: ['digest='],
      stderr: '',
    });
  });

  it('fails where the key cannot be read for another reason', async () => {
    const ports = denied(await withCalls('hmac'), 'ThrottlingException');
    expect(await listed(ports, 'acme', '--user', 'ann')).toMatchObject({ exitCode: 1, ids: [] });
  });
});

it('neuron usage --user excludes the options that show other tables', async () => {
  const { exitCode, stderr } = await runWith(await withCalls(), [
    'usage',
    'acme',
    '--user',
    'ann',
    '--by',
    'key',
  ]);
  expect([exitCode, stderr.includes('--user')]).toEqual([2, true]);
});
