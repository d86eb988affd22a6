// Reads a neuron and one of its versions, or says that it is not there.
import type { NeuronRecord, VersionRecord } from '../../core/ports/administration.ts';
import { CommandFailure } from '../output/failure.ts';
import { findNeuron, findOrganization } from '../session/find-stored.ts';
import type { Ports } from '../session/ports.ts';

/** What a version is named by on the command line. */
export interface VersionTarget {
  readonly organization: string;
  readonly neuron: string;
  readonly version: string;
}

/** The neuron. Throws `CommandFailure` when it or its organization is not there. */
export async function findVersionedNeuron(
  store: Ports['store'],
  { organization, neuron }: Omit<VersionTarget, 'version'>,
): Promise<NeuronRecord> {
  return findNeuron(store, await findOrganization(store, organization), neuron);
}

/** The neuron and the version. Throws `CommandFailure` when one of them is not there. */
export async function findVersion(
  store: Ports['store'],
  target: VersionTarget,
): Promise<{ readonly neuron: NeuronRecord; readonly version: VersionRecord }> {
  const neuron = await findVersionedNeuron(store, target);
  const version = await store.readVersion(target.organization, neuron.id, target.version);
  if (version !== undefined) return { neuron, version };
  const name = `${target.organization}/${target.neuron}`;
  throw new CommandFailure({
    what: `${name} has no version ${target.version}.`,
    remedy: `\`neuron versions list ${name}\` shows those that are there.`,
  });
}
