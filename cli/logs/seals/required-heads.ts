// The heads that a chain must contain: the one in the table, and one that the operator kept.
import { InvalidArgumentError } from 'commander';
import type { RequiredHead } from '../../../core/admin/verify-log/check-chain.ts';
import { parseHead } from '../../../core/logs/seals/seal.ts';
import type { SealHead, SealHeads } from '../../../core/ports/seals.ts';

/** A head as `neuron logs head` prints it. */
export type KeptHead = Pick<SealHead, 'sequence' | 'hash'>;

/** `SEQUENCE:HASH` */
export function parseKeptHead(text: string): KeptHead {
  const head = parseHead(text);
  if (head === undefined)
    throw new InvalidArgumentError('It must be SEQUENCE:HASH, as `neuron logs head` prints it.');
  return head;
}

/** The head in the table is written with each seal. It reveals a cut-off end, unless that head was changed too. */
export async function requireHeads(
  chain: string,
  kept: KeptHead | undefined,
  seals: SealHeads,
): Promise<readonly RequiredHead[]> {
  const beside = await seals.read(chain);
  const heads: RequiredHead[] = [];
  if (beside !== undefined) heads.push({ source: 'table', sequence: beside.sequence, hash: beside.hash });
  if (kept !== undefined) heads.push({ source: 'kept', ...kept });
  return heads;
}
