// Keeps the calls of all runs within what they may cost together.

/** The most that a call can cost, in integer microdollars; null where it is unknown, `receipt` where only its answer will say it. */
export type MostOfCall = number | null | 'receipt';

export interface SpendLimit {
  /**
   * Reserves the most that a call can cost; the result is told what it did. Undefined where it has no room. Within a limit a call of unknown
   * cost has none, and one with a receipt has none once the limit is reached, or the cost of such a call has stayed unknown.
   */
  reserve(most: MostOfCall): ((spent: number | null) => void) | undefined;
}

/** `limit`: integer microdollars; undefined for none. */
export function createSpendLimit(limit: number | undefined): SpendLimit {
  let [spent, held] = [0, 0];
  let isUnknown = false;
  const hasRoom = (most: MostOfCall): boolean => {
    if (limit === undefined) return true;
    if (most === 'receipt') return !isUnknown && spent + held < limit;
    return most !== null && spent + held + most <= limit;
  };
  return {
    reserve(most) {
      if (!hasRoom(most)) return undefined;
      const own = typeof most === 'number' ? most : 0;
      held += own;
      let isOpen = true;
      return (cost) => {
        if (!isOpen) return;
        isOpen = false;
        held -= own;
        spent += cost ?? 0;
        isUnknown ||= cost === null;
      };
    },
  };
}
