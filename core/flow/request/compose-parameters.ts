// Composes the parameters of a model call from those of the step and the caller, and tells whose each of them is.
import { REASONING_EFFORTS, type ReasoningEffort } from '../../contract/reasoning-efforts.ts';
import type { CacheHint, CallerParameters, Message, SystemBlock } from '../../conversation/conversation.ts';
import { longestCacheHint } from '../../conversation/size.ts';
import type { CachedPart, ModelRequest, RequestMember } from '../../ports/providers.ts';
import type { CallModel } from '../../settings/flow-schema.ts';
import type { FlowPorts } from '../step.ts';
import { maxOutputOf } from './output-limits.ts';

/**
 * The members of a request that only the caller has set: a model that rejects one rejects the caller's input. A member that the step
 * sets too is the operator's: the model would reject it for every caller.
 */
export function membersOfCaller(
  settings: CallModel,
  request: Omit<ModelRequest, 'signal'>,
): ReadonlySet<RequestMember> {
  const isOfCaller: { readonly [Member in Exclude<RequestMember, 'dimensions'>]: boolean } = {
    model: false,
    reasoningEffort: request.reasoningEffort !== settings.reasoningEffort,
    thinking: true,
    tools: true,
    toolChoice: true,
    schema: settings.outputSchema === undefined,
    maxTokens: request.maxTokens !== settings.maxTokens,
    temperature: settings.temperature === undefined,
    topP: settings.topP === undefined,
    stopSequences: settings.stopSequences === undefined,
    seed: settings.seed === undefined,
    json: true,
    parallelToolCalls: true,
    frequencyPenalty: true,
    presencePenalty: true,
    logitBias: true,
    verbosity: true,
    promptCacheKey: true,
  };
  const members = Object.keys(isOfCaller) as (keyof typeof isOfCaller)[];
  const isSent = (member: keyof typeof isOfCaller): boolean =>
    request[member] !== undefined || (member === 'thinking' && request.passed !== undefined);
  // A model may also reject their absence.
  return new Set(members.filter((member) => isOfCaller[member] && (member === 'tools' || isSent(member))));
}

type Composed = Pick<
  ModelRequest,
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'stopSequences'
  | 'seed'
  | 'reasoningEffort'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'logitBias'
  | 'verbosity'
>;

/** The step's own values bound the caller's. `maxTokens` is always sent: without it some providers reserve the model's maximum. */
export function composeParameters(settings: CallModel, caller: CallerParameters): Composed {
  const { frequencyPenalty, presencePenalty, logitBias, verbosity } = caller;
  const temperature = lower(settings.temperature, caller.temperature);
  const topP = lower(settings.topP, caller.topP);
  const stops = [...new Set([...(settings.stopSequences ?? []), ...(caller.stop ?? [])])];
  const seed = settings.seed ?? caller.seed;
  const reasoningEffort = lowerEffort(settings.reasoningEffort, caller.reasoningEffort);
  return {
    maxTokens: composeMaxTokens(settings, caller),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stops.length === 0 ? {} : { stopSequences: stops }),
    ...(seed === undefined ? {} : { seed }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(logitBias === undefined ? {} : { logitBias }),
    ...(verbosity === undefined ? {} : { verbosity }),
  };
}

/** The step's limit bounds the caller's. Its default bounds nobody, and stands for callers who say nothing. */
function composeMaxTokens({ limitsTokens, maxTokens }: CallModel, caller: CallerParameters): number {
  if (caller.maxTokens === undefined) return maxTokens;
  return limitsTokens ? Math.min(maxTokens, caller.maxTokens) : caller.maxTokens;
}

/** The request of a step for one of its targets. Without a limit of the step, the model's own bounds what the caller asks for. */
export function forTarget(
  request: Omit<ModelRequest, 'signal'>,
  settings: CallModel,
  target: Target,
  ports: Pick<FlowPorts, 'findProvider'>,
): Omit<ModelRequest, 'signal'> {
  const { maxTokens } = request;
  const { model } = target;
  const bounded = settings.limitsTokens ? maxTokens : Math.min(maxTokens, maxOutputOf(model));
  return markPrompt({ ...request, model, maxTokens: bounded }, settings, target, ports);
}

function lower(own: number | undefined, caller: number | undefined): number | undefined {
  if (own === undefined || caller === undefined) return own ?? caller;
  return Math.min(own, caller);
}

function lowerEffort(
  own: ReasoningEffort | undefined,
  caller: ReasoningEffort | undefined,
): ReasoningEffort | undefined {
  if (own === undefined || caller === undefined) return own ?? caller;
  return REASONING_EFFORTS.indexOf(caller) < REASONING_EFFORTS.indexOf(own) ? caller : own;
}

type SentRequest = Omit<ModelRequest, 'signal'>;

interface Target {
  readonly provider: string;
  readonly model: string;
}

/** Parts that the provider caches only where they are marked, with marks where the step says `auto`. */
function markPrompt(
  request: SentRequest,
  { promptCache }: CallModel,
  { provider, model }: Target,
  { findProvider }: Pick<FlowPorts, 'findProvider'>,
): SentRequest {
  // A caller's own marks say more.
  if (promptCache !== 'auto' || longestCacheHint(request) !== undefined) return request;
  return mark(request, findProvider(provider)?.provider.cacheMarksOf?.(model) ?? []);
}

/** The shortest time: each call that comes within it makes it longer. */
const HINT: CacheHint = { ttl: '5m' };

function mark(request: SentRequest, parts: readonly CachedPart[]): SentRequest {
  const { tools, system, messages } = request;
  return {
    ...request,
    ...(tools !== undefined && parts.includes('tools') ? { tools: markLast(tools, () => true) } : {}),
    ...(parts.includes('system')
      ? { system: markLast<SystemBlock>(system, ({ text }) => !isBlank(text)) }
      : {}),
    ...(parts.includes('messages') ? { messages: markLastTurn(messages) } : {}),
  };
}

/** The last one of a kind, with a mark. Blank texts are left out of what is sent, and their marks would be with them. */
function markLast<Part extends object>(
  list: readonly Part[],
  isKind: (part: Part) => boolean,
): readonly Part[] {
  const last = list.findLastIndex(isKind);
  return list.map((part, index) => (index === last ? { ...part, cache: HINT } : part));
}

/** The last turn that is not the beginning of an answer. */
function markLastTurn(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  return messages.map((message, index) => {
    if (index !== last) return message;
    if (message.role === 'tool') return { ...message, cache: HINT };
    if (message.role !== 'user') return message;
    const isShown = (part: (typeof message.content)[number]) => part.type !== 'text' || !isBlank(part.text);
    return { ...message, content: markLast(message.content, isShown) };
  });
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
