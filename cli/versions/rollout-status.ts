// `neuron versions rollout status`: shows the stage, and the runs of both versions beside each other.
import { isRollingOut, type RollingOut } from '../../core/admin/apply/rollouts.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { NEURON } from '../command/arguments.ts';
import { command, flag } from '../command/command.ts';
import type { ArmUsage } from '../json/usage.ts';
import { requireNeuronOf } from '../session/require-stored.ts';
import { renderTarget } from '../session/target.ts';
import { readArms, toValue, waitsOf } from './read-rollout.ts';
import { readEvidence, renderEvidence } from './rollout-evidence.ts';

export const rolloutStatus = command({
  name: 'status',
  description: 'Shows the rollout with the runs of both versions.',
  arguments: { neuron: NEURON },
  options: {
    withEvidence: flag(
      '--evidence',
      'show how near each guard is to stopping it, from all counts since it began',
    ),
  },
  async run({ neuron: target, withEvidence }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    if (!isRollingOut(neuron)) return out.value(toValue(name, neuron), `${name}: no rollout is going on.`);
    const arms = await readArms(neuron, ports);
    const waits = waitsOf(neuron, arms, ports.clock.now());
    const evidence = withEvidence ? await readEvidence(neuron, ports) : undefined;
    out.value(
      { ...toValue(name, neuron), arms, waits, ...(evidence && { evidence }) },
      [renderRollout(name, neuron, arms, waits), ...(evidence ?? []).map(renderEvidence)].join('\n'),
    );
  },
});

function renderRollout(
  name: string,
  { rollout, deployment }: RollingOut,
  arms: readonly ArmUsage[],
  waits: readonly string[],
): string {
  const { candidate, basisPoints, by, stage, stages, id, since, startedBy } = rollout;
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
