// Whatever a command changes leaves an entry before it is changed, and none of them holds a secret.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createMemoryPorts,
  type MemoryPorts,
  NOW_MS,
  neuronRecord,
  organizationRecord,
  runWith,
} from '../../cli/memory-ports.ts';
import type { MemoryClock } from '../../support/memory/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function withNeuron(): Promise<MemoryPorts> {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(organizationRecord('acme'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello'), 'absent');
  for (const number of [1, 2, 3]) {
    await ports.store.createVersion('acme', {
      ...{
        id: `v${number}`,
        number,
        neuronId: 'id-hello',
        createdAt: '',
        author: 'local',
        message: undefined,
      },
      flow: [{ stop: {} }],
      flowDigest: String(number),
    });
  }
  return ports;
}

interface ChangeLine {
  readonly id: string;
  readonly actions: string[];
  readonly outcome: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly by: string;
  readonly neuron: string | null;
}

async function changesOf(ports: MemoryPorts, target = 'acme'): Promise<ChangeLine[]> {
  const { stdout } = await runWith(ports, ['logs', target, '--changes', '--json']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ChangeLine).reverse();
}

const SECRET = 'canary-secret-value-that-nobody-may-see';

describe('a change', () => {
  it.each([
    [['versions', 'deploy', 'acme/hello', 'v3'], 'deploy'],
    [['versions', 'undeploy', 'acme/hello'], 'undeploy'],
    [['versions', 'key', 'acme/hello', 'v1', '--new'], 'set_preview_key'],
    [['cache', 'clear', 'acme/hello'], 'clear_cache'],
    [['keys', 'create', 'acme', '--name', 'ci'], 'create_key'],
    [['secrets', 'set', 'acme', 'openai-key', '--for', 'providers'], 'set_secret'],
    [['organization', 'pause', 'acme'], 'pause'],
    [['maintenance', 'on'], 'maintenance_on'],
  ])('by `neuron %j` is an entry', async (words, action) => {
    const ports = await withNeuron();
    const { exitCode } = await runWith(ports, [...words, '--yes'], { piped: SECRET });
    expect(exitCode).toBe(0);
    expect(await changesOf(ports)).toMatchObject([
      { actions: [action], outcome: 'made', by: 'arn:aws:iam::123456789012:user/ada' },
    ]);
  });

  it('by `neuron cache clear` names the generation of the cache before and after, and nothing else', async () => {
    const ports = await withNeuron();
    await runWith(ports, ['cache', 'clear', 'acme/hello', '--yes']);
    const [cleared] = await changesOf(ports, 'acme/hello');
    expect(cleared).toMatchObject({
      neuron: 'hello',
      before: { cacheGeneration: 0 },
      after: { cacheGeneration: 1 },
    });
    expect(Object.keys(cleared?.after as object)).toEqual(['cacheGeneration']);
  });

  it('contains only what differs before and after', async () => {
    const ports = await withNeuron();
    await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v3', '--yes']);
    await runWith(ports, ['organization', 'pause', 'acme', '--yes']);
    await runWith(ports, ['organization', 'resume', 'acme', '--yes']);
    const [deploy, pause, resume] = await changesOf(ports);
    expect(deploy).toMatchObject({
      neuron: 'hello',
      before: { deployment: { version: 'v2', number: 5 } },
      after: { deployment: { version: 'v3', number: 6 } },
    });
    expect(Object.keys(deploy?.after as object)).toEqual(['deployment']);
    expect(pause?.after).toMatchObject({ pause: { retryAfterSeconds: 3600 } });
    expect(resume).toMatchObject({ actions: ['resume'], before: { pause: { retryAfterSeconds: 3600 } } });
  });

  it('by apply and delete leaves one entry for each thing created, changed or removed', async () => {
    const ports = createMemoryPorts();
    const folder = temporaryFolder();
    const write = (text: string) =>
      writeFileSync(
        join(folder, 'a.yaml'),
        `organization: acme\nproviders: { demo: { type: echo } }\n---\nneuron: acme/hello\naccess: { public: true }\n${text}flow: [{ callModel: { provider: demo, model: m } }]\n`,
      );
    write('');
    const apply = ['apply', folder, '--yes'];
    expect((await runWith(ports, apply)).exitCode).toBe(0);
    await (ports.clock as MemoryClock).advance(1_000);
    write('deadline: 30s\n');
    expect((await runWith(ports, apply)).exitCode).toBe(0);
    await (ports.clock as MemoryClock).advance(1_000);
    expect((await runWith(ports, ['delete', 'acme', '--yes'])).exitCode).toBe(0);
    const actions = (await changesOf(ports)).map((change) => change.actions.join('+'));
    expect(actions).toEqual([
      'create_organization',
      'create_version',
      'create_neuron+deploy',
      'update_neuron',
      'revoke_all_keys',
      'undeploy',
      'delete_version',
      'delete_neuron',
      'remove_all_secrets',
      'delete_organization',
    ]);
    // It tells into which chain the entry is sealed.
    const owners = new Set<string | undefined>();
    for await (const { organizationId } of ports.changes.list('acme', 0, Number.MAX_SAFE_INTEGER))
      owners.add(organizationId);
    expect([...owners]).toEqual([expect.any(String)]);
    const ofNeuron = await changesOf(ports, 'acme/hello');
    expect(ofNeuron.map(({ neuron, actions: [action] }) => `${action} ${neuron}`)).toEqual([
      'create_version hello',
      'create_neuron hello',
      'update_neuron hello',
      'undeploy hello',
      'delete_version hello',
      'delete_neuron hello',
    ]);
  });

  it('of secrets and keys names them and contains neither value nor digest', async () => {
    const ports = await withNeuron();
    const set = ['secrets', 'set', 'acme', 'openai-key', '--for', 'providers', '--yes'];
    await runWith(ports, set, { piped: SECRET });
    await runWith(ports, ['secrets', 'remove', 'acme', 'openai-key', '--for', 'providers', '--yes']);
    const made = await runWith(ports, ['keys', 'create', 'acme', '--name', 'ci', '--json']);
    const { key, keyId } = JSON.parse(made.stdout) as { key: string; keyId: string };
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    await runWith(ports, ['keys', 'revoke', 'acme', keyId, '--yes']);
    const preview = await runWith(ports, ['versions', 'key', 'acme/hello', 'v1', '--new', '--json']);
    const { previewKey } = JSON.parse(preview.stdout) as { previewKey: string };
    const changes = await changesOf(ports);
    expect(changes.map(({ actions: [action], outcome }) => `${action} ${outcome}`)).toEqual([
      'set_secret made',
      'remove_secret made',
      'create_key made',
      'revoke_key made',
      'revoke_key unchanged',
      'set_preview_key made',
    ]);
    const text = JSON.stringify(changes);
    expect(text).toContain('openai-key');
    expect(text).toContain(keyId);
    for (const secret of [SECRET, key, previewKey]) expect(text).not.toContain(secret);
    const neuron = await ports.store.readNeuron(organizationRecord('acme'), 'hello');
    expect(text).not.toContain(neuron?.previewKeys['v1']);
  });

  it('is refused when its entry cannot be written, and nothing is changed', async () => {
    const ports = await withNeuron();
    const before = JSON.stringify(await ports.store.listOrganizations());
    const failing = {
      ...ports,
      changes: { ...ports.changes, begin: () => Promise.reject(new Error('denied')) },
    };
    for (const words of [
      ['versions', 'undeploy', 'acme/hello'],
      ['keys', 'create', 'acme', '--name', 'ci'],
      ['secrets', 'set', 'acme', 'openai-key', '--for', 'providers'],
      ['organization', 'pause', 'acme'],
      ['maintenance', 'on'],
      ['delete', 'acme'],
    ]) {
      const { exitCode, stderr } = await runWith(failing, [...words, '--yes'], { piped: SECRET });
      expect(exitCode).toBe(1);
      expect(stderr).toContain('Nothing was changed, because the log entry of');
    }
    expect(JSON.stringify(await ports.store.listOrganizations())).toBe(before);
    expect(await ports.store.readMaintenance()).toBeUndefined();
    expect(await ports.secrets.list('id-acme', 'providers')).toEqual([]);
    for await (const key of ports.keys.list('id-acme')) throw new Error(`there is a key ${key.keyId}`);
  });

  it('has failed after a write conflict, and has an unknown outcome after any other failure of the store', async () => {
    const ports = await withNeuron();
    const store = { ...ports.store, setMaintenance: () => Promise.reject(new Error('timeout')) };
    const stale = {
      ...ports.store,
      readNeuron: async (...input: Parameters<typeof ports.store.readNeuron>) => {
        const found = await ports.store.readNeuron(...input);
        return found === undefined ? undefined : { ...found, write: found.write - 1 };
      },
    };
    await runWith({ ...ports, store }, ['maintenance', 'on', '--yes']);
    await runWith({ ...ports, store: stale }, ['versions', 'undeploy', 'acme/hello', '--yes']);
    expect((await changesOf(ports)).map(({ outcome }) => outcome)).toEqual(['unknown', 'failed']);
  });

  it('is shown in a table, and in full with its difference', async () => {
    const ports = await withNeuron();
    await runWith(ports, ['versions', 'deploy', 'acme/hello', 'v3', '--yes']);
    const [change] = await changesOf(ports);
    const { stdout } = await runWith(ports, ['logs', 'acme', '--changes']);
    expect(stdout).toBe(
      [
        'TIME (UTC)           CHANGE  SUBJECT     OUTCOME  BY                                  ID',
        `2026-11-21 12:00:00  deploy  acme/hello  made     arn:aws:iam::123456789012:user/ada  ${change?.id}`,
        '',
      ].join('\n'),
    );
    const shown = await runWith(ports, ['logs', 'acme', '--id', change!.id]);
    expect(shown.stdout).toContain('-  version: v2\n-  number: 5\n+  version: v3\n+  number: 6');
    expect((await runWith(ports, ['logs', 'beta', '--id', change!.id])).exitCode).toBe(1);
  });

  it('can be listed after its organization was deleted, from the given time on', async () => {
    const ports = await withNeuron();
    await runWith(ports, ['delete', 'acme', '--yes']);
    expect(await changesOf(ports)).not.toEqual([]);
    const late = await runWith(ports, ['logs', 'acme', '--changes', '--from', '12:02', '--to', '12:03']);
    expect(late.stdout).toBe('');
    expect(NOW_MS).toBe(Date.UTC(2026, 10, 21, 12));
  });

  it('is asked for without what only calls have', async () => {
    for (const words of [['--user', 'ada'], ['--status', '200'], ['--outcome', 'failed'], ['--follow']]) {
      expect((await runWith(await withNeuron(), ['logs', 'acme', '--changes', ...words])).exitCode).toBe(2);
    }
  });
});
