// Finds out what is to be run: reads the invocation, and finds the version, the deployed one or the one that the path names.
import { opensVersion } from '../../../core/access/preview-key.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { isVersionId } from '../../../core/contract/slugs.ts';
import { requireAccepted } from '../../../core/flow/accepted.ts';
import type { Flow } from '../../../core/settings/flow-schema.ts';
import { parseFlow } from '../../../core/settings/parse-flow.ts';
import type { StoredVersion, VersionStore } from '../../../core/settings/stored-settings.ts';
import type { UsableSettings } from '../../../core/settings/usable-settings.ts';
import { SURFACES } from '../../../core/surfaces/registry.ts';
import type { ClaimedRun, InvokedRun, VersionedRun } from '../run.ts';

/** Parses body and query parameters: 400 and 422. */
export function readInvocation(run: ClaimedRun): InvokedRun {
  const { maxInputBytes } = run.settings.neuron;
  const { surface, unparsed, organization, neuron } = run.request;
  const invocation = SURFACES[surface].parse(unparsed, { organization, neuron, maxInputBytes });
  return { ...run, invocation };
}

/** 404 `deployment_not_found` or `revision_not_found`; 500 `missing_deployment` or `configuration`. */
export async function findVersion(
  run: InvokedRun,
  { versions }: { readonly versions: VersionStore },
): Promise<VersionedRun> {
  const { request, settings } = run;
  const { organization, revision } = request;
  const id =
    revision === undefined
      ? deployedVersion(settings)
      : previewedVersion(revision, request.previewKeys, settings);
  const stored = await read(versions, organization, settings.neuronId, id);
  if (stored === undefined) {
    const code = revision === undefined ? 'missing_deployment' : 'revision_not_found';
    throw new ServiceError(code, { reason: `${id} is gone` });
  }
  const flow = flowOf(stored);
  if (flow === undefined)
    throw new ServiceError('configuration', { reason: `the flow of ${stored.id} does not parse` });
  return { ...run, version: { id: stored.id, flow } };
}

/** 422 for what no step of the flow accepts: before anything is read, reserved or spent for it. */
export function checkAccepted(run: VersionedRun): VersionedRun {
  requireAccepted(run.version.flow, run.invocation.conversation);
  return run;
}

function deployedVersion({ deployment }: UsableSettings): string {
  if (deployment === undefined) throw new ServiceError('deployment_not_found');
  return deployment.version;
}

/** One answer for a version that is not there and for a key that does not open it: nobody learns which versions exist. */
export function previewedVersion(
  revision: string,
  keys: readonly string[],
  { previewKeys }: UsableSettings,
): string {
  if (isVersionId(revision) && opensVersion(previewKeys, revision, keys)) return revision;
  throw new ServiceError('revision_not_found');
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
