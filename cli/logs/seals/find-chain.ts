// Finds the chain of an organization, or of the service.
import { SERVICE_CHAIN } from '../../../core/ports/seals.ts';
import type { Output } from '../../output/print.ts';
import type { Ports } from '../../session/ports.ts';
import { findLogOwner } from '../find-log-owner.ts';

/** The reason why options that select calls do not apply to seals. */
export const WHOLE_LOG = 'seals are of the whole log of an organization';

interface FoundChain {
  readonly chain: string;
  /** Slug; undefined for the service. */
  readonly organization: string | undefined;
  readonly subject: string;
}

/** Without an organization the chain of the service. `deleted`: id of a deleted organization whose slug is used again. */
export async function findChain(
  organization: string | undefined,
  deleted: string | undefined,
  ports: Pick<Ports, 'store' | 'changes' | 'clock'>,
  out: Output,
): Promise<FoundChain> {
  if (organization === undefined)
    return { chain: SERVICE_CHAIN, organization, subject: 'changes of the service' };
  const owner = await findLogOwner({ organization, neuron: undefined }, { deleted }, ports, out);
  return { chain: owner.organizationId, organization, subject: organization };
}
