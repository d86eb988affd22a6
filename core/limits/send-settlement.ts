// Sends a settlement at most once: a retry follows only a throttled write, which was certainly not made.
import { type CounterStore, isThrottled, type Settlement } from '../ports/counters.ts';
import type { Random } from '../ports/platform.ts';
import type { Clock } from '../time/clock.ts';

/**
 * Maximum delay before each retry, in milliseconds, with full jitter
 * (aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter). BUFFERED transfer leaves more time than their sum
 * after an answer.
 */
export const MAX_RETRY_DELAYS_MS: readonly number[] = [50, 200];

export interface SettlementPorts {
  readonly counters: Pick<CounterStore, 'settle'>;
  readonly clock: Clock;
  readonly random: Pick<Random, 'fraction'>;
}

/** Throws the error of the last attempt. The counter is then stricter than it should be until its window ends. */
export async function sendSettlement(settlement: Settlement, ports: SettlementPorts): Promise<void> {
  const { counters, clock, random } = ports;
  for (const maxDelayMs of MAX_RETRY_DELAYS_MS) {
    try {
      return await counters.settle(settlement);
    } catch (thrown) {
      if (!isThrottled(thrown)) throw thrown;
      await clock.sleep(random.fraction() * maxDelayMs);
    }
  }
  return counters.settle(settlement);
}
