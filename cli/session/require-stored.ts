// Reads the organization, neuron or version that a command works on, or fails.
import type {
  AdminStore,
  NeuronRecord,
  OrganizationRecord,
  VersionRecord,
} from '../../core/ports/administration.ts';
import { CommandFailure } from '../output/failure.ts';
import type { NeuronTarget, VersionTarget } from './target.ts';

/** The organization. Throws `CommandFailure` if it does not exist. */
export async function requireOrganization(store: AdminStore, slug: string): Promise<OrganizationRecord> {
  const found = await store.readOrganization(slug);
  if (found !== undefined) return found;
  throw new CommandFailure({
    what: `There is no organization ${slug}.`,
    remedy:
      'Run `neuron list` to see the organizations, or `neuron apply` to create one from a settings file.',
  });
}

/** The neuron. Throws `CommandFailure` if it does not exist. */
export async function requireNeuron(
  store: AdminStore,
  organization: OrganizationRecord,
  slug: string,
): Promise<NeuronRecord> {
  const found = await store.readNeuron(organization, slug);
  if (found !== undefined) return found;
  throw new CommandFailure({
    what: `There is no neuron ${organization.slug}/${slug}.`,
    remedy: `Run \`neuron list ${organization.slug}\` to see its neurons.`,
  });
}

/** The neuron. Throws `CommandFailure` if it or its organization does not exist. */
export async function requireNeuronOf(
  store: AdminStore,
  { organization, neuron }: NeuronTarget,
): Promise<NeuronRecord> {
  return requireNeuron(store, await requireOrganization(store, organization), neuron);
}

/** The neuron and the version. Throws `CommandFailure` if one of them does not exist. */
export async function requireVersion(
  store: AdminStore,
  target: VersionTarget,
): Promise<{ readonly neuron: NeuronRecord; readonly version: VersionRecord }> {
  const neuron = await requireNeuronOf(store, target);
  const version = await store.readVersion(target.organization, neuron.id, target.version);
  if (version !== undefined) return { neuron, version };
  const name = `${target.organization}/${target.neuron}`;
  throw new CommandFailure({
    what: `${name} has no version ${target.version}.`,
    remedy: `Run \`neuron versions list ${name}\` to see its versions.`,
  });
}
