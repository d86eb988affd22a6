// Guards: loads nothing for a neuron without any.
import { lazy } from '../../../core/async/lazy.ts';
import { hasGuards } from '../../../core/settings/guards/has-guards.ts';
import type { AdmittedCall, Call, ExecutionPorts, Outcome, ReadyCall, Run } from '../run.ts';

const loadGuards = lazy(() => import('./inspect-request.ts'));

/**
 * The call with what its neuron's guards leave of it, on the record too. Throws 422 `guard_blocked` and `guard_unseen_content`; 500
 * `configuration`; 503 `dependency_unavailable`.
 */
export async function guardRequest(
  run: Run,
  call: Call,
  ports: Pick<ExecutionPorts, 'secrets' | 'validateJson' | 'clock' | 'lines' | 'circuits' | 'openGuard'>,
): Promise<Call> {
  if (!hasGuards(call.settings)) return call;
  const { inspectRequest } = await loadGuards();
  return inspectRequest(run, call, ports);
}

/**
 * The call with its lookup, after guards by services: they are asked about each request but one whose exact answer is stored, which they
 * let through when it was made. So no model, that of the lookup's vector included, reads what they have not seen. Throws as above, and
 * 503 `guard_unavailable`.
 */
export async function lookUpGuarded(
  run: Run,
  call: AdmittedCall,
  exact: Promise<{ readonly kind: string }>,
  lookUp: (call: AdmittedCall) => Promise<ReadyCall['lookup']>,
): Promise<ReadyCall> {
  if (call.guards?.services === undefined) return { ...call, lookup: await lookUp(call) };
  const { askServices } = await loadGuards();
  const asked = (await exact).kind === 'found' ? call : await askServices(run, call);
  const lookup = await lookUp(asked);
  if (lookup.found !== undefined) return { ...asked, lookup };
  run.lookup = lookup;
  return { ...(await askServices(run, asked)), lookup };
}

/**
 * A stored answer as its caller gets it. The same request has the same placeholders again; `read` reads one that was rejected before its
 * body was.
 */
export async function restoreReplay<Replay extends Extract<Outcome, { kind: 'replay' }>>(
  { invocation }: Run,
  replay: Replay,
  { settings }: Pick<Call, 'settings'>,
  read: () => Promise<Call['invocation']>,
  ports: Pick<ExecutionPorts, 'secrets' | 'validateJson'>,
): Promise<Replay> {
  if (!hasGuards(settings)) return replay;
  const { restoreStored } = await loadGuards();
  return restoreStored(replay, { settings }, invocation ?? (await read()), ports);
}
