// Reads what a command works on, or says that it is not there.
import type { AdminStore, NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { CommandFailure } from '../output/failure.ts';

/** The organization. Throws `CommandFailure` when there is none. */
export async function findOrganization(store: AdminStore, slug: string): Promise<OrganizationRecord> {
  const found = await store.readOrganization(slug);
  if (found !== undefined) return found;
  throw new CommandFailure({
    what: `There is no organization ${slug}.`,
    remedy: '`neuron list` shows those that are there; `neuron apply` makes one from a settings file.',
  });
}

/** The neuron. Throws `CommandFailure` when there is none. */
export async function findNeuron(
  store: AdminStore,
  organization: OrganizationRecord,
  slug: string,
): Promise<NeuronRecord> {
  const found = await store.readNeuron(organization, slug);
  if (found !== undefined) return found;
  throw new CommandFailure({
    what: `There is no neuron ${organization.slug}/${slug}.`,
    remedy: `\`neuron list ${organization.slug}\` shows those that are there.`,
  });
}
