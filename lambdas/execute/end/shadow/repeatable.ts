// Chooses the runs that a shadow repeats.
import { isShadowed } from '../../../../core/rollouts/shadowed-run.ts';
import type { ExecutionPorts, Outcome, Run } from '../../run.ts';

/**
 * Runs alone, whole ones, and of the deployed version: no hit of the cache, replay or preview, and no stream that its reader left. A buffered
 * answer waits for the work after it.
 */
export function isRepeatable(
  { settings, request, result, version, invocation, lookup }: Readonly<Run>,
  outcome: Outcome,
  { transferMode }: Pick<ExecutionPorts, 'transferMode'>,
): boolean {
  const { shadow } = settings ?? {};
  return (
    shadow !== undefined &&
    transferMode === 'STREAM' &&
    outcome.kind === 'run' &&
    outcome.hasReaderLeft !== true &&
    result?.kind === 'done' &&
    result.modelCalls.length > 0 &&
    lookup?.found === undefined &&
    request.revision === undefined &&
    invocation !== undefined &&
    version !== undefined &&
    version.rollout?.arm !== 'candidate' &&
    version.id !== shadow.version &&
    isShadowed(shadow, request)
  );
}
