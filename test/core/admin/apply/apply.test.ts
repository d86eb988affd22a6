// Planning and applying settings over stores in memory: what is written, what is left alone, what a conflict leaves behind.
import { beforeEach, describe, expect, it } from 'vitest';
import { type ApplyPorts, applyChanges } from '../../../../core/admin/apply/apply.ts';
import type { Change, SettingsInput } from '../../../../core/admin/apply/changes.ts';
import { type PlanOptions, planChanges } from '../../../../core/admin/apply/plan.ts';
import { readStored } from '../../../../core/admin/apply/read-stored.ts';
import { type SecretAdmin, WriteConflict } from '../../../../core/ports/administration.ts';
import { createMemoryConfig } from '../../../support/memory/admin-store.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryKeyStore } from '../../../support/memory/key-store.ts';

const FLOW = [{ callModel: { provider: 'demo', model: 'echo-1' } }];
const OTHER_FLOW = [{ stop: {} }];

function input(flow: unknown = FLOW, settings: object = { access: { public: true } }): SettingsInput {
  return {
    organizations: [{ slug: 'acme', document: { organization: 'acme' } }],
    neurons: [{ organization: 'acme', slug: 'hello', settings: { neuron: 'acme/hello', ...settings }, flow }],
  };
}

let ports: ApplyPorts;
let minted: string[];
let removed: string[];

beforeEach(() => {
  minted = [];
  removed = [];
  let seed = 0;
  const secrets: SecretAdmin = {
    list: async () => [],
    set: async () => undefined,
    remove: async () => false,
    mintKeys: async (id) => void minted.push(id),
    rotateLogKey: async () => ({ current: '', previous: undefined }),
    removeAll: async (id) => void removed.push(id),
  };
  ports = {
    store: createMemoryConfig().admin,
    secrets,
    keys: createMemoryKeyStore(),
    clock: createMemoryClock(1_700_000_000_000),
    random: {
      fraction: () => 0,
      bytes(count) {
        seed += 1;
        return new Uint8Array(count).fill(seed);
      },
    },
    author: 'arn:aws:iam::111122223333:user/ann',
  };
});

async function plan(documents: SettingsInput, options: Partial<PlanOptions> = {}) {
  const stored = await readStored(ports.store, documents, { siblings: options.prune ?? false });
  return planChanges(documents, stored, { deploy: 'changed', prune: false, ...options });
}

async function apply(documents: SettingsInput, options: Partial<PlanOptions> = {}): Promise<string[]> {
  const { changes } = await plan(documents, options);
  return run(changes);
}

async function run(changes: readonly Change[]): Promise<string[]> {
  const made: string[] = [];
  for await (const change of applyChanges(changes, ports)) made.push(change.kind);
  return made;
}

async function neuron(slug = 'hello') {
  const organization = await ports.store.readOrganization('acme');
  return organization === undefined ? undefined : ports.store.readNeuron(organization, slug);
}

describe('apply', () => {
  it('creates organization, neuron, first version and its deployment, with ids of their own and the log key minted first', async () => {
    expect(await apply(input())).toEqual(['create_organization', 'create_neuron']);
    const organization = await ports.store.readOrganization('acme');
    expect(organization?.id).toBe('010101010101010101010101');
    expect(minted).toEqual([organization?.id]);
    expect(await neuron()).toMatchObject({
      id: '020202020202020202020202',
      organizationId: organization?.id,
      latestVersion: 1,
      deployment: { version: 'v1', number: 1 },
      updatedBy: 'arn:aws:iam::111122223333:user/ann',
    });
    const version = await ports.store.readVersion('acme', '020202020202020202020202', 'v1');
    expect(version).toMatchObject({ flow: FLOW, author: 'arn:aws:iam::111122223333:user/ann' });
  });

  it('changes nothing when it is run again', async () => {
    await apply(input());
    expect(await plan(input())).toEqual({ changes: [], drifts: [], notInFiles: [] });
  });

  it('does not mind the order of members', async () => {
    await apply(input(FLOW, { access: { public: true }, name: 'Hello' }));
    expect((await plan(input(FLOW, { name: 'Hello', access: { public: true } }))).changes).toEqual([]);
  });

  it('changes settings without a new version or deployment', async () => {
    await apply(input());
    expect(await apply(input(FLOW, { access: { public: true }, deadline: '5s' }))).toEqual(['update_neuron']);
    expect(await neuron()).toMatchObject({ latestVersion: 1, deployment: { version: 'v1', number: 1 } });
  });

  it('makes a new version of a changed flow and deploys it under a new number', async () => {
    await apply(input());
    expect(await apply(input(OTHER_FLOW))).toEqual(['update_neuron']);
    expect(await neuron()).toMatchObject({ latestVersion: 2, deployment: { version: 'v2', number: 2 } });
  });

  it('makes a new version without deploying it, says so the next time, and deploys it when asked', async () => {
    await apply(input());
    await apply(input(OTHER_FLOW), { deploy: 'never' });
    expect(await neuron()).toMatchObject({ latestVersion: 2, deployment: { version: 'v1', number: 1 } });
    expect(await plan(input(OTHER_FLOW))).toEqual({
      changes: [],
      drifts: [{ organization: 'acme', neuron: 'hello', deployed: 'v1', newest: 'v2' }],
      notInFiles: [],
    });
    await apply(input(OTHER_FLOW), { deploy: 'newest' });
    expect(await neuron()).toMatchObject({ latestVersion: 2, deployment: { version: 'v2', number: 2 } });
  });

  it('leaves alone what is not given, and deletes it with prune: neurons with their versions', async () => {
    const both = input();
    await apply({
      ...both,
      neurons: [...both.neurons, { ...both.neurons[0]!, slug: 'old', settings: { neuron: 'acme/old' } }],
    });
    const oldId = (await neuron('old'))!.id;
    expect((await plan(input())).changes).toEqual([]);
    expect(await apply(input(), { prune: true })).toEqual(['delete_neuron']);
    expect(await neuron('old')).toBeUndefined();
    expect(await ports.store.listVersions('acme', oldId)).toEqual([]);
    expect(await neuron()).toBeDefined();
  });

  it('deletes an organization with its neurons, secrets and keys, and a slug used again inherits nothing', async () => {
    await apply(input());
    const organization = (await ports.store.readOrganization('acme'))!;
    const neurons = await ports.store.listNeurons(organization);
    await run([{ kind: 'delete_organization', organization: 'acme', record: organization, neurons }]);
    expect(await ports.store.readOrganization('acme')).toBeUndefined();
    expect(removed).toEqual([organization.id]);
    await apply(input());
    expect((await ports.store.readOrganization('acme'))?.id).not.toBe(organization.id);
    expect((await neuron())?.deployment).toEqual({ version: 'v1', number: 1 });
  });

  it('stops at a conflict with what was written before it, and finishes when it is run again', async () => {
    await apply(input());
    const { changes } = await plan(input(OTHER_FLOW));
    const current = (await neuron())!;
    await ports.store.writeNeuron('acme', { ...current, cacheGeneration: 5 }, current.write);
    await expect(run(changes)).rejects.toThrow(WriteConflict);
    // The version was made before the neuron was refused; the next run takes it over instead of making v3.
    expect(await neuron()).toMatchObject({ latestVersion: 1, cacheGeneration: 5 });
    await apply(input(OTHER_FLOW));
    expect(await neuron()).toMatchObject({
      latestVersion: 2,
      deployment: { version: 'v2', number: 2 },
      cacheGeneration: 5,
    });
    expect(await ports.store.listVersions('acme', current.id)).toHaveLength(2);
  });

  it('loses nothing of two operators at once: one writes, the other is refused', async () => {
    await apply(input());
    const [one, two] = [await plan(input(OTHER_FLOW)), await plan(input([{ stop: { text: 'no' } }]))];
    await run(one.changes);
    await expect(run(two.changes)).rejects.toThrow(WriteConflict);
    expect(await ports.store.readVersion('acme', (await neuron())!.id, 'v2')).toMatchObject({
      flow: OTHER_FLOW,
    });
  });
});
