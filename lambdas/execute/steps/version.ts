// Finds the version to run, the deployed one or the one that the path names, and parses its flow.
import type { ExecutionRequest } from '../../../adapters/apigateway/proxy-event.ts';
import { previewedVersion } from '../../../core/access/preview-key.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { Flow } from '../../../core/settings/flow-schema.ts';
import { parseFlow } from '../../../core/settings/parse-flow.ts';
import type { StoredVersion, VersionStore } from '../../../core/settings/stored-settings.ts';
import type { OpenSettings, UsableSettings } from '../../../core/settings/usable-settings.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { FoundVersion } from '../run.ts';

/** 404 `deployment_not_found` or `revision_not_found`; 500 `missing_deployment` or `configuration`; 503 `dependency_unavailable`. */
export async function findVersion(
  { organization, revision, previewKeys }: ExecutionRequest,
  settings: OpenSettings,
  { versions }: Pick<ExecutionPorts, 'versions'>,
): Promise<FoundVersion> {
  const id =
    revision === undefined ? deployedVersion(settings) : previewedVersion(revision, previewKeys, settings);
  const stored = await read(versions, organization, settings.neuronId, id);
  if (stored === undefined) {
    const code = revision === undefined ? 'missing_deployment' : 'revision_not_found';
    throw new ServiceError(code, { reason: `${id} is gone` });
  }
  const flow = flowOf(stored);
  if (flow === undefined)
    throw new ServiceError('configuration', { reason: `the flow of ${stored.id} does not parse` });
  return { id: stored.id, flow };
}

function deployedVersion({ deployment }: UsableSettings): string {
  if (deployment === undefined) throw new ServiceError('deployment_not_found');
  return deployment.version;
}

// By the stored version, which stays in memory: a flow is parsed once, and its patterns compiled once.
const flows = new WeakMap<StoredVersion, Flow>();

function flowOf(stored: StoredVersion): Flow | undefined {
  const known = flows.get(stored);
  if (known !== undefined) return known;
  const flow = parseFlow(stored.flow);
  if (flow !== undefined) flows.set(stored, flow);
  return flow;
}

async function read(versions: VersionStore, organization: string, neuronId: string, id: string) {
  try {
    return await versions.read(organization, neuronId, id);
  } catch (cause) {
    throw new ServiceError('dependency_unavailable', { reason: 'the version could not be read', cause });
  }
}
