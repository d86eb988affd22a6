// `neuron versions shadow status`: shows the shadow with its runs, and what of its budget is spent.
import { isShadowing, type ShadowedNeuron } from '../../../core/admin/apply/shadows.ts';
import type { NeuronRecord } from '../../../core/ports/administration.ts';
import { renderShare } from '../../../core/settings/rollout-schema.ts';
import { NEURON } from '../../command/arguments.ts';
import { command } from '../../command/command.ts';
import type { ShadowFigures, ShadowValue } from '../../json/rollouts.ts';
import { requireNeuronOf } from '../../session/require-stored.ts';
import { renderTarget } from '../../session/target.ts';
import { readShadow } from './read-shadow.ts';

export const shadowStatus = command({
  name: 'status',
  description: 'Shows the version that repeats runs, its runs and its budget.',
  arguments: { neuron: NEURON },
  async run({ neuron: target }, { out, connect }) {
    const ports = await connect();
    const neuron = await requireNeuronOf(ports.store, target);
    const name = renderTarget(target);
    if (!isShadowing(neuron)) return out.value(toValue(name, neuron), `${name}: no version repeats runs.`);
    const value = { ...toValue(name, neuron), ...(await readShadow(neuron, ports)) };
    out.value(value, renderStatus(name, neuron, value));
  },
});

export function toValue(neuron: string, { deployment, shadow }: NeuronRecord): ShadowValue {
  return { neuron, deployed: deployment?.version ?? null, shadow: shadow ?? null };
}

function renderStatus(name: string, { shadow, deployment }: ShadowedNeuron, figures: ShadowFigures): string {
  const { version, basisPoints, until, since, startedBy, id, budgetMicrodollars } = shadow;
  const { requests, failed, refused: rejected, latencyP50Ms, latencyP95Ms } = figures.runs;
  const verb = figures.isOpen ? 'repeats' : 'repeated';
  const { takenMicrodollars: taken } = figures;
  const spent = taken === null ? 'unknown' : `$${(taken / 1e6).toFixed(6)}`;
  const times = latencyP50Ms === null ? '' : `, p50 ${latencyP50Ms} ms, p95 ${latencyP95Ms} ms`;
  return [
    `${name}: ${version} ${verb} ${renderShare(basisPoints)} of the runs of ${deployment?.version ?? 'none'} until ${until}.`,
    `Shadow ${id}, since ${since} by ${startedBy}. Budget: ${spent} of $${budgetMicrodollars / 1e6}.`,
    `${requests} runs, ${failed} failed, ${rejected} rejected${times}.`,
  ].join('\n');
}
