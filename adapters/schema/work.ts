// Bounds the work of one validation: every loop over a schema or a value spends some of it, so that no schema keeps a process busy.

/** The end of a validation whose schema costs too much, or cannot be read. */
export class IncompleteValidation extends Error {
  readonly why: 'cost' | 'schema';

  constructor(why: 'cost' | 'schema') {
    super(`the schema was not checked: ${why}`);
    this.name = 'IncompleteValidation';
    this.why = why;
  }
}

/** A unit is about 1 µs of CPU at most. A value of an answer takes about 5, so that 200 KB of JSON fit. */
const MAX_UNITS = 200_000;

/** To compare or copy that many characters takes one unit. */
const CHARACTERS_PER_UNIT = 32;

/** Units between two checks of the time. */
const UNITS_PER_TIME_CHECK = 2_048;

/** The work that one validation may still do. */
export interface Work {
  /** Throws `IncompleteValidation` if too little is left, and passes on the errors of `checkTime`. */
  spend(units: number): void;
  /** Spends for a text that is read once. */
  spendText(text: string): void;
}

/** `checkTime` throws after the deadline. */
export function createWork(checkTime: () => void, units = MAX_UNITS): Work {
  let left = units;
  let nextCheck = left;
  const spend = (spent: number): void => {
    left -= spent;
    if (left < 0) throw new IncompleteValidation('cost');
    if (left > nextCheck) return;
    nextCheck = left - UNITS_PER_TIME_CHECK;
    checkTime();
  };
  return { spend, spendText: (text) => spend(1 + Math.floor(text.length / CHARACTERS_PER_UNIT)) };
}
