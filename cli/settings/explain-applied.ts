// Explains of a neuron as it is applied what access control does not decide: the side of a rollout, the branches of splits, and what guards look at.
import type { Decision } from '../../core/access/decision.ts';
import { coverageOfDocuments } from '../../core/admin/guards/coverage.ts';
import { parseFlow } from '../../core/settings/flow-schema.ts';
import { renderCoverage, toListedCoverage } from '../guards/coverage-view.ts';
import type { Ports } from '../session/ports.ts';
import { type NeuronTarget, renderTarget } from '../session/target.ts';
import { explainRollout } from './explain-rollout.ts';
import { explainSplits, renderSplit } from './explain-splits.ts';
import { toExplainedCaller } from './explained-caller.ts';

interface Explained {
  readonly target: NeuronTarget;
  readonly ip: string | undefined;
}

type AppliedPorts = Pick<Ports, 'store' | 'stack' | 'secretReader'>;

/** Members for `--json`, and the same as texts; none of what the neuron has not. */
export async function explainApplied(args: Explained, decision: Decision, ports: AppliedPorts) {
  const sides = await explainSides(args, decision, ports);
  const guards = await explainGuards(args, ports);
  return {
    value: { ...sides.value, ...(guards === undefined ? {} : { guards: guards.value }) },
    texts: [...sides.texts, ...(guards === undefined ? [] : [guards.text])],
  };
}

/** Where the caller of a decision is sent: by a rollout, and by the splits of the version that they get. */
async function explainSides({ target, ip }: Explained, decision: Decision, ports: AppliedPorts) {
  const organization = await ports.store.readOrganization(target.organization);
  const neuron = organization && (await ports.store.readNeuron(organization, target.neuron));
  const document = neuron?.document;
  const caller = await toExplainedCaller(decision, { document, ip }, ports);
  if (neuron === undefined || caller === undefined) return { value: {}, texts: [] };
  const deployed = neuron.deployment?.version;
  const rollout = neuron.rollout && explainRollout(neuron.rollout, caller, deployed);
  const version = rollout?.value.arm === 'candidate' ? neuron.rollout?.candidate : deployed;
  const stored = version && (await ports.store.readVersion(target.organization, neuron.id, version));
  const flow = (stored && parseFlow(stored.flow)) || [];
  const splits = explainSplits(flow, { ...caller, neuron: renderTarget(target) });
  return {
    value: {
      ...(rollout === undefined ? {} : { rollout: rollout.value }),
      ...(splits.length === 0 ? {} : { splits }),
    },
    texts: [...(rollout === undefined ? [] : [rollout.text]), ...splits.map(renderSplit)],
  };
}

/** About the deployed version: a preview has a flow of its own, and the same guards. */
async function explainGuards({ target }: Explained, { store, stack }: AppliedPorts) {
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
