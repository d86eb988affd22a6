// The memory of the execution function between requests; it is lost with its environment.
import { createLastUseThrottle } from '../../core/access/last-use.ts';
import { createMinuteBudget } from '../../core/async/minute-budget.ts';
import { createInFlightRuns } from '../../core/cache/in-flight.ts';
import { MAX_COUNTED_CHARACTERS } from '../../core/conversation/count-tokens.ts';
import { MAX_FEEDBACK_COSTS } from '../../core/feedback/budget.ts';
import { createCircuitBreakers } from '../../core/flow/circuit-breaker.ts';
import { createRepeatBudget } from '../../core/idempotency/repeat-budget.ts';
import { createExhaustionCache } from '../../core/limits/exhaustion-cache.ts';
import { createJournal } from '../../core/logs/journal.ts';
import { createUnknownNeurons } from '../../core/logs/unknown-neurons.ts';
import { MAX_UNKNOWN_NAMES } from '../../core/settings/names/found-neurons.ts';
import type { Clock } from '../../core/time/clock.ts';

/** Made once per environment. */
export function composeMemory(clock: Clock) {
  return {
    circuits: createCircuitBreakers(clock),
    journal: createJournal(),
    unknownNeurons: createUnknownNeurons(),
    lastUse: createLastUseThrottle(),
    exhaustionCache: createExhaustionCache(),
    repeats: createRepeatBudget(),
    tokenCounts: createMinuteBudget(MAX_COUNTED_CHARACTERS),
    feedbacks: createMinuteBudget(MAX_FEEDBACK_COSTS),
    unknownNames: createMinuteBudget(MAX_UNKNOWN_NAMES),
    inFlight: createInFlightRuns(),
  };
}
