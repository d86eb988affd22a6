// Sends a settlement so that it is made once at most: again only where it was certainly not made.
import { type CounterStore, isThrottle, type Settlement } from '../ports/counters.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';

/**
 * The longest waits before a settlement that was throttled is sent again, in milliseconds: full jitter
 * (aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter). Together less than BUFFERED transfer leaves for what
 * follows an answer.
 */
export const RESEND_WITHIN_MS: readonly number[] = [50, 200];

/** What sending takes. */
export interface SettlementPorts {
  readonly counters: Pick<CounterStore, 'settle'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
}

/** Throws what the last try threw: then the counter is stricter until its window ends. */
export async function sendSettlement(settlement: Settlement, ports: SettlementPorts): Promise<void> {
  const { counters, clock, random } = ports;
  for (const longestMs of RESEND_WITHIN_MS) {
    try {
      return await counters.settle(settlement);
    } catch (thrown) {
      if (!isThrottle(thrown)) throw thrown;
      await clock.sleep(random.fraction() * longestMs);
    }
  }
  return counters.settle(settlement);
}
