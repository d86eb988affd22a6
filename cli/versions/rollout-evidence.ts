// Reads the evidence of a rollout's guards, by the counts that the service reads each minute.
import type { RollingOut } from '../../core/admin/apply/rollouts.ts';
import type { SlotRow } from '../../core/ports/rollout-watch.ts';
import {
  advance,
  explainEvidence,
  type GuardEvidence,
  NO_EVIDENCE,
} from '../../core/rollouts/guard-state.ts';
import { slotsOf } from '../../core/rollouts/read-slots.ts';
import { toIso } from '../../core/time/iso.ts';
import type { Ports } from '../session/ports.ts';

/** Since the rollout began or was resumed. Empty where only commands stop it. */
export async function readEvidence(
  { rollout }: RollingOut,
  { slots, clock }: Pick<Ports, 'slots' | 'clock'>,
): Promise<readonly GuardEvidence[]> {
  const { id, guards = [], guardedSince } = rollout;
  if (guards.length === 0 || guardedSince === undefined) return [];
  const rows: SlotRow[] = [];
  for await (const row of slots.slots(guardedSince, toIso(clock.now())))
    if (row.subject.rollout === id) rows.push(row);
  const state = slotsOf(rows, id).reduce((before, slot) => advance(before, guards, slot), NO_EVIDENCE);
  return explainEvidence(state, guards);
}

/** `failed: evidence 3.2 of 20; bad in 2 of 20 of the candidate, and in 1 of 180 of the control` */
export function renderEvidence({ guard, evidence, needed, counts }: GuardEvidence): string {
  if (counts === null) return `${guard}: too little is known of the control`;
  const { control, candidate } = counts;
  const number = evidence >= 1_000 ? 'over 1000' : evidence.toPrecision(3);
  return `${guard}: evidence ${number} of ${needed}; bad in ${candidate.bad} of ${candidate.count} of the candidate, and in ${control.bad} of ${control.count} of the control`;
}
