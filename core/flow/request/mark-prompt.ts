// Marks the prompt of a model call for its provider's cache.

import type { CacheHint, Message, SystemBlock } from '../../conversation/conversation.ts';
import { longestCacheHint } from '../../conversation/size.ts';
import type { CachedPart, ModelRequest } from '../../ports/providers.ts';
import type { CallModel } from '../../settings/flow-schema.ts';
import type { FlowPorts } from '../step.ts';

type SentRequest = Omit<ModelRequest, 'signal'>;

export interface Target {
  readonly provider: string;
  readonly model: string;
}

/** Parts that the provider caches only where they are marked, with marks where the step says `auto`. */
export function markPrompt(
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
