// Makes the next links of the chains of a batch, and remembers the heads that this environment wrote.

import { createBoundedMap } from '../../async/bounded-map.ts';
import type { EntryToSeal, Seal, SealHead, SealHeads } from '../../ports/seals.ts';
import type { Clock } from '../../time/clock.ts';
import { makeSeal } from './seal.ts';

/**
 * Several environments append to one chain, and a remembered head may be outdated. A link's key is chain and number, written only where
 * there is none: of two links after one head the store rejects one.
 */
export interface Sealing {
  /** One link for each chain, with its entries in this order. */
  next(entries: readonly EntryToSeal[]): Promise<readonly Seal[]>;
  /** To be called when these links were written. */
  remember(seals: readonly Seal[]): void;
  /** Makes the heads of these chains be read again. */
  forget(chains: readonly string[]): void;
}

const MAX_HEADS = 1_000;

/** Reads a head once and then continues from its own links. */
export function createSealing(heads: SealHeads, clock: Pick<Clock, 'now'>): Sealing {
  const known = createBoundedMap<SealHead>(MAX_HEADS);
  return {
    async next(entries) {
      const byChain = Map.groupBy(entries, ({ chain }) => chain);
      const seals: Seal[] = [];
      for (const [chain, some] of byChain) {
        // Read as the later of the head's item and the newest link, strongly consistent.
        const head = known.get(chain) ?? (await heads.read(chain));
        const lines = some.map(({ line }) => line);
        seals.push(makeSeal(chain, head, lines, clock.now()));
      }
      return seals;
    },
    remember(seals) {
      for (const { chain, sequence, hash, sealedAtMs } of seals)
        known.put(chain, { chain, sequence, hash, sealedAtMs });
    },
    forget(chains) {
      for (const chain of chains) known.delete(chain);
    },
  };
}
