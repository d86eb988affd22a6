// Writes with the author and the time of the change.
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Ports } from './ports.ts';

interface AuditStamp {
  /** ISO 8601 in UTC. */
  readonly since: string;
  /** IAM principal, or `local`. */
  readonly by: string;
}

export async function createAuditStamp({
  clock,
  author,
}: Pick<Ports, 'clock' | 'author'>): Promise<AuditStamp> {
  return { since: toIso(clock.now()), by: await author() };
}

type WritePorts = Pick<Ports, 'store' | 'clock' | 'author'>;

/** One conditional write; `organization`: slug. Throws `WriteConflict` if the neuron changed since it was read. */
export async function writeNeuron(
  organization: string,
  neuron: NeuronRecord,
  ports: WritePorts,
): Promise<NeuronRecord> {
  const { since, by } = await createAuditStamp(ports);
  const stamped = { ...neuron, updatedAt: since, updatedBy: by };
  return ports.store.writeNeuron(organization, stamped, neuron.write);
}

/** The same for an organization. `stamp`: the one that the record already has, if any. */
export async function writeOrganization(
  organization: OrganizationRecord,
  ports: WritePorts,
  stamp?: AuditStamp,
): Promise<OrganizationRecord> {
  const { since, by } = stamp ?? (await createAuditStamp(ports));
  const stamped = { ...organization, updatedAt: since, updatedBy: by };
  return ports.store.writeOrganization(stamped, organization.write);
}
