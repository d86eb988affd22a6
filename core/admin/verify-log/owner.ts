// Decides whether a listed entry is of the verified chain, and names one that is of another.
import { CHANGES_PARTITION } from '../../contract/tables.ts';
import { chainOf, isChangeKey, nameOfKey } from '../../logs/seals/sealed-entry.ts';
import type { StoredSeal } from '../../ports/seals.ts';
import type { StoredEntry } from '../../ports/stored-entries.ts';
import { describeForeign, findInconsistency } from './compare-entry.ts';
import type { Discrepancy } from './discrepancies.ts';

/** Follows the life of the chain's organization: no other one has its slug meanwhile. */
export interface Owner {
  /** To be told each link in order. */
  noteSeal(stored: StoredSeal): void;
  /** To be told each listed entry in order; what is wrong with its place. `isOwn`: a seal of the chain must hold it. */
  place(stored: StoredEntry): { readonly isOwn: boolean; readonly discrepancies: readonly Discrepancy[] };
}

/** `organization`: slug; undefined for the service. An export holds no change of another organization, whenever that had the slug. */
export function createOwner(chain: string, organization: string | undefined, isExport: boolean): Owner {
  let sinceMs: number | undefined;
  let deletedMs: number | undefined;
  const isOtherTime = (timeMs: number) =>
    !isExport &&
    (sinceMs === undefined || timeMs < sinceMs || (deletedMs !== undefined && timeMs > deletedMs));
  return {
    noteSeal({ seal }) {
      // The first link that is left says since when the chain has been there, at the least.
      if (seal !== undefined) sinceMs ??= seal.previousAtMs > 0 ? seal.previousAtMs : seal.sealedAtMs;
    },
    place(stored) {
      const { pk, sk, record } = stored;
      const timeMs = Date.parse(nameOfKey(sk).time);
      if (chainOf(record) === chain) {
        if (isChangeKey(pk)) sinceMs = Math.min(sinceMs ?? timeMs, timeMs);
        if (isDeletion(stored)) deletedMs = timeMs;
        const isNamed = record['organization'] === organization || stored.type === 'outcome';
        const foreign = isNamed ? [] : [describeForeign(stored, record, false)];
        return { isOwn: true, discrepancies: [...foreign, ...findInconsistency(stored, record)] };
      }
      // An export holds all chains; the service has none but its own partition.
      if (organization === undefined) return { isOwn: false, discrepancies: [] };
      const inconsistent = findInconsistency(stored, record);
      if (pk === CHANGES_PARTITION) return { isOwn: false, discrepancies: inconsistent };
      const isOther = isChangeKey(pk) && isOtherTime(timeMs);
      return { isOwn: false, discrepancies: [describeForeign(stored, record, isOther), ...inconsistent] };
    },
  };
}

function isDeletion({ type, record }: StoredEntry): boolean {
  const { actions } = record;
  return type === 'change' && Array.isArray(actions) && actions.includes('delete_organization');
}
