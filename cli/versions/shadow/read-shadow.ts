// Reads the runs of a shadow, and what of its budget is spent.
import { isOpen, type ShadowedNeuron } from '../../../core/admin/apply/shadows.ts';
import type { UsageRow } from '../../../core/ports/usage.ts';
import { shadowCounterKey } from '../../../core/rollouts/shadow-budget.ts';
import { toIso } from '../../../core/time/iso.ts';
import type { ShadowFigures } from '../../json/rollouts.ts';
import type { Ports } from '../../session/ports.ts';
import { toRunUsage } from '../../usage/run-usage.ts';
import { toRequestUsage } from '../../usage/show-usage.ts';

/** Runs of the last seconds are not counted yet. */
export async function readShadow(
  { shadow, organizationId, id: neuronId }: ShadowedNeuron,
  { usage, clock, counterReader }: Pick<Ports, 'usage' | 'clock' | 'counterReader'>,
): Promise<ShadowFigures> {
  const key = shadowCounterKey(shadow);
  const nowMs = clock.now();
  const days = { fromDay: shadow.since.slice(0, 10), toDay: toIso(nowMs).slice(0, 10) };
  const rows: UsageRow[] = [];
  for await (const row of usage.list({ organizationId, neuronId, ...days }))
    if (row.subject.kind === 'shadow' && row.subject.shadow === shadow.id) rows.push(row);
  const cost = (await counterReader.read([key])).get(key)?.counts.cost;
  const runs = toRunUsage(rows, toRequestUsage);
  // Without a run there is no counter yet.
  const none = runs.requests === 0 ? 0 : null;
  return {
    isOpen: isOpen(shadow, nowMs),
    takenMicrodollars: cost?.taken ?? none,
    heldMicrodollars: cost?.held ?? none,
    runs,
  };
}
