// Shows the guards of a neuron what a request would have its models read. Loaded by the first request of a neuron with guards.
import { lazy } from '../../../core/async/lazy.ts';
import { ServiceError } from '../../../core/contract/service-error.ts';
import { inputOf } from '../../../core/conversation/conversation.ts';
import {
  type ActiveGuard,
  activeGuards,
  asksForPhones,
  NO_TOOLS,
} from '../../../core/guards/active-guards.ts';
import type { Place } from '../../../core/guards/find-counts.ts';
import { type Block, createRequestGuards } from '../../../core/guards/request-guards.ts';
import { restoreStoredAnswer } from '../../../core/guards/stored-answer.ts';
import { LOG_KEY_NAME } from '../../../core/ports/log-key.ts';
import type { OpenSettings } from '../../../core/settings/usable-settings.ts';
import type { ExecutionPorts } from '../compose.ts';
import type { AdmittedCall, Call, Outcome, Run } from '../run.ts';

type GuardPorts = Pick<ExecutionPorts, 'secrets' | 'validateJson'>;
type ServicePorts = Pick<ExecutionPorts, 'clock' | 'lines' | 'circuits' | 'openGuard'>;

const loadServices = lazy(() => import('./remote.ts'));
const loadPhones = lazy(() => import('../../../adapters/phone/is-phone-number.ts'));

/** Sets the record's guards, and its invocation to the inspected one. Throws as `guardRequest` does. */
export async function inspectRequest(run: Run, call: Call, ports: GuardPorts & ServicePorts): Promise<Call> {
  const { settings, invocation, request } = call;
  const active = await guardsOf(settings);
  requireSeen(call, active);
  const local = createRequestGuards(active, await keyOf(settings, active, ports), ports.validateJson);
  const guards = active.some(({ service }) => service !== undefined)
    ? (await loadServices()).openServices(run, call, { local, active }, ports)
    : local;
  const { blocked, unseen, ...inspected } = guards.inspectInput(invocation);
  const shown = { ...invocation, ...inspected, input: inputOf(inspected.conversation) };
  run.guards = guards;
  run.invocation = shown;
  if (unseen !== undefined)
    throw new ServiceError('guard_unseen_content', withParam(paramOf(request.surface, unseen, invocation)));
  return endBlocked({ ...call, invocation: shown, guards }, blocked);
}

/** The call of a request that is blocked has the answer in place of a run, or ends here. */
function endBlocked(call: Call, blocked: Block | undefined): Call {
  if (blocked === undefined) return call;
  const { request, invocation } = call;
  // Vectors have no form for a text.
  if (blocked.text === undefined || invocation.embedding !== undefined)
    throw new ServiceError('guard_blocked', withParam(paramOf(request.surface, blocked.place, invocation)));
  return { ...call, blockedText: blocked.text };
}

/** The call as its guards by services leave it, on the record too; asked once. */
export async function askServices(run: Run, call: AdmittedCall): Promise<AdmittedCall> {
  const { guards, invocation, blockedText } = call;
  if (guards?.services === undefined || blockedText !== undefined || run.isAsked) return call;
  run.isAsked = true;
  const { blocked, ...inspected } = await guards.services.inspectInput(invocation);
  const shown = { ...invocation, ...inspected, input: inputOf(inspected.conversation) };
  run.invocation = shown;
  return { ...call, ...endBlocked({ ...call, invocation: shown }, blocked) };
}

/** The turn as OpenAI's clients sent it, so that an agent can take it out. System texts before the first turn are messages there. */
function paramOf(
  surface: string,
  { message }: Place,
  { conversation }: Pick<Call['invocation'], 'conversation'>,
): string | undefined {
  const { system } = conversation;
  if (message === undefined) return undefined;
  if (surface === 'embeddings') return `input[${message}]`;
  return surface === 'openai' ? `messages[${system.length + message}]` : 'messages';
}

function withParam(param: string | undefined) {
  return param === undefined ? {} : { param };
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
  const guards = createRequestGuards(active, await keyOf(settings, active, ports), ports.validateJson);
  guards.inspectInput(invocation);
  return { ...replay, answer: () => restoreStoredAnswer(replay.answer(), guards.placeholders) };
}

// By the settings, which stay in memory: patterns are compiled once.
const known = new WeakMap<OpenSettings, readonly ActiveGuard[]>();

async function guardsOf(settings: OpenSettings): Promise<readonly ActiveGuard[]> {
  const before = known.get(settings);
  if (before !== undefined) return before;
  try {
    const tools = asksForPhones(settings.organization.guards) ? await loadPhones() : NO_TOOLS;
    const active = activeGuards(settings, tools);
    known.set(settings, active);
    return active;
  } catch (cause) {
    const reason = `a guard cannot be run: ${cause instanceof Error ? cause.message : 'unknown'}`;
    throw new ServiceError('configuration', { reason, cause });
  }
}

/** A request that is passed on as it is cannot be changed, and its answer neither. */
function requireSeen({ invocation }: Call, active: readonly ActiveGuard[]): void {
  const isPassed = invocation.conversation.passed !== undefined;
  if (!isPassed || active.every(({ action }) => action === 'flag')) return;
  const reason =
    'a neuron that passes requests on (accepts: [passThrough]) can have no guard but with action: flag';
  throw new ServiceError('configuration', { reason });
}

/** The key of placeholders: secret, and another one for each neuron. Read only where something may be masked. */
async function keyOf(
  { organizationId, neuronId }: OpenSettings,
  active: readonly ActiveGuard[],
  { secrets }: GuardPorts,
): Promise<string> {
  if (!active.some(({ action }) => action === 'mask')) return '';
  const key = await secrets.read(organizationId, 'providers', LOG_KEY_NAME).catch(() => undefined);
  if (key !== undefined) return `masks ${neuronId} ${key}`;
  const reason = `the key of masks, ${LOG_KEY_NAME}, could not be read`;
  throw new ServiceError('dependency_unavailable', { reason });
}
