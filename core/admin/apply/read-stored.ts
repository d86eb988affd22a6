// Reads the stored state that a plan needs.

import { mapAtOnce } from '../../async/at-once.ts';
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../ports/administration.ts';
import type { SettingsInput, StoredNeuronState, StoredOrganizationState } from './changes.ts';

/** Together at most 64 requests are under way, whatever a repository of settings has. */
const ORGANIZATIONS_AT_ONCE = 4;
const NEURONS_AT_ONCE = 16;

/**
 * The organizations that are given or have a given neuron, and the given neurons with their newest versions; with `siblings`, every
 * neuron of these organizations.
 */
export async function readStored(
  store: AdminStore,
  input: SettingsInput,
  { siblings }: { readonly siblings: boolean },
): Promise<StoredOrganizationState[]> {
  const slugs = new Set([
    ...input.organizations.map(({ slug }) => slug),
    ...input.neurons.map(({ organization }) => organization),
  ]);
  const records = await mapAtOnce([...slugs], NEURONS_AT_ONCE, (slug) => store.readOrganization(slug));
  return mapAtOnce(
    records.filter((record) => record !== undefined),
    ORGANIZATIONS_AT_ONCE,
    (record) => readOrganization(store, record, siblings ? undefined : input),
  );
}

async function readOrganization(
  store: AdminStore,
  record: OrganizationRecord,
  input: SettingsInput | undefined,
): Promise<StoredOrganizationState> {
  const listed = await store.listNeurons(record);
  const wanted = input?.neurons
    .filter(({ organization }) => organization === record.slug)
    .map(({ slug }) => slug);
  const neurons = wanted === undefined ? listed : listed.filter(({ slug }) => wanted.includes(slug));
  const states = await mapAtOnce(neurons, NEURONS_AT_ONCE, (neuron) =>
    readNeuronState(store, record, neuron),
  );
  return { record, neurons: states };
}

/** A neuron with its newest version. */
export async function readNeuronState(
  store: Pick<AdminStore, 'listVersions' | 'readVersion'>,
  { slug }: Pick<OrganizationRecord, 'slug'>,
  record: NeuronRecord,
): Promise<StoredNeuronState> {
  const [summary] = await store.listVersions(slug, record.id);
  const newest = summary === undefined ? undefined : await store.readVersion(slug, record.id, summary.id);
  return { record, newest };
}
