// Settings, versions and states in memory: the admin store of the command and the stores of the request path, over the same items.
import {
  type AdminStore,
  type ExpectedWrite,
  NameConflict,
  type NeuronRecord,
  type OrganizationRecord,
  type RecordedMaintenance,
  type VersionRecord,
  WriteConflict,
} from '../../../core/ports/administration.ts';
import { storedNamesOf } from '../../../core/settings/names/model-names.ts';
import type {
  ModelNameStore,
  NeuronListStore,
  SettingsStore,
  StoredModelName,
  VersionStore,
} from '../../../core/settings/stored-settings.ts';

/** The same items through all their ports. */
export interface MemoryConfig {
  readonly admin: AdminStore;
  readonly settings: SettingsStore;
  readonly versions: VersionStore;
  readonly modelNames: ModelNameStore & NeuronListStore;
}

interface State {
  readonly organizations: Map<string, OrganizationRecord>;
  /** By `ORGANIZATION/NEURON`. */
  readonly neurons: Map<string, NeuronRecord>;
  /** By `ORGANIZATION/NEURON_ID/VERSION`. */
  readonly versions: Map<string, VersionRecord>;
  /** By `ORGANIZATION/NAME`. */
  readonly names: Map<string, StoredModelName>;
  maintenance: RecordedMaintenance | undefined;
}

/** An empty store. Records are copied on the way in and out, as a real store does. */
export function createMemoryConfig(): MemoryConfig {
  const state: State = {
    organizations: new Map(),
    neurons: new Map(),
    versions: new Map(),
    names: new Map(),
    maintenance: undefined,
  };
  return {
    admin: { ...createReads(state), ...createWrites(state) },
    settings: {
      async read(organization, neuron) {
        return structuredClone({
          organization: state.organizations.get(organization),
          neuron: state.neurons.get(`${organization}/${neuron}`),
          maintenance: state.maintenance,
        });
      },
    },
    modelNames: {
      async find(organization, names) {
        return structuredClone(names.flatMap((name) => state.names.get(`${organization}/${name}`) ?? []));
      },
      async list(organization) {
        const own = [...state.neurons].filter(([key]) => key.startsWith(`${organization}/`));
        return structuredClone({
          organization: state.organizations.get(organization),
          maintenance: state.maintenance,
          neurons: own.map(([, neuron]) => neuron).sort(bySlug),
        });
      },
    },
    versions: {
      async read(organization, neuronId, id) {
        return structuredClone(state.versions.get(`${organization}/${neuronId}/${id}`));
      },
    },
  };
}

type WriteName = `write${string}` | `delete${string}` | 'createVersion' | 'setMaintenance';
type AdminWrites = Pick<AdminStore, Extract<keyof AdminStore, WriteName>>;

function createReads(state: State): Omit<AdminStore, keyof AdminWrites> {
  return {
    async listOrganizations() {
      return structuredClone([...state.organizations.values()].sort(bySlug));
    },
    async readOrganization(slug) {
      return structuredClone(state.organizations.get(slug));
    },
    async listNeurons({ slug, id }) {
      const own = [...state.neurons].filter(([key, { organizationId }]) => {
        return key.startsWith(`${slug}/`) && organizationId === id;
      });
      return structuredClone(own.map(([, neuron]) => neuron).sort(bySlug));
    },
    async readNeuron(organization, slug) {
      const neuron = state.neurons.get(`${organization.slug}/${slug}`);
      return neuron?.organizationId === organization.id ? structuredClone(neuron) : undefined;
    },
    async listVersions(organization, neuronId) {
      const own = [...state.versions].filter(([key]) => key.startsWith(`${organization}/${neuronId}/`));
      const summaries = own.map(([, { flow: _, ...summary }]) => summary);
      return structuredClone(summaries.sort((a, b) => b.number - a.number));
    },
    async readVersion(organization, neuronId, id) {
      return structuredClone(state.versions.get(`${organization}/${neuronId}/${id}`));
    },
    async readMaintenance() {
      return structuredClone(state.maintenance);
    },
  };
}

function createWrites(state: State): AdminWrites {
  return {
    async writeOrganization(organization, expected) {
      const stored = state.organizations.get(organization.slug);
      expect(`organization ${organization.slug}`, stored, organization, expected);
      const written = { ...organization, write: nextWrite(expected) };
      state.organizations.set(organization.slug, structuredClone(written));
      return written;
    },
    async writeNeuron(organization, neuron, expected) {
      const key = `${organization}/${neuron.slug}`;
      const stored = state.neurons.get(key);
      const isLeftBehind = expected === 'absent' && stored?.organizationId !== neuron.organizationId;
      expect(`neuron ${key}`, isLeftBehind ? undefined : stored, neuron, expected);
      requireFreeNames(state, organization, neuron, expected === 'absent');
      const written = { ...neuron, write: nextWrite(expected) };
      replaceNames(state, organization, neuron, storedNamesOf(neuron.document));
      state.neurons.set(key, structuredClone(written));
      return written;
    },
    async createVersion(organization, version) {
      const key = `${organization}/${version.neuronId}/${version.id}`;
      if (state.versions.has(key)) {
        throw new WriteConflict(`version ${version.id} of a neuron of ${organization}`);
      }
      state.versions.set(key, structuredClone(version));
    },
    async deleteOrganization(organization) {
      const stored = state.organizations.get(organization.slug);
      expect(`organization ${organization.slug}`, stored, organization, organization.write);
      state.organizations.delete(organization.slug);
    },
    async deleteNeuron(organization, neuron) {
      const key = `${organization}/${neuron.slug}`;
      expect(`neuron ${key}`, state.neurons.get(key), neuron, neuron.write);
      replaceNames(state, organization, neuron, []);
      state.neurons.delete(key);
    },
    async deleteVersion(organization, neuronId, id) {
      state.versions.delete(`${organization}/${neuronId}/${id}`);
    },
    async setMaintenance(maintenance) {
      state.maintenance = structuredClone(maintenance);
    },
  };
}

function requireFreeNames(state: State, organization: string, neuron: NeuronRecord, isNew: boolean): void {
  for (const name of [...(isNew ? [neuron.slug] : []), ...storedNamesOf(neuron.document)]) {
    const named = state.names.get(`${organization}/${name}`);
    const addressed = state.neurons.get(`${organization}/${name}`);
    const owners = [
      named && { id: named.neuronId, slug: named.neuron, organizationId: named.organizationId },
      addressed,
    ];
    const other = owners.find(
      (owner) =>
        owner !== undefined && owner.id !== neuron.id && owner.organizationId === neuron.organizationId,
    );
    if (other !== undefined) throw new NameConflict(name, `${organization}/${other.slug}`);
  }
}

function replaceNames(
  { names }: State,
  organization: string,
  { id, organizationId, slug }: NeuronRecord,
  next: readonly string[],
): void {
  for (const [key, { neuronId }] of names) if (neuronId === id) names.delete(key);
  for (const name of next) {
    names.set(`${organization}/${name}`, { name, neuron: slug, neuronId: id, organizationId });
  }
}

interface Written {
  readonly id: string;
  readonly write: number;
}

function expect(what: string, stored: Written | undefined, input: Written, expected: ExpectedWrite): void {
  const holds =
    expected === 'absent' ? stored === undefined : stored?.write === expected && stored.id === input.id;
  if (!holds) throw new WriteConflict(what);
}

function nextWrite(expected: ExpectedWrite): number {
  return expected === 'absent' ? 1 : expected + 1;
}

function bySlug(a: { readonly slug: string }, b: { readonly slug: string }): number {
  return a.slug < b.slug ? -1 : 1;
}
