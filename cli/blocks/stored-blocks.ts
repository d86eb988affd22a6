// Reads and writes the blocks of an organization or a neuron: one conditional write of its item.
import type { NeuronRecord, OrganizationRecord } from '../../core/ports/administration.ts';
import type { Block } from '../../core/settings/stored-settings.ts';
import type { Ports } from '../session/ports.ts';
import { requireKey, requireNeuron, requireOrganization } from '../session/require-stored.ts';
import { writeNeuron, writeOrganization } from '../session/stamped-writes.ts';
import type { Target } from '../session/target.ts';

type BlockPorts = Pick<Ports, 'store' | 'clock' | 'author'>;

/** An organization, or one of its neurons, as it was read. */
export interface BlockOwner {
  readonly organization: OrganizationRecord;
  readonly neuron: NeuronRecord | undefined;
}

/** Throws `CommandFailure` where the organization or the neuron does not exist. */
export async function requireOwner(target: Target, { store }: Pick<Ports, 'store'>): Promise<BlockOwner> {
  const organization = await requireOrganization(store, target.organization);
  const neuron =
    target.neuron === undefined ? undefined : await requireNeuron(store, organization, target.neuron);
  return { organization, neuron };
}

/** The subject with the id of its key. Throws `CommandFailure` for a key that the organization does not have. */
export async function requireSubject(
  subject: Pick<Block, 'kind' | 'value'>,
  { organization }: BlockOwner,
  { keys }: Pick<Ports, 'keys'>,
): Promise<Pick<Block, 'kind' | 'value'>> {
  if (subject.kind !== 'key') return subject;
  return { ...subject, value: (await requireKey(keys, organization, subject.value)).keyId };
}

/** Its blocks that have not ended. */
export function currentBlocks({ organization, neuron }: BlockOwner, nowMs: number): readonly Block[] {
  const { blocks = [] } = neuron ?? organization;
  return blocks.filter(({ until }) => Date.parse(until) > nowMs);
}

/** Throws `WriteConflict` where it was changed since it was read. */
export async function writeBlocks(
  { organization, neuron }: BlockOwner,
  blocks: readonly Block[],
  ports: BlockPorts,
): Promise<void> {
  const changed = blocks.length === 0 ? undefined : blocks;
  if (neuron === undefined) await writeOrganization({ ...organization, blocks: changed }, ports);
  else await writeNeuron(organization.slug, { ...neuron, blocks: changed }, ports);
}
