// Finds what is tried: a version of a neuron, or a draft under its settings.
import type { TestedNeuron } from '../../../core/tests/run/tested-neuron.ts';
import { CommandFailure } from '../../output/failure.ts';
import { requireNeuronOf } from '../../session/require-stored.ts';
import type { Session } from '../../session/session.ts';
import { type NeuronTarget, renderTarget } from '../../session/target.ts';
import { toTested } from '../../tests/find-neurons.ts';
import { readDraft } from './draft.ts';

export async function openDraft(target: NeuronTarget, path: string, session: Session): Promise<TestedNeuron> {
  const { organization, neuron, input } = await readDraft(target, path, session);
  return toTested(renderTarget(target), {
    document: organization.document,
    id: organization.id,
    settings: neuron.document,
    content: input,
  });
}

/** Throws `CommandFailure` where none is. */
export async function findDeployed(target: NeuronTarget, { connect }: Session): Promise<string> {
  const { store } = await connect();
  const { deployment } = await requireNeuronOf(store, target);
  if (deployment !== undefined) return deployment.version;
  const name = renderTarget(target);
  throw new CommandFailure({
    what: `No version of ${name} is deployed.`,
    remedy: `Pass one that \`neuron versions list ${name}\` shows, or --flow FILE.`,
  });
}
