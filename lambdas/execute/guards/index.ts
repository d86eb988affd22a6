// Guards: loads nothing for a neuron without any.
import { lazy } from '../../../core/async/lazy.ts';
import { hasGuards } from '../../../core/settings/guards/has-guards.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { Call, Outcome, Run } from '../run.ts';
import { readInvocation } from '../steps/invocation.ts';
import { findVersion } from '../steps/version.ts';

const loadGuards = lazy(() => import('./inspect-request.ts'));

/**
 * The call with what its neuron's guards leave of it, on the record too. Throws 422 `guard_blocked` and `guard_unseen_content`; 500
 * `configuration`; 503 `dependency_unavailable`.
 */
export async function guardRequest(
  run: Run,
  call: Call,
  ports: Pick<ExecutionPorts, 'secrets'>,
): Promise<Call> {
  if (!hasGuards(call.settings)) return call;
  const { inspectRequest } = await loadGuards();
  return inspectRequest(run, call, ports);
}

/** True for a request whose texts its guards have yet to look at: until then they are in no log. */
export function isUninspected({ settings, guards }: Pick<Run, 'settings' | 'guards'>): boolean {
  return guards === undefined && settings !== undefined && hasGuards(settings);
}

/** A stored answer as its caller gets it. The same request has the same placeholders again. */
export async function restoreReplay<Replay extends Extract<Outcome, { kind: 'replay' }>>(
  { invocation }: Run,
  replay: Replay,
  known: Pick<Call, 'request' | 'settings'>,
  ports: Pick<ExecutionPorts, 'secrets' | 'versions'>,
): Promise<Replay> {
  const { request, settings } = known;
  if (!hasGuards(settings)) return replay;
  const { restoreStored } = await loadGuards();
  // A request that was rejected before its body was read has it read now.
  const read = () => readInvocation(request, settings, () => findVersion(request, settings, ports));
  return restoreStored(replay, known, invocation ?? (await read()), ports);
}
