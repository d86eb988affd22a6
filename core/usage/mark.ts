// The mark of an entry that has been counted: whoever hands the entry over again is told by it.
import type { CountedEntry, UsageMark } from '../ports/usage.ts';

/**
 * DynamoDB keeps a stream record for 24 hours (amazondynamodb/latest/developerguide/Streams.html): nothing is handed over later than
 * that after the entry was put. The mark stays as long again.
 */
const LASTS_SECONDS = 2 * 24 * 60 * 60;

/** Names an entry wherever it is stored: time and execution are its own, and so is the neuron. */
export function markKeyOf(entry: Pick<CountedEntry, 'neuronId' | 'timeMs' | 'executionId'>): string {
  return `${entry.neuronId}#${new Date(entry.timeMs).toISOString()}#${entry.executionId}`;
}

/** The mark of an entry that was put at `putAtMs`: by the stream's clock, so that every delivery gives the same. */
export function markOf(
  entry: Pick<CountedEntry, 'neuronId' | 'timeMs' | 'executionId'>,
  putAtMs: number,
): UsageMark {
  return { key: markKeyOf(entry), expiresAt: Math.floor(putAtMs / 1000) + LASTS_SECONDS };
}
