// Shows the guards of a neuron what a request would have its models read. Loaded by the first request of a neuron with guards.
import { lazy } from '../../../core/async/lazy.ts';
import { inputOf } from '../../../core/conversation/conversation.ts';
import { createRequestGuards } from '../../../core/guards/request-guards.ts';
import { restoreStoredAnswer } from '../../../core/guards/stored-answer.ts';
import type { AdmittedCall, Call, ExecutionPorts, Outcome, Run } from '../run.ts';
import { endBlocked, rejectUnseen, requireSeen } from './blocked.ts';
import { guardsOf, keysOf } from './load-guards.ts';

type GuardPorts = Pick<ExecutionPorts, 'secrets' | 'validateJson'>;
type ServicePorts = Pick<ExecutionPorts, 'clock' | 'lines' | 'circuits' | 'openGuard'>;

const loadServices = lazy(() => import('./remote.ts'));

/** Sets the record's guards, and its invocation to the inspected one. Throws as `guardRequest` does. */
export async function inspectRequest(run: Run, call: Call, ports: GuardPorts & ServicePorts): Promise<Call> {
  const { settings, invocation } = call;
  const active = await guardsOf(settings);
  requireSeen(call, active);
  const local = createRequestGuards(active, await keysOf(settings, active, ports), ports.validateJson);
  const guards = active.some(({ service }) => service !== undefined)
    ? (await loadServices()).openServices(run, call, { local, active }, ports)
    : local;
  const { blocked, unseen, ...inspected } = guards.inspectInput(invocation);
  const shown = { ...invocation, ...inspected, input: inputOf(inspected.conversation) };
  run.guards = guards;
  run.invocation = shown;
  if (unseen !== undefined) throw rejectUnseen(call, unseen);
  return endBlocked({ ...call, invocation: shown, guards }, blocked);
}

/** The call as its guards by services leave it, on the record too; asked once. */
export async function askServices(run: Run, call: AdmittedCall): Promise<AdmittedCall> {
  const { guards, invocation, blockedText } = call;
  if (guards?.services === undefined || blockedText !== undefined || run.isAsked) return call;
  run.isAsked = true;
  const { blocked, ...inspected } = await guards.services.inspectInput(invocation);
  run.isJudged = true;
  const shown = { ...invocation, ...inspected, input: inputOf(inspected.conversation) };
  run.invocation = shown;
  return { ...call, ...endBlocked({ ...call, invocation: shown }, blocked) };
}

/** A stored answer with the values that the same request masks again. */
export async function restoreStored<Replay extends Extract<Outcome, { kind: 'replay' }>>(
  replay: Replay,
  { settings }: Pick<Call, 'settings'>,
  invocation: Call['invocation'],
  ports: GuardPorts,
): Promise<Replay> {
  const active = await guardsOf(settings);
  if (!active.some(({ action }) => action === 'mask')) return replay;
  const guards = createRequestGuards(active, await keysOf(settings, active, ports), ports.validateJson);
  const inspected = guards.inspectInput(invocation);
  const { masks = [] } = replay;
  if (masks.length > 0)
    (await loadServices()).maskAgain({ ...invocation, ...inspected }, masks, guards.placeholders);
  return { ...replay, answer: () => restoreStoredAnswer(replay.answer(), guards.placeholders) };
}
