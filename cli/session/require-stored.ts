// Reads stored organizations, neurons and versions, and fails where they do not exist.
import { isRollingOut, type RollingOut } from '../../core/admin/apply/rollouts.ts';
import type {
  AdminStore,
  NeuronRecord,
  OrganizationRecord,
  VersionRecord,
} from '../../core/ports/administration.ts';
import { digestInName, type KeyAdmin, type StoredKey } from '../../core/ports/keys.ts';
import { CommandFailure } from '../output/failure.ts';
import { type NeuronTarget, renderTarget, type Target } from './target.ts';

/** Throws `CommandFailure` where the organization does not exist. */
export async function requireOrganization(store: AdminStore, slug: string): Promise<OrganizationRecord> {
  const found = await store.readOrganization(slug);
  if (found !== undefined) return found;
  throw new CommandFailure({
    what: `There is no organization ${slug}.`,
    remedy:
      'Run `neuron list` to see the organizations, or `neuron apply` to create one from a settings file.',
  });
}

/** Throws `CommandFailure` where the neuron does not exist. */
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

/** The neuron of the target, or all of the organization. Throws `CommandFailure` where the neuron does not exist. */
export async function requireNeurons(
  store: AdminStore,
  organization: OrganizationRecord,
  { neuron }: Target,
): Promise<readonly NeuronRecord[]> {
  return neuron === undefined
    ? store.listNeurons(organization)
    : [await requireNeuron(store, organization, neuron)];
}

/** Throws `CommandFailure` where the neuron or its organization does not exist. */
export async function requireNeuronOf(
  store: AdminStore,
  { organization, neuron }: NeuronTarget,
): Promise<NeuronRecord> {
  return requireNeuron(store, await requireOrganization(store, organization), neuron);
}

/** Throws `CommandFailure` where the version, the neuron or the organization does not exist. */
export async function requireVersion(
  store: AdminStore,
  target: NeuronTarget,
  id: string,
): Promise<{ readonly neuron: NeuronRecord; readonly version: VersionRecord }> {
  const neuron = await requireNeuronOf(store, target);
  const version = await store.readVersion(target.organization, neuron.id, id);
  if (version !== undefined) return { neuron, version };
  const name = renderTarget(target);
  throw new CommandFailure({
    what: `${name} has no version ${id}.`,
    remedy: `Run \`neuron versions list ${name}\` to see its versions.`,
  });
}

/** Throws `CommandFailure` where no rollout of the neuron is going on. */
export async function requireRollout(store: AdminStore, target: NeuronTarget): Promise<RollingOut> {
  const neuron = await requireNeuronOf(store, target);
  if (isRollingOut(neuron)) return neuron;
  const name = renderTarget(target);
  throw new CommandFailure({
    what: `No rollout of ${name} is going on.`,
    remedy: `Run \`neuron versions rollout start ${name} VERSION\` to begin one.`,
  });
}

export function unknownKey(organization: string, keyId: string): CommandFailure {
  return new CommandFailure({
    what: `${organization} has no key ${digestInName(keyId) === undefined ? keyId : 'of this text'}.`,
    remedy: `Run \`neuron keys list ${organization}\` to see its keys. A new key may take a few seconds to appear.`,
  });
}

/** Throws `CommandFailure` where the organization does not have the key. */
export async function requireKey(
  keys: Pick<KeyAdmin, 'find'>,
  { id, slug }: Pick<OrganizationRecord, 'id' | 'slug'>,
  name: string,
): Promise<StoredKey> {
  const found = await keys.find(id, name);
  if (found === undefined) throw unknownKey(slug, name);
  return found;
}
