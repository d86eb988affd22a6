// After the answer: tells the counters what was used of what the run had reserved.
import type { CounterStore } from '../../core/ports/counters.ts';
import type { Run } from './run.ts';

/** What settling needs. */
export interface SettlePorts {
  readonly counters: CounterStore;
}

/** Never throws, and sends each settlement once: what is lost stays held until its window ends. The line has the amounts. */
export async function settle({ budget }: Run, { counters }: SettlePorts): Promise<void> {
  const settlements = budget?.close() ?? [];
  await Promise.all(settlements.map((one) => counters.settle(one).catch(() => undefined)));
}
