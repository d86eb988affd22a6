// Reads a rollout: what is stored, and the runs of both arms.
import { explainWait, type RollingOut } from '../../core/admin/apply/rollouts.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import type { UsageRow } from '../../core/ports/usage.ts';
import { toIso } from '../../core/time/iso.ts';
import type { RolloutValue } from '../json/rollouts.ts';
import type { ArmUsage } from '../json/usage.ts';
import type { Ports } from '../session/ports.ts';
import { armsOf } from '../usage/show-usage.ts';

export function toValue(neuron: string, { deployment, rollout }: NeuronRecord): RolloutValue {
  return { neuron, deployed: deployment?.version ?? null, rollout: rollout ?? null };
}

/** The runs of both arms since the rollout began; those of the last seconds are not counted yet. */
export async function readArms(
  { rollout, organizationId, id: neuronId }: RollingOut,
  { usage, clock }: Pick<Ports, 'usage' | 'clock'>,
): Promise<readonly ArmUsage[]> {
  const fromDay = rollout.since.slice(0, 10);
  const toDay = toIso(clock.now()).slice(0, 10);
  const rows: UsageRow[] = [];
  for await (const row of usage.list({ organizationId, neuronId, fromDay, toDay })) rows.push(row);
  return armsOf(rows).filter((arm) => arm.rollout === rollout.id);
}

/** Why the next stage may not begin yet; empty where it may. */
export function waitsOf(
  { rollout }: RollingOut,
  arms: readonly ArmUsage[],
  nowMs: number,
): readonly string[] {
  const runs = arms.find(({ arm }) => arm === 'candidate')?.requests ?? 0;
  return explainWait(rollout, runs, nowMs);
}
