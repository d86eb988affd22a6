// Lists models: the neuron as the one of its own base URL, or those of an organization that a key may call. Nothing runs, so no body is read.
import type { ExecutionRequest, ModelListRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { wholeNamesOf } from '../../../core/settings/names/model-names.ts';
import type { ListedNeuron } from '../../../core/settings/names/neuron-list.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';
import { renderModel, renderModelList, renderModels } from '../../../core/surfaces/openai/models.ts';
import type { ExecutionPorts, Outcome } from '../run.ts';
import { decideOn, readKeyFacts } from './key-access.ts';

/** `model_not_found` for an id that is not the neuron's. On an organization's URL its neuron is the one that the id has led to. */
export function listModels(
  request: ExecutionRequest,
  { id, form }: ModelListRequest,
  { neuron: { name: displayName } }: Pick<OpenSettings, 'neuron'>,
): Outcome {
  const { organization, neuron, executionId, chosen } = request;
  const known = { organization, neuron, executionId, displayName };
  const answer =
    chosen === undefined
      ? renderModels(known, id, form)
      : renderModel({ id: chosen.model, displayName: displayName ?? chosen.model }, known, form);
  return { kind: 'models', answer: () => answer };
}

/**
 * Every name by which the key may call a neuron of its organization that has a deployed version; undefined for any other request, and for
 * a caller without a live key. 503 `maintenance` or `dependency_unavailable`, 429 `organization_paused`, `key_paused`, `caller_blocked`.
 */
export async function listOrganizationModels(
  request: ExecutionRequest,
  { neuronLists }: Pick<ExecutionPorts, 'neuronLists'>,
): Promise<Outcome | undefined> {
  const { models, ofOrganization, authorizerContext: proven } = request;
  if (models === undefined || models.id !== undefined || ofOrganization === undefined) return undefined;
  if (proven?.outcome !== 'key') return undefined;
  const allowed = await listAllowed(request, { neuronLists });
  const named = allowed.flatMap(({ slug, displayName, models: names }) =>
    [...new Set([slug, ...wholeNamesOf(names)])].map((id) => ({ id, displayName: displayName ?? id })),
  );
  const answer = renderModelList(named, request, models.form);
  return { kind: 'models', answer: () => answer };
}

/** The neurons with a deployed version that the key of a call of an organization's URL may call; none without a live key. Throws as above. */
export async function listAllowed(
  { ofOrganization, authorizerContext: proven, sourceIp }: ExecutionRequest,
  { neuronLists }: Pick<ExecutionPorts, 'neuronLists'>,
): Promise<readonly ListedNeuron[]> {
  if (ofOrganization === undefined || proven?.outcome !== 'key') return [];
  const { organization, organizationId, keyGrants, keyId } = proven;
  const reading = neuronLists.read(organization, organizationId, keyGrants, { keyId, sourceIp });
  const neurons = await reading.catch((thrown: unknown) => {
    if (thrown instanceof ServiceError) throw thrown;
    const reason = 'the neurons could not be listed';
    throw new ServiceError('dependency_unavailable', { reason, cause: thrown });
  });
  const facts = readKeyFacts(ofOrganization);
  const allowed: ListedNeuron[] = [];
  for (const neuron of neurons) {
    const decision = await decideOn(neuron, facts, proven);
    if (decision.outcome === 'allow') allowed.push(neuron);
  }
  return allowed;
}
