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
