// `neuron logs` of several owners, and names of API keys beside their ids.
import { describe, expect, it } from 'vitest';
import type { Ports } from '../../../../cli/session/ports.ts';
import type { LogEntry } from '../../../../core/contract/log-entry.ts';
import {
  createMemoryPorts,
  logEntry,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../../memory-ports.ts';

const KEY = { prefix: 'nrn_k', lastFour: 'abcd', createdAt: '2026-11-20T08:00:00.000Z', createdBy: 'ada' };

/** Organizations acme and other with a neuron each; acme has the key `k1`. */
async function scene(...entries: Partial<LogEntry>[]) {
  const ports = createMemoryPorts();
  for (const slug of ['acme', 'other']) {
    await ports.store.writeOrganization(organizationRecord(slug), 'absent');
    await ports.store.writeNeuron(slug, { ...neuronRecord(slug, 'hello'), id: `id-hello-${slug}` }, 'absent');
  }
  await ports.keys.create('d1', { ...KEY, keyId: 'k1', organizationId: 'id-acme', name: 'back-end' });
  for (const one of entries) await ports.logStore.put(logEntry({ neuronId: 'id-hello-acme', ...one }));
  return ports;
}

const OTHER = { organization: 'other', organizationId: 'id-other', neuronId: 'id-hello-other' };
const at = (executionId: string, secondsAgo: number, changes: Partial<LogEntry> = {}) => ({
  ...changes,
  executionId,
  timeMs: NOW_MS - secondsAgo * 1000,
});
const MIXED = [at('a', 10), at('b', 20, OTHER), at('c', 30), at('d', 40, OTHER)];

async function idsOf(ports: Ports, ...words: string[]) {
  const { stdout } = await runWith(ports, ['logs', ...words, '--json']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { executionId: string }).executionId);
}

describe('neuron logs of several', () => {
  it('merges their entries, newest first, and shows whose each is', async () => {
    const ports = await scene(...MIXED);
    expect(await idsOf(ports, 'acme', 'other')).toEqual(['a', 'b', 'c', 'd']);
    expect(await idsOf(ports, 'acme', 'other/hello')).toEqual(['a', 'b', 'c', 'd']);
    const { stdout } = await runWith(ports, ['logs', 'other', 'acme']);
    expect(stdout.split('\n').map((line) => /\S+\/hello/.exec(line)?.[0])).toEqual([
      undefined,
      'acme/hello',
      'other/hello',
      'acme/hello',
      'other/hello',
      undefined,
    ]);
    const csv = await runWith(ports, ['logs', 'acme', 'other', '--csv']);
    expect(csv.stdout.split('\r\n').map((line) => line.split(',')[1])).toEqual([
      'organization',
      'acme',
      'other',
      'acme',
      'other',
      undefined,
    ]);
  });

  it('lists no entry twice', async () => {
    const ports = await scene(...MIXED);
    expect(await idsOf(ports, 'acme', 'acme/hello', 'acme')).toEqual(['a', 'c']);
    expect(await idsOf(ports, 'acme/hello', 'acme/hello')).toEqual(['a', 'c']);
  });

  it('repeats all of them in its hints', async () => {
    const { stderr } = await runWith(await scene(), ['logs', 'acme', 'other/hello']);
    expect(stderr).toContain('No entries of acme other/hello between');
    expect(stderr).toContain('`neuron logs acme other/hello --since 1d`');
  });

  it.each([['--changes'], ['--id', 'a'], ['--deleted', 'id-acme']])('refuses %s', async (...words) => {
    const { exitCode, stderr } = await runWith(await scene(), ['logs', 'acme', 'other', ...words]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('take one organization or neuron')]);
  });

  it('refuses a word that is no organization or neuron', async () => {
    expect((await runWith(await scene(), ['logs', 'acme', 'Not a slug'])).exitCode).toBe(2);
  });
});

describe('names of API keys', () => {
  const BY_KEY = [at('a', 10, { keyId: 'k1' }), at('b', 20, { keyId: 'k2' }), at('c', 30, { keyId: 'k1' })];

  it('are beside the ids in the list, in one entry, in JSON and in CSV', async () => {
    const ports = await scene(...BY_KEY);
    const { stdout } = await runWith(ports, ['logs', 'acme']);
    expect(stdout).toContain('key k1 (back-end)');
    expect(stdout).toMatch(/key k2 +b\n/);
    expect((await runWith(ports, ['logs', 'acme', '--id', 'a'])).stdout).toContain('k1 (back-end)');
    const whole = await runWith(ports, ['logs', 'acme', '--id', 'a', '--json']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ keyId: 'k1', keyName: 'back-end' });
    const csv = await runWith(ports, ['logs', 'acme', '--csv']);
    expect(csv.stdout.split('\r\n').map((line) => line.split(',').at(-1))).toEqual([
      'keyName',
      'back-end',
      '',
      'back-end',
      '',
    ]);
  });

  it('are of the organization of the entry alone', async () => {
    const ports = await scene(at('a', 10, { ...OTHER, keyId: 'k1' }));
    expect((await runWith(ports, ['logs', 'acme', 'other'])).stdout).not.toContain('back-end');
  });

  it('are looked up once for each key, at most 200, and never by listing all', async () => {
    const many = Array.from({ length: 250 }, (_, number) =>
      at(`e${number}`, number, { keyId: `k${number}` }),
    );
    const ports = await scene(...many, at('again', 300, { keyId: 'k1' }));
    const asked: string[] = [];
    const keys: Ports['keys'] = {
      ...ports.keys,
      find: (organizationId, keyId) => {
        asked.push(keyId);
        return ports.keys.find(organizationId, keyId);
      },
      list: () => {
        throw new Error('all keys were listed');
      },
    };
    const { stdout } = await runWith({ ...ports, keys }, ['logs', 'acme']);
    expect(asked).toHaveLength(200);
    expect(new Set(asked).size).toBe(200);
    expect(stdout).toMatch(/key k1 \(back-end\) +again/);
  });

  it('are left out, and said to be, where keys cannot be read', async () => {
    const ports = await scene(...BY_KEY);
    const keys = { ...ports.keys, find: () => Promise.reject(new Error('denied')) };
    const { exitCode, stdout, stderr } = await runWith({ ...ports, keys }, ['logs', 'acme']);
    expect([exitCode, stderr]).toEqual([0, 'Names of API keys are not shown: the keys could not be read.\n']);
    expect(stdout).toMatch(/key k1 +a\n/);
  });
});
