// The row of an entry for the function that watches rollouts: by the time at which it is counted, so that a slot that is over stays as it is.
import { isSlug } from '../contract/slugs.ts';
import type { CountedEntry, UsageRow } from '../ports/usage.ts';
import { toIso } from '../time/iso.ts';
import { amountsOf, bucketsOf, dayOf, isHit, NO_USAGE } from './entry-usage.ts';

export const ROLLOUT_SLOT_MS = 20_000;

/** As long as a stage may last. */
const RETENTION_SECONDS = 90 * 24 * 60 * 60;

/** Runs of a rollout, and feedback on them; nothing for a hit of the cache, and while no rollout is going on. */
export function slotRows(entry: CountedEntry, nowMs: number): readonly UsageRow[] {
  const { organization, organizationId, neuron, neuronId, rollout, feedback, cache, outcome } = entry;
  if (rollout === undefined || isHit(cache) || outcome === 'refused' || !isSlug(organization)) return [];
  const slotMs = Math.floor(nowMs / ROLLOUT_SLOT_MS) * ROLLOUT_SLOT_MS;
  const slot = toIso(slotMs);
  return [
    {
      organizationId,
      neuronId,
      neuron,
      subject: { kind: 'slot', rollout: rollout.id, arm: rollout.arm, slot, organization },
      // A slot of midnight has entries of two days.
      day: dayOf(slotMs),
      amounts: feedback === undefined ? amountsOf(entry) : NO_USAGE,
      buckets:
        feedback === undefined
          ? bucketsOf(entry)
          : { [`rating#${feedback.metric}#${renderValue(feedback)}`]: 1 },
      entriesEnd: {},
      expiresAt: Math.floor(slotMs / 1_000) + RETENTION_SECONDS,
    },
  ];
}

/** A number by its integer part: a slot has few names for values, however finely callers grade. */
function renderValue({ value }: NonNullable<CountedEntry['feedback']>): string {
  return typeof value === 'boolean' ? String(value) : String(Math.floor(value));
}
