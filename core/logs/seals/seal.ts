// A link of the log's hash chain: makes it, and computes the hash that it must have. From an entry that was put to a chain that is verified:
//
//   lambdas/rollup/roll-up.ts     takes each entry that is put, and no later change of it, from the log table's stream
//   sealed-entry.ts               makes a line of it: key, time, expiry and a digest of all attributes (`entry-digest.ts`), salted by the
//                                 entry's own `salt`; and says whose chain it belongs to
//   sealing.ts                    makes a link of the lines of a batch, after the head that it knows
//   core/usage/count-and-seal.ts  has links written in the transaction that counts their entries. A link's key is chain and number, and must
//                                 be free (adapters/dynamodb/usage-ledger.ts): of two after one head one is rejected, and made again. In the
//                                 same transaction is a mark of each entry, kept longer than the stream delivers again: a sealer that dies
//                                 before the transaction has written nothing, and one that dies after it is repeated without effect
//   core/admin/verify-log         names links that are edited, missing or detached, and entries that are changed, missing, late (put an hour
//                                 after their time, or not sealed after 25 hours) or early. One that is put by hand within that hour is taken
//                                 for genuine
//   lambdas/heads                 copies heads elsewhere. Whoever verifies names one of those (cli/logs/seals/required-heads.ts), or does not
//                                 notice a chain that was made anew from its beginning
import { createHash } from 'node:crypto';
import type { Seal, SealHead } from '../../ports/seals.ts';
import { canonicalJson } from '../../text/canonical-json.ts';

/** The format that this release writes. A release verifies every format ever released. */
export const SEAL_FORMAT = 1;

/** `previous` of the first link. */
export const NO_HASH = '0'.repeat(64);

/** The link after `head`, or the first one, with the lines of entries in the order of the stream. */
export function makeSeal(
  chain: string,
  head: SealHead | undefined,
  lines: readonly string[],
  sealedAtMs: number,
): Seal {
  const unhashed = {
    format: SEAL_FORMAT,
    chain,
    sequence: (head?.sequence ?? 0) + 1,
    previous: head?.hash ?? NO_HASH,
    previousAtMs: head?.sealedAtMs ?? 0,
    sealedAtMs,
    lines: lines.join('\n'),
  };
  return { ...unhashed, hash: hashOf(unhashed) };
}

export function hashOf(seal: Omit<Seal, 'hash'>): string {
  const { format, chain, sequence, previous, previousAtMs, sealedAtMs, lines } = seal;
  const text = canonicalJson([
    `neuron-log-seal/${format}`,
    ...[chain, sequence, previous, previousAtMs, sealedAtMs, lines],
  ]);
  return createHash('sha256').update(text).digest('hex');
}

/** A head as operators store it: `SEQUENCE:HASH`. */
export function renderHead({ sequence, hash }: Pick<SealHead, 'sequence' | 'hash'>): string {
  return `${sequence}:${hash}`;
}

/** Parses such a text; undefined for any other. */
export function parseHead(text: string): Pick<SealHead, 'sequence' | 'hash'> | undefined {
  const [, sequence, hash] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
}
