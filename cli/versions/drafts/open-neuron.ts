// Finds what is tried: a version of a neuron, or a draft under its settings.
import type { TestedNeuron } from '../../../core/tests/run/tested-neuron.ts';
import { CommandFailure } from '../../output/failure.ts';
import { requireNeuronOf } from '../../session/require-stored.ts';
import type { Session } from '../../session/session.ts';
import { type NeuronTarget, renderTarget } from '../../session/target.ts';
import { findStored, toTested } from '../../tests/find-neurons.ts';
import { readDraft } from './draft.ts';

interface TriedNeuron {
  /** Null for a draft. */
  readonly version: string | null;
  readonly neuron: TestedNeuron;
}

/** The flow of a file or of standard input, else the version, else the deployed one. Throws `CommandFailure` where there is none. */
export async function openTried(
  target: NeuronTarget,
  { id, flow }: { readonly id: string | undefined; readonly flow: string | undefined },
  session: Session,
): Promise<TriedNeuron> {
  if (flow !== undefined) return { version: null, neuron: await openDraft(target, flow, session) };
  const version = id ?? (await findDeployment(target, session));
  const name = renderTarget(target);
  if (version !== undefined) return { version, neuron: await findStored(version, session)(name) };
  throw new CommandFailure({
    what: `No version of ${name} is deployed.`,
    remedy: `Pass one that \`neuron versions list ${name}\` shows, or --flow FILE.`,
  });
}

async function openDraft(target: NeuronTarget, path: string, session: Session): Promise<TestedNeuron> {
  const { organization, neuron, input } = await readDraft(target, path, session);
  return toTested(renderTarget(target), {
    document: organization.document,
    id: organization.id,
    settings: neuron.document,
    content: input,
  });
}

/** The id of the deployed version; undefined where none is. */
export async function findDeployment(
  target: NeuronTarget,
  { connect }: Session,
): Promise<string | undefined> {
  const { store } = await connect();
  const { deployment } = await requireNeuronOf(store, target);
  return deployment?.version;
}
