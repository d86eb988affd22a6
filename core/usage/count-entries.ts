// Counts a batch of delivered entries, each exactly once, however often it is delivered.
import type { Random } from '../ports/platform.ts';
import type { UsageLedger } from '../ports/usage.ts';
import type { Clock } from '../time/clock.ts';
import { mergeRows } from './merge-rows.ts';
import { type DeliveredEntry, planAdditions, type UsagePart } from './plan-additions.ts';

/** What counting needs. */
export interface CountingPorts {
  readonly ledger: UsageLedger;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly random: Pick<Random, 'fraction'>;
}

/** What became of a batch. `failed`: everything from this record on has to be delivered again; what came before is counted. */
export type Counting =
  | { readonly outcome: 'counted' }
  | { readonly outcome: 'failed'; readonly sequenceNumber: string; readonly error: unknown };

/** Shards of the stream are read side by side, and their entries meet in the same rows. */
const MOST_CONFLICTS = 8;
/** Full jitter: 0 to 50 ms · 2ⁿ, at most 2 s. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;

/** Never throws: what failed comes again from the stream. */
export async function countEntries(
  delivered: readonly DeliveredEntry[],
  ports: CountingPorts,
): Promise<Counting> {
  for (const parts of planAdditions(delivered)) {
    try {
      await addOnce(parts, ports);
    } catch (error) {
      return { outcome: 'failed', sequenceNumber: parts[0]?.sequenceNumber ?? '', error };
    }
  }
  return { outcome: 'counted' };
}

/** Adds what is not marked yet; throws when the ledger does, or is busy for too long. */
async function addOnce(parts: readonly UsagePart[], { ledger, clock, random }: CountingPorts): Promise<void> {
  let left = parts;
  let conflicts = 0;
  while (left.length > 0) {
    const rows = mergeRows(left.flatMap((part) => part.rows));
    const addition = await ledger.add(
      left.map(({ mark }) => mark),
      rows,
    );
    if (addition.outcome === 'added') return;
    if (addition.outcome === 'repeated') {
      const known = new Set(addition.marks.map(({ key }) => key));
      const unmarked = left.filter(({ mark }) => !known.has(mark.key));
      if (unmarked.length === left.length) throw new Error('the ledger refused and named no mark');
      left = unmarked;
      continue;
    }
    conflicts += 1;
    if (conflicts > MOST_CONFLICTS) throw new Error('the ledger was busy for too long');
    await clock.sleep(random.fraction() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** conflicts));
  }
}
