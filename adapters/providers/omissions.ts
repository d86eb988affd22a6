// The parts of a request that a provider has no place for: hints are left out by name, and a part that would change the answer is rejected.
import { ServiceError } from '../../core/contract/service-error.ts';
import { isNamedWish, type SealedReasoning } from '../../core/conversation/conversation.ts';
import type { ModelRequest, Omission, RequestMember } from '../../core/ports/providers.ts';
import { isReplayable } from './alternating-turns.ts';
import { isBeforeClaude46, thinkingOfClaude } from './thoughts.ts';

export type SentRequest = Omit<ModelRequest, 'signal'>;

export function presentIn(request: SentRequest, members: readonly RequestMember[]): readonly Omission[] {
  // A call of a model of texts has no dimensions.
  return members.filter((member) => member !== 'dimensions' && request[member] !== undefined);
}

/** Where a request goes, and what its messages can hold there. */
interface MessageForm {
  readonly origin: SealedReasoning['origin'] | undefined;
  readonly details: boolean;
  readonly cacheHints: boolean;
}

/** Parts of messages, tools and system texts that are left out. */
export function omissionsOfMessages(request: SentRequest, form: MessageForm): readonly Omission[] {
  const found = new Set<Omission>();
  const noteHint = ({ cache }: { readonly cache?: unknown }): void => {
    if (cache !== undefined && !form.cacheHints) found.add('cacheHints');
  };
  for (const block of [...request.system, ...(request.tools ?? [])]) noteHint(block);
  for (const message of request.messages) {
    if (message.role === 'system' || message.role === 'tool') noteHint(message);
    if (message.role === 'system') continue;
    for (const part of message.role === 'assistant' ? message.blocks : message.content) {
      if (part.type !== 'reasoning') noteHint(part);
      else if (!isReplayable(part.reasoning, { origin: form.origin, model: request.model }))
        found.add('reasoning');
      if (!form.details && 'detail' in part) found.add('imageDetail');
    }
  }
  return [...found];
}

/** Members that the APIs of Anthropic and Amazon Bedrock have not. */
const UNKNOWN: readonly RequestMember[] = [
  'seed',
  'frequencyPenalty',
  'presencePenalty',
  'verbosity',
  'promptCacheKey',
];

/** The efforts that Claude knows begin with `low`. */
export function effortOfClaude({ reasoningEffort: effort }: SentRequest): SentRequest['reasoningEffort'] {
  return effort === 'none' || effort === 'minimal' ? undefined : effort;
}

/** The omissions of an API in the manner of Anthropic's. */
export function omissionsOfClaude(
  request: SentRequest,
  origin: SealedReasoning['origin'],
): readonly Omission[] {
  return [
    ...presentIn(request, UNKNOWN),
    ...(request.reasoningEffort === effortOfClaude(request) ? [] : (['reasoningEffort'] as const)),
    ...(isNamedWish(request.thinking) && thinkingOfClaude(request, origin) === undefined
      ? (['thinking'] as const)
      : []),
    ...omissionsOfMessages(request, { origin, details: false, cacheHints: true }),
  ];
}

/** The omissions of Chat Completions, whose models think as much as `reasoningEffort` says. */
export function omissionsOfOpenai(request: SentRequest): readonly Omission[] {
  const lacksEffort = isNamedWish(request.thinking) && request.reasoningEffort === undefined;
  return [
    ...(lacksEffort ? (['thinking'] as const) : []),
    ...omissionsOfMessages(request, { origin: undefined, details: true, cacheHints: false }),
  ];
}

/** Throws `not_accepted` for biases: without them the answer may hold what the caller forbids. */
export function rejectBiases({ logitBias }: SentRequest): void {
  if (logitBias === undefined) return;
  throw new ServiceError('not_accepted', {
    param: 'parameters.logitBias',
    detail: '"parameters.logitBias": the provider of this neuron has no biases. Leave it out.',
  });
}

/** Models that go on from the beginning of an answer (platform.claude.com/docs/en/build-with-claude/prefill-claudes-response). */
function takesBeginning(model: string): boolean {
  return isBeforeClaude46(model) || /(?:^|\.)amazon\.nova-/.test(model);
}

/** Throws `not_accepted` where the assistant is last and the model begins each answer itself. */
export function rejectBeginning({ messages, model }: SentRequest): void {
  if (messages.at(-1)?.role !== 'assistant' || takesBeginning(model)) return;
  throw new ServiceError('not_accepted', {
    param: 'messages',
    detail:
      '"messages" must not end with the assistant: the model of this neuron does not go on from a beginning.',
  });
}
