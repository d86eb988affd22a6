// Explains on which side of a rollout a caller is.
import type { Decision } from '../../core/access/decision.ts';
import { chooseArm } from '../../core/rollouts/choose-arm.ts';
import { renderShare } from '../../core/settings/rollout-schema.ts';
import { nameAtNeuron } from '../session/names-of-user.ts';
import type { Ports } from '../session/ports.ts';
import type { NeuronTarget } from '../session/target.ts';

/** The side of a rollout that a caller would be on; undefined where none is going on. */
export async function explainRollout(
  { target, ip = '' }: { readonly target: NeuronTarget; readonly ip: string | undefined },
  decision: Decision,
  { store, secretReader }: Pick<Ports, 'store' | 'secretReader'>,
) {
  const organization = await store.readOrganization(target.organization);
  const neuron = organization && (await store.readNeuron(organization, target.neuron));
  if (neuron?.rollout === undefined || decision.outcome !== 'allow') return undefined;
  const { by, candidate, basisPoints, id } = neuron.rollout;
  const { keyId } = decision;
  const username =
    decision.username === undefined
      ? undefined
      : await nameAtNeuron(decision.username, decision.organizationId, neuron.document, { secretReader });
  const isNamed = (by === 'user' && username !== undefined) || (by !== 'address' && keyId !== undefined);
  if (by === 'request' || (!isNamed && ip === '')) {
    const whose = by === 'request' ? 'each call' : 'each address';
    const text = `Rollout ${id}: ${whose} is on a side of its own; ${renderShare(basisPoints)} get ${candidate}.`;
    return { value: { id, arm: null }, text };
  }
  const { arm } = chooseArm(neuron.rollout, { username, keyId, sourceIp: ip, executionId: '' });
  const version = arm === 'candidate' ? candidate : (neuron.deployment?.version ?? 'no version');
  return { value: { id, arm }, text: `Rollout ${id}: this caller is on the side of the ${arm}, ${version}.` };
}
