// Blocks of a person, which stand with the name in the items of the organization and its neurons. They outlive an erasure until they end.
import type { Block } from '../../core/settings/stored-settings.ts';
import { type BlockOwner, currentBlocks, writeBlocks } from '../blocks/stored-blocks.ts';
import type { Ports } from '../session/ports.ts';
import { requireOrganization } from '../session/require-stored.ts';
import type { FoundPerson } from './person.ts';

export interface PersonalBlock {
  readonly owner: BlockOwner;
  /** `acme` or `acme/hello` */
  readonly target: string;
  readonly block: Block;
  /** Ended blocks do nothing, and stay until the next block of the same place is written. */
  readonly hasEnded: boolean;
}

/** Reads them anew. Throws what the store throws. */
export async function findBlocks(
  { organization: { slug }, persons }: FoundPerson,
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
): Promise<{ readonly ended: readonly PersonalBlock[]; readonly running: readonly PersonalBlock[] }> {
  const organization = await requireOrganization(store, slug);
  const neurons = await store.listNeurons(organization);
  const nowMs = clock.now();
  const owners: readonly BlockOwner[] = [undefined, ...neurons].map((neuron) => ({ organization, neuron }));
  const names = new Set(persons.map(({ username }) => username));
  const blocks = owners.flatMap((owner) => {
    const { neuron } = owner;
    const target = neuron === undefined ? slug : `${slug}/${neuron.slug}`;
    const running = new Set(currentBlocks(owner, nowMs));
    const own = ((neuron ?? organization).blocks ?? []).filter(
      ({ kind, value }) => kind === 'user' && names.has(value),
    );
    return own.map((block) => ({ owner, target, block, hasEnded: !running.has(block) }));
  });
  return {
    ended: blocks.filter(({ hasEnded }) => hasEnded),
    running: blocks.filter(({ hasEnded }) => !hasEnded),
  };
}

/** One write for each organization or neuron, without any block that has ended. Throws `WriteConflict`. */
export async function removeEnded(
  ended: readonly PersonalBlock[],
  ports: Pick<Ports, 'store' | 'clock' | 'author'>,
): Promise<void> {
  const owners = new Map(ended.map(({ target, owner }) => [target, owner]));
  for (const owner of owners.values())
    await writeBlocks(owner, currentBlocks(owner, ports.clock.now()), ports);
}
