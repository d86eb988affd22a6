// What asking the counters of one request takes.
import type { CounterStore } from '../ports/counters.ts';
import type { Random } from '../ports/platform.ts';
import type { ExhaustionCache } from './exhaustion-cache.ts';

/** What asking counters takes, for one request. */
export interface AdmitContext {
  readonly counters: CounterStore;
  readonly known: ExhaustionCache;
  readonly random: Pick<Random, 'fraction'>;
  /** What is remembered is of these settings; other ones may ask counters in another order. */
  readonly settingsVersion: string;
  /** When API Gateway received the request, in milliseconds since the Unix epoch. */
  readonly timeMs: number;
  /** How long a counter is kept after its window: the longest run, and some more. */
  readonly keepMs: number;
  /** True where a request goes on without a counter that fails. */
  readonly admitsUncounted: boolean;
  /** Called for each counter that could not be asked, whether the request then goes on or not. */
  readonly onFailure: () => void;
}
