// Counts a batch of delivered entries in the usage table and seals them in the log's hash chains, each exactly once however often it is
// delivered. A transaction holds whole marks; an entry's line is beside the first of its marks (plan-transactions.ts). The whole way: logs/seals/seal.ts.
import type { Sealing } from '../logs/seals/sealing.ts';
import type { Random } from '../ports/platform.ts';
import type { AddUsageOutcome, UsageLedger } from '../ports/usage.ts';
import type { Clock } from '../time/clock.ts';
import { mergeRows } from './merge-rows.ts';
import { type DeliveredEntry, nameOfMark, planTransactions, type UsagePart } from './plan-transactions.ts';

export interface CountingPorts {
  readonly ledger: UsageLedger;
  readonly sealing: Sealing;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly random: Pick<Random, 'fraction'>;
}

/**
 * `counted`: all entries are counted and sealed. `sealed`: all of them are sealed, but some never counted, since the table rejects their
 * usage. `failed`: all records from this one on must be delivered again; earlier entries are counted and sealed.
 */
type CountOutcome =
  | { readonly outcome: 'counted' }
  | { readonly outcome: 'sealed'; readonly uncounted: number }
  | { readonly outcome: 'failed'; readonly sequenceNumber: string; readonly error: unknown };

/** Stream shards are processed concurrently; their entries update the same rows and the same chain. */
const MAX_CONFLICTS = 8;
/** Exponential backoff with full jitter: 0 to 50 ms · 2ⁿ, at most 2 s. */
const BACKOFF_BASE_MS = 50;
const BACKOFF_MAX_MS = 2_000;

/** Never throws: the stream delivers failed entries again. */
export async function countAndSeal(
  delivered: readonly DeliveredEntry[],
  ports: CountingPorts,
): Promise<CountOutcome> {
  let uncounted = 0;
  for (const parts of planTransactions(delivered, ports.clock.now())) {
    try {
      uncounted += await addOrSeal(parts, ports);
    } catch (error) {
      return { outcome: 'failed', sequenceNumber: parts[0]?.sequenceNumber ?? '', error };
    }
  }
  return uncounted === 0 ? { outcome: 'counted' } : { outcome: 'sealed', uncounted };
}

/**
 * Adds the parts together, or each by itself where the ledger rejects that; one that it rejects alone is sealed without its usage, since
 * one item must not stop the seals of all. Resolves to the number of those.
 */
async function addOrSeal(parts: readonly UsagePart[], ports: CountingPorts): Promise<number> {
  const rejection = await addOnce(parts, ports);
  if (rejection === undefined) return 0;
  if (parts.length > 1) {
    let uncounted = 0;
    for (const part of parts) uncounted += await addOrSeal([part], ports);
    return uncounted;
  }
  const unsealable = await addOnce(
    parts.map((part) => ({ ...part, rows: [] })),
    ports,
  );
  if (unsealable !== undefined) throw unsealable.error;
  return 1;
}

/** Why the ledger takes no such transaction. */
interface Rejection {
  readonly error: unknown;
}

/** Adds and seals the parts that are not marked yet. Throws when the ledger does, or when conflicts persist. */
async function addOnce(parts: readonly UsagePart[], ports: CountingPorts): Promise<Rejection | undefined> {
  const { sealing, clock, random } = ports;
  let left = parts;
  let conflicts = 0;
  while (left.length > 0) {
    const result = await addTogether(left, ports);
    if (result.outcome === 'added') return undefined;
    if (result.outcome === 'rejected') {
      sealing.forget(left.flatMap(({ toSeal }) => toSeal?.chain ?? []));
      return result;
    }
    if (result.outcome === 'repeated') {
      const counted = new Set(result.marks.map(nameOfMark));
      const unmarked = left.filter(({ mark }) => !counted.has(nameOfMark(mark)));
      if (unmarked.length === left.length)
        throw new Error('the usage ledger reported repeated marks that were not in the transaction');
      left = unmarked;
      continue;
    }
    if (result.outcome === 'outdated') sealing.forget(result.chains);
    conflicts += 1;
    if (conflicts > MAX_CONFLICTS) throw new Error('the usage ledger had conflicts for too long');
    await clock.sleep(random.fraction() * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** conflicts));
  }
  return undefined;
}

/** After a failure it is unknown whether the seals were written: the heads are read again. */
async function addTogether(
  parts: readonly UsagePart[],
  { ledger, sealing }: CountingPorts,
): Promise<AddUsageOutcome> {
  const seals = await sealing.next(parts.flatMap(({ toSeal }) => toSeal ?? []));
  const rows = mergeRows(parts.flatMap((part) => part.rows));
  const marks = parts.map(({ mark }) => mark);
  try {
    const result = await ledger.add(marks, rows, seals);
    if (result.outcome === 'added') sealing.remember(seals);
    return result;
  } catch (error) {
    sealing.forget(seals.map(({ chain }) => chain));
    throw error;
  }
}
