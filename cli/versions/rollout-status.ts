// `neuron versions rollout status`: shows the stage, and the runs of both versions beside each other.
import { explainWait, isRollingOut, type RollingOut } from '../../core/admin/apply/rollouts.ts';
import type { NeuronRecord, RecordedRollout } from '../../core/ports/administration.ts';
import type { UsageRow } from '../../core/ports/usage.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { toIso } from '../../core/time/iso.ts';
import { NEURON } from '../command/arguments.ts';
import { command } from '../command/command.ts';
import type { ArmUsage } from '../json/usage.ts';
import type { Ports } from '../session/ports.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { armsOf } from '../usage/show-usage.ts';

export const rolloutStatus = command({
  name: 'status',
  description: 'Shows the rollout with the runs of both versions.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    if (!isRollingOut(neuron)) return out.value(toValue(name, neuron), `${name}: no rollout is going on.`);
    const arms = await readArms(neuron, ports);
    out.value({ ...toValue(name, neuron), arms }, renderRollout(name, neuron, arms, ports.clock.now()));
  },
});

/** As `--json` shows it. */
interface RolloutValue {
  readonly neuron: string;
  readonly deployed: string | null;
  readonly rollout: RecordedRollout | null;
  readonly arms?: readonly ArmUsage[];
}

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

function renderRollout(
  name: string,
  { rollout, deployment }: RollingOut,
  arms: readonly ArmUsage[],
  nowMs: number,
): string {
  const { candidate, basisPoints, by, stage, stages, id, since, startedBy } = rollout;
  const runs = arms.find(({ arm }) => arm === 'candidate')?.requests ?? 0;
  const waits = explainWait(rollout, runs, nowMs);
  const isLast = stage + 1 >= stages.length;
  const wait = waits.length === 0 ? `may ${isLast ? 'be promoted' : 'go on'}` : waits.join(', ');
  return [
    `${name}: ${candidate} gets ${renderShare(basisPoints)} of the callers in place of ${deployment?.version ?? 'none'}, by ${by}.`,
    `Rollout ${id}, since ${since} by ${startedBy}. Stage ${stage + 1} of ${stages.length}: ${wait}.`,
    ...arms.map(renderArm),
  ].join('\n');
}

function renderArm({ arm, version, requests, failed, modelCalls, costMicrodollars }: ArmUsage): string {
  const share = requests === 0 ? '' : ` (${((failed / requests) * 100).toFixed(1)}%)`;
  const cost = requests === 0 ? 0 : costMicrodollars / requests / 1e6;
  const dollars = `$${cost.toFixed(6)} a run`;
  return `${arm} ${version}: ${requests} runs, ${failed} failed${share}, ${modelCalls} model calls, ${dollars}`;
}
