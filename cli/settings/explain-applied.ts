// Explains of a neuron as it is applied what access control does not decide: the side of a rollout, and what guards look at.
import type { Decision } from '../../core/access/decision.ts';
import { coverageOfDocuments } from '../../core/admin/guards/coverage.ts';
import { renderCoverage, toListedCoverage } from '../guards/coverage-view.ts';
import type { Ports } from '../session/ports.ts';
import { type NeuronTarget, renderTarget } from '../session/target.ts';
import { explainRollout } from './explain-rollout.ts';

interface Explained {
  readonly target: NeuronTarget;
  readonly ip: string | undefined;
}

/** Members for `--json`, and the same as texts; none of what the neuron has not. */
export async function explainApplied(
  args: Explained,
  decision: Decision,
  ports: Pick<Ports, 'store' | 'stack' | 'secretReader'>,
) {
  const rollout = await explainRollout(args, decision, ports);
  const guards = await explainGuards(args, ports);
  return {
    value: {
      ...(rollout === undefined ? {} : { rollout: rollout.value }),
      ...(guards === undefined ? {} : { guards: guards.value }),
    },
    texts: [rollout?.text ?? [], guards?.text ?? []].flat(),
  };
}

/** About the deployed version: a preview has a flow of its own, and the same guards. */
async function explainGuards({ target }: Explained, { store, stack }: Pick<Ports, 'store' | 'stack'>) {
  const organization = await store.readOrganization(target.organization);
  const neuron = organization && (await store.readNeuron(organization, target.neuron));
  if (neuron?.deployment === undefined) return undefined;
  const { version: id } = neuron.deployment;
  const version = await store.readVersion(target.organization, neuron.id, id);
  const documents = { organization: organization?.document, neuron: neuron.document, flow: version?.flow };
  const coverage = coverageOfDocuments(documents);
  if (coverage === undefined) return undefined;
  const { neuron: _named, ...value } = toListedCoverage(renderTarget(target), coverage);
  const isBuffered = stack.outputs.transferMode === 'BUFFERED';
  return { value, text: renderCoverage(renderTarget(target), coverage, isBuffered) };
}
