// Marks restored log entries as counted: their copies come through the stream like new ones.
import type { StoredRecord } from '../../ports/seals.ts';
import type { PlacedEntry, UsageMark } from '../../ports/usage.ts';
import { planTransactions } from '../../usage/plan-transactions.ts';

/** Younger entries have the marks of their first count, or are still in the stream, which keeps them for a day. */
const COUNTED_AFTER_MS = 86_400_000;

/** The marks that an item needs before it is put back. `entry`: undefined for a change by an operator. */
export function findMarks(
  record: StoredRecord,
  entry: PlacedEntry | undefined,
  nowMs: number,
): readonly UsageMark[] {
  const { pk, sk } = record;
  const putAtMs = Date.parse(String(sk).split('#')[0] ?? '');
  if (putAtMs > nowMs - COUNTED_AFTER_MS) return [];
  const key = JSON.stringify([pk, sk]);
  const toSeal = { chain: '', line: '' };
  const delivered = [{ sequenceNumber: '', putAtMs: nowMs, key, entry, toSeal }];
  return planTransactions(delivered, nowMs).flatMap((parts) => parts.map(({ mark }) => mark));
}
