// Reads the stored state that a plan needs.
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../ports/administration.ts';
import type { Given, StoredNeuronState, StoredOrganizationState } from './changes.ts';

/**
 * The organizations that are given or have a given neuron, and the given neurons with their newest versions; with `siblings`, every
 * neuron of these organizations.
 */
export async function readStored(
  store: AdminStore,
  given: Given,
  { siblings }: { readonly siblings: boolean },
): Promise<StoredOrganizationState[]> {
  const slugs = new Set([
    ...given.organizations.map(({ slug }) => slug),
    ...given.neurons.map(({ organization }) => organization),
  ]);
  const records = await Promise.all([...slugs].map((slug) => store.readOrganization(slug)));
  return Promise.all(
    records
      .filter((record) => record !== undefined)
      .map((record) => readOrganization(store, record, siblings ? undefined : given)),
  );
}

async function readOrganization(
  store: AdminStore,
  record: OrganizationRecord,
  given: Given | undefined,
): Promise<StoredOrganizationState> {
  const listed = await store.listNeurons(record);
  const wanted = given?.neurons
    .filter(({ organization }) => organization === record.slug)
    .map(({ slug }) => slug);
  const neurons = wanted === undefined ? listed : listed.filter(({ slug }) => wanted.includes(slug));
  return { record, neurons: await Promise.all(neurons.map((neuron) => readNeuron(store, record, neuron))) };
}

async function readNeuron(
  store: AdminStore,
  { slug }: OrganizationRecord,
  record: NeuronRecord,
): Promise<StoredNeuronState> {
  const [summary] = await store.listVersions(slug, record.id);
  const newest = summary === undefined ? undefined : await store.readVersion(slug, record.id, summary.id);
  return { record, newest };
}
