// Ids of runs that are no requests.
import { digestOfParts } from '../../text/digest.ts';

/** In the form of those that requests have. */
export function toExecutionId(seed: string): string {
  const digits = digestOfParts(['execution of a test', seed]);
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}
