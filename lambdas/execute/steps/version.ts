// Finds the version to run, the deployed one or the one that the path names, and parses its flow.
import type { Admission, ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { previewedVersion } from '../../../core/access/preview-key.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { type ChosenArm, chooseArm } from '../../../core/rollouts/choose-arm.ts';
import { fillModel, passesModelOn } from '../../../core/settings/names/fill-model.ts';
import { nameToSend, slugInName } from '../../../core/settings/names/model-names.ts';
import { modelName } from '../../../core/settings/scalars.ts';
import type { StoredVersion, VersionStore } from '../../../core/settings/stored-settings.ts';
import type { OpenSettings, UsableSettings } from '../../../core/settings/usable-settings.ts';
import { parseVersion, type VersionContent } from '../../../core/settings/variables/version-content.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { FoundVersion } from '../run.ts';

/** 404 `deployment_not_found` or `revision_not_found`; 500 `missing_deployment` or `configuration`; 503 `dependency_unavailable`. */
export async function findVersion(
  request: ExecutionRequest,
  settings: OpenSettings,
  admission: Admission,
  { versions }: Pick<ExecutionPorts, 'versions'>,
): Promise<FoundVersion> {
  const { organization, revision, previewKeys } = request;
  const rollout = revision === undefined ? armOf(settings, request, admission) : undefined;
  const id =
    revision === undefined ? versionOf(settings, rollout) : previewedVersion(revision, previewKeys, settings);
  const stored = await read(versions, organization, settings.neuronId, id);
  if (stored === undefined) {
    const code = revision === undefined ? 'missing_deployment' : 'revision_not_found';
    throw new ServiceError(code, { reason: `${id} is gone` });
  }
  const content = contentOf(stored);
  if (content === undefined)
    throw new ServiceError('configuration', { reason: `the flow of ${stored.id} does not parse` });
  const { flow } = content;
  const found = { id: stored.id, ...content, ...(rollout && { rollout }) };
  if (!passesModelOn(flow)) return found;
  const model = chosenModel(request, settings);
  return { ...found, flow: fillModel(flow, model), model };
}

/** The caller's name on an organization's URL, elsewhere the first of the neuron. 404 for one that no provider can be sent. */
function chosenModel({ organization, neuron, chosen }: ExecutionRequest, settings: OpenSettings): string {
  const name = chosen?.name ?? neuron;
  const isSlug = slugInName(name, organization) === neuron;
  const model = nameToSend(settings.neuron.models, { name, isSlug });
  if (model === undefined) {
    const reason = 'the flow passes {{model}} on, and the neuron has no name in `models` without a *';
    throw new ServiceError('configuration', { reason });
  }
  if (modelName.safeParse(model).success) return model;
  throw new ServiceError('model_not_found', { reason: 'the name is not one that a provider can be sent' });
}

/** Undefined where no rollout is going on: every caller gets the deployed version. */
function armOf(
  { rollout }: UsableSettings,
  { sourceIp, executionId }: ExecutionRequest,
  { username, keyId }: Admission,
): ChosenArm | undefined {
  return rollout && chooseArm(rollout, { username, keyId, sourceIp, executionId });
}

function versionOf({ deployment, rollout }: UsableSettings, chosen: ChosenArm | undefined): string {
  if (deployment === undefined) throw new ServiceError('deployment_not_found');
  return chosen?.arm === 'candidate' && rollout !== undefined ? rollout.candidate : deployment.version;
}

// By the stored version, which stays in memory: a flow is parsed once, and its patterns compiled once.
const contents = new WeakMap<StoredVersion, VersionContent>();

function contentOf(stored: StoredVersion): VersionContent | undefined {
  const known = contents.get(stored);
  if (known !== undefined) return known;
  const content = parseVersion(stored);
  if (content !== undefined) contents.set(stored, content);
  return content;
}

async function read(versions: VersionStore, organization: string, neuronId: string, id: string) {
  try {
    return await versions.read(organization, neuronId, id);
  } catch (cause) {
    throw new ServiceError('dependency_unavailable', { reason: 'the version could not be read', cause });
  }
}
