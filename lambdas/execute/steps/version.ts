// Finds the version to run, the deployed one or the one that the path names, and parses its flow.
import type { Admission, ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { previewedVersion } from '../../../core/access/preview-key.ts';
import { lazy } from '../../../core/async/lazy.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { type ChosenArm, chooseArm } from '../../../core/rollouts/choose-arm.ts';
import { fillModel, passesModelOn } from '../../../core/settings/names/fill-model.ts';
import type { StoredVersion, VersionStore } from '../../../core/settings/stored-settings.ts';
import type { OpenSettings, UsableSettings } from '../../../core/settings/usable-settings.ts';
import { parseVersion, type VersionContent } from '../../../core/settings/variables/version-content.ts';
import type { ExecutionPorts, FoundVersion, Run } from '../run.ts';

const loadChosenModel = lazy(() => import('./chosen-model.ts'));

/** `note` is told the side of a rollout before anything can fail. 404 `deployment_not_found` or `revision_not_found`; 500 `missing_deployment` or `configuration`; 503 `dependency_unavailable`. */
export async function findVersion(
  request: ExecutionRequest,
  settings: OpenSettings,
  admission: Admission,
  { versions }: Pick<ExecutionPorts, 'versions'>,
  note?: (side: Run['side']) => void,
): Promise<FoundVersion> {
  const { organization, revision, previewKeys } = request;
  const rollout = revision === undefined ? armOf(settings, request, admission) : undefined;
  const id =
    revision === undefined ? versionOf(settings, rollout) : previewedVersion(revision, previewKeys, settings);
  if (rollout !== undefined) note?.({ version: id, rollout });
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
  const { chosenModel } = await loadChosenModel();
  const model = chosenModel(request, settings);
  return { ...found, flow: fillModel(flow, model), model };
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
