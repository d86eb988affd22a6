// Settings that the contract has and this release does not act on yet: refused when applied, so that none is silently ignored.
import { findPaths, type PathPattern } from './find-paths.ts';
import type { Path } from './finding.ts';

/** A place in a document, and which values are refused there. */
export interface UnsupportedSetting {
  readonly document: 'organization' | 'neuron';
  readonly at: PathPattern;
  /** True for a value that asks for nothing; absent: every value is refused. */
  readonly harmless?: (value: unknown) => boolean;
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
const isNot =
  (...values: readonly unknown[]) =>
  (value: unknown) =>
    !values.includes(value);

/** Who builds a behaviour deletes its line. */
export const NOT_SUPPORTED: readonly UnsupportedSetting[] = [
  { document: 'organization', at: ['usageLimits'], harmless: isEmpty },
  {
    document: 'organization',
    at: ['providers', '*', 'type'],
    harmless: isNot('bedrock'),
  },
  { document: 'neuron', at: ['rateLimits'], harmless: isEmpty },
  { document: 'neuron', at: ['whenCountersFail'], harmless: (value) => value === 'refuse' },
];

/** The paths in a document at which it asks for what is not built. */
export function findUnsupported(
  kind: UnsupportedSetting['document'],
  value: unknown,
  table: readonly UnsupportedSetting[] = NOT_SUPPORTED,
): Path[] {
  return table
    .filter(({ document }) => document === kind)
    .flatMap(({ at, harmless }) =>
      findPaths(value, at)
        .filter((found) => harmless?.(found.value) !== true)
        .map(({ path }) => path),
    );
}
