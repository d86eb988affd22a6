// What scenarios cannot be shown on dynalite, the database for machines without a dynoxide; everything else is.
import { ENGINE } from './stack.ts';

/** Why, by what is lacking. */
const DYNALITE_GAPS = {
  'index updates':
    'dynalite adds and removes no index of a table that exists; the local run says so and does not start',
} as const;

/** True where the engine of this run lacks it. */
export function lacks(gap: keyof typeof DYNALITE_GAPS): boolean {
  return ENGINE === 'dynalite' && gap in DYNALITE_GAPS;
}
