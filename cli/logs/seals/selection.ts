// Refuses options of `neuron logs` that select calls where they would mean nothing.
import { usageFailure } from '../../output/failure.ts';
import type { LogOptions } from '../log-options.ts';

/** Throws `CommandFailure` for an option beside `applicable`. */
export function checkSelection(selection: LogOptions, applicable: readonly (keyof LogOptions)[]): void {
  const input = Object.keys(selection).find((name) => !applicable.some((one) => one === name));
  if (input !== undefined)
    throw usageFailure(
      `--${input} does not apply: seals are of the whole log of an organization.`,
      'Omit it.',
    );
}
