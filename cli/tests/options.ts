// The options of `neuron test`.
import type { RecordMode } from '../../core/tests/recording/recording.ts';

export interface TestOptions {
  readonly paths: readonly string[];
  readonly overlay: readonly string[] | undefined;
  /** A version of the stack. */
  readonly revision: string | undefined;
  readonly against: string | undefined;
  readonly repeat: number | undefined;
  readonly record: RecordMode;
  readonly parallel: number;
  /** Integer microdollars. */
  readonly maxCost: number | undefined;
  readonly url: string | undefined;
}

/**
 * True for a run of all repetitions of what is tested by default. Another one makes other calls, so that recordings without a call are no
 * leftovers.
 */
export function isWhole({
  repeat,
  revision,
  url,
}: Pick<TestOptions, 'repeat' | 'revision' | 'url'>): boolean {
  return repeat === undefined && revision === undefined && url === undefined;
}
