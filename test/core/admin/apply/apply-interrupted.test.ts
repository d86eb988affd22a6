// Applying that is cut off at any write: readers never see half of it, and running it again finishes it.
import { describe, expect, it } from 'vitest';
import { applyChanges } from '../../../../core/admin/apply/apply.ts';
import type { Change, SettingsInput } from '../../../../core/admin/apply/changes.ts';
import { planChanges } from '../../../../core/admin/apply/plan.ts';
import { readStored } from '../../../../core/admin/apply/read-stored.ts';
import type { AdminStore, SecretAdmin } from '../../../../core/ports/administration.ts';
import { createMemoryConfig } from '../../../support/memory/admin-store.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemoryKeyStore } from '../../../support/memory/key-store.ts';
import { createMemoryRandom } from '../../../support/memory/random.ts';

const WRITES = /^(?:write|create|delete|set)/;

function documents(organizations: Readonly<Record<string, Readonly<Record<string, string>>>>): SettingsInput {
  return {
    organizations: Object.keys(organizations).map((slug) => ({ slug, document: { organization: slug } })),
    neurons: Object.entries(organizations).flatMap(([organization, neurons]) =>
      Object.entries(neurons).map(([slug, text]) => ({
        organization,
        slug,
        settings: { neuron: `${organization}/${slug}`, name: text },
        flow: [{ serveOutput: { text } }],
      })),
    ),
  };
}

const before = documents({ acme: { kept: 'one', changed: 'one', gone: 'one' }, old: { a: 'one' } });
const after = documents({ acme: { kept: 'one', changed: 'two', added: 'one' }, fresh: { b: 'one' } });

/** A store whose nth write fails, before or after it is made; `undefined` for one that works. */
function interrupted(store: AdminStore, at: number | undefined, made: boolean): AdminStore {
  let writes = 0;
  const names = Object.keys(store) as (keyof AdminStore)[];
  const methods = names.map((name) => {
    const method = store[name] as (...input: unknown[]) => Promise<unknown>;
    if (!WRITES.test(name)) return [name, method];
    const counted = async (...input: unknown[]) => {
      writes += 1;
      if (writes !== at) return method(...input);
      if (made) await method(...input);
      throw new Error('cut off');
    };
    return [name, counted];
  });
  return Object.fromEntries(methods) as AdminStore;
}

/** Applies with prune, and deletes organizations that are not given; the secrets port remembers whose log key was minted. */
async function apply(input: SettingsInput, store: AdminStore, minted: Set<string>): Promise<number> {
  const secrets: SecretAdmin = {
    list: async () => [],
    set: async () => undefined,
    remove: async () => false,
    mintKeys: async (id) => void minted.add(id),
    rotateLogKey: async () => ({ current: '', previous: undefined }),
    removeAll: async (id) => void minted.delete(id),
  };
  const stored = await readStored(store, input, { siblings: true });
  const plan = planChanges(input, stored, { deploy: 'changed', prune: true });
  const changes = [...plan.changes, ...(await planDeletions(store, input))];
  const clock = createMemoryClock(1_700_000_000_000);
  const random = createMemoryRandom(minted.size + changes.length);
  const ports = { store, secrets, keys: createMemoryKeyStore(), clock, random, author: 'ann' };
  for await (const _ of applyChanges(changes, ports)) {
    // Each is made when it is asked for.
  }
  return changes.length;
}

/** What `neuron delete` does for each organization that is not given. */
async function planDeletions(store: AdminStore, input: SettingsInput): Promise<Change[]> {
  const records = await store.listOrganizations();
  return Promise.all(
    records
      .filter(({ slug }) => !input.organizations.some((one) => one.slug === slug))
      .map(async (record) => ({
        kind: 'delete_organization',
        organization: record.slug,
        record,
        neurons: await store.listNeurons(record),
      })),
  );
}

/** What readers see, without ids and numbers that depend on how often something was begun. */
async function readAll(store: AdminStore) {
  const organizations = await store.listOrganizations();
  return Promise.all(
    organizations.map(async (organization) => ({
      slug: organization.slug,
      document: organization.document,
      neurons: await Promise.all(
        (await store.listNeurons(organization)).map(async ({ id, slug, document, deployment }) => ({
          slug,
          document,
          deployed: deployment !== undefined,
          flow: deployment && (await store.readVersion(organization.slug, id, deployment.version))?.flow,
        })),
      ),
    })),
  );
}

describe('an apply that is cut off', () => {
  const cuts = Array.from({ length: 14 }, (_, index) => index + 1).flatMap((at) =>
    [false, true].map((made) => [at, made ? 'after' : 'before', made] as const),
  );

  it.each(cuts)(
    'at write %i, %s it is made, shows no half and is finished by the next',
    async (at, _, made) => {
      const { admin } = createMemoryConfig();
      const minted = new Set<string>();
      await apply(before, admin, minted);
      await apply(after, interrupted(admin, at, made), minted).catch(() => undefined);
      for (const { neurons } of await readAll(admin)) {
        for (const { deployed, flow } of neurons) expect(flow !== undefined).toBe(deployed);
      }
      for (const organization of await admin.listOrganizations()) {
        // Without neurons nothing is logged, so there is nothing to hash.
        const isCalled = (await admin.listNeurons(organization)).length > 0;
        if (isCalled) expect(minted.has(organization.id)).toBe(true);
      }
      await apply(after, admin, minted);
      expect(await readAll(admin)).toEqual(
        after.organizations.map(({ slug, document }) => ({
          slug,
          document,
          neurons: after.neurons
            .filter(({ organization }) => organization === slug)
            .map((neuron) => ({
              slug: neuron.slug,
              document: neuron.settings,
              deployed: true,
              flow: neuron.flow,
            }))
            .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
        })),
      );
      expect(await apply(after, admin, minted)).toBe(0);
    },
  );

  it('has been cut at every write there is', async () => {
    const { admin } = createMemoryConfig();
    const minted = new Set<string>();
    await apply(before, admin, minted);
    await expect(apply(after, interrupted(admin, 14, false), minted)).rejects.toThrow('cut off');
    const uncut = createMemoryConfig().admin;
    await apply(before, uncut, minted);
    await expect(apply(after, interrupted(uncut, 15, false), minted)).resolves.toBeGreaterThan(0);
  });
});
