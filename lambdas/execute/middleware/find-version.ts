// Finds the version to run: the deployed one, or the one that the path names.
import { parseFlow } from '../../../core/config/parse-flow.ts';
import { Refusal } from '../../../core/contract/refusal.ts';
import type { VersionStore } from '../../../core/ports/stores.ts';
import { type FoundVersion, type Run, required } from '../run.ts';
import { runOf, type Step } from './record.ts';

/** 404 `deployment_not_found` or `revision_not_found`; 500 `missing_deployment` or `configuration`. */
export function findVersion(versions: VersionStore): Step {
  return {
    async before(request) {
      const run = runOf(request.event);
      run.version = await find(run, versions);
    },
  };
}

async function find(run: Run, versions: VersionStore): Promise<FoundVersion> {
  // No version has a preview key yet, so whatever key comes with a revision is a wrong one.
  if (run.request.revision !== undefined) throw new Refusal('revision_not_found');
  const { deployment, neuronId } = required(run.settings, 'settings');
  if (deployment === undefined) throw new Refusal('deployment_not_found');
  const stored = await read(versions, run.request.organization, neuronId, deployment.version);
  if (stored === undefined)
    throw new Refusal('missing_deployment', { reason: `${deployment.version} is gone` });
  const flow = parseFlow(stored.flow);
  if (flow === undefined)
    throw new Refusal('configuration', { reason: `the flow of ${stored.id} does not parse` });
  return { id: stored.id, flow };
}

async function read(versions: VersionStore, organization: string, neuronId: string, id: string) {
  try {
    return await versions.read(organization, neuronId, id);
  } catch (cause) {
    throw new Refusal('dependency_unavailable', { reason: 'the version could not be read', cause });
  }
}
