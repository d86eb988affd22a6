// How much work one validation may take. Every loop over a schema or a value spends from it, so no schema keeps a process busy.

/** A validation that was given up: its schema costs too much, or cannot be read. */
export class Unchecked extends Error {
  readonly why: 'cost' | 'schema';

  constructor(why: 'cost' | 'schema') {
    super(`the schema was not checked: ${why}`);
    this.name = 'Unchecked';
    this.why = why;
  }
}

/** At most about 1 µs of CPU each. A value of an answer takes some 5, so 200 KB of JSON fit. */
const MAX_UNITS = 200_000;

/** A comparison or a copy of so many characters is one unit. */
const CHARACTERS_PER_UNIT = 32;

/** How often the time is looked at. */
const UNITS_PER_LOOK = 2_048;

/** What is left to spend. */
export interface Work {
  /** Throws `Unchecked` where too little is left, and what `checkTime` throws. */
  spend(units: number): void;
  /** The same for a text that is read once. */
  spendText(text: string): void;
}

/** The work of one validation. `checkTime` throws once the deadline has passed. */
export function createWork(checkTime: () => void, units = MAX_UNITS): Work {
  let left = units;
  let nextLook = left;
  const spend = (spent: number): void => {
    left -= spent;
    if (left < 0) throw new Unchecked('cost');
    if (left > nextLook) return;
    nextLook = left - UNITS_PER_LOOK;
    checkTime();
  };
  return { spend, spendText: (text) => spend(1 + Math.floor(text.length / CHARACTERS_PER_UNIT)) };
}
