// Keeps the calls of all runs within what they may cost together.

export interface SpendLimit {
  /** Reserves the most that a call can cost. Undefined where it has no room; a call of unknown cost has none within a limit. */
  reserve(most: number | null): ((spent: number | null) => void) | undefined;
  /** Integer microdollars of the calls that were made; calls of unknown cost are not in it. */
  spent(): number;
}

/** `limit`: integer microdollars; undefined for none. */
export function createSpendLimit(limit: number | undefined): SpendLimit {
  let [spent, held] = [0, 0];
  return {
    reserve(most) {
      if (limit !== undefined && (most === null || spent + held + most > limit)) return undefined;
      held += most ?? 0;
      let isOpen = true;
      return (cost) => {
        if (!isOpen) return;
        isOpen = false;
        held -= most ?? 0;
        spent += cost ?? 0;
      };
    },
    spent: () => spent,
  };
}
