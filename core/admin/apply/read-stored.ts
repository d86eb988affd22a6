// Reads the stored state that a plan needs.
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../ports/administration.ts';
import type { Given, StoredNeuronState, StoredOrganizationState } from './changes.ts';

/** The given organizations and the given neurons with their newest versions; with `everything`, all that is stored. */
export async function readStored(
  store: AdminStore,
  given: Given,
  { everything }: { readonly everything: boolean },
): Promise<StoredOrganizationState[]> {
  const slugs = new Set([
    ...given.organizations.map(({ slug }) => slug),
    ...given.neurons.map(({ organization }) => organization),
  ]);
  const records = everything
    ? await store.listOrganizations()
    : (await Promise.all([...slugs].map((slug) => store.readOrganization(slug)))).filter(
        (record) => record !== undefined,
      );
  return Promise.all(
    records.map((record) => readOrganization(store, record, everything ? undefined : given)),
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
