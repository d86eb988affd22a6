// Requests that guards reject, each with the turn that is to be taken out.
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { ActiveGuard } from '../../../core/guards/active-guards.ts';
import type { Block } from '../../../core/guards/block.ts';
import type { Place } from '../../../core/guards/find-counts.ts';
import type { Stage } from '../../../core/settings/guards/guards-schema.ts';
import type { Call } from '../run.ts';

/** The call of a request that is blocked has the answer in place of a run, or ends here. */
export function endBlocked(call: Call, blocked: Block | undefined): Call {
  if (blocked === undefined) return call;
  const { request, invocation } = call;
  // Vectors have no form for a text.
  if (blocked.text === undefined || invocation.embedding !== undefined)
    throw new ServiceError('guard_blocked', withParam(paramOf(request.surface, blocked.place, invocation)));
  return { ...call, blockedText: blocked.text };
}

export function rejectUnseen({ request, invocation }: Call, unseen: Place): ServiceError {
  return new ServiceError('guard_unseen_content', withParam(paramOf(request.surface, unseen, invocation)));
}

/** Names of the members that have texts which are no turns, by the stage that looks at them. */
const MEMBERS: Readonly<Partial<Record<string, Readonly<Partial<Record<Stage, string>>>>>> = {
  openai: { system: 'messages', tools: 'tools' },
  responses: { system: 'instructions', tools: 'tools' },
};

/** The turn as OpenAI's clients sent it, so that an agent can take it out. System texts before the first turn are messages there. */
function paramOf(
  surface: string,
  { stage, message, variable }: Place,
  { conversation, sentVariables }: Pick<Call['invocation'], 'conversation' | 'sentVariables'>,
): string | undefined {
  const { system } = conversation;
  if (variable !== undefined) return `${sentVariables?.path ?? 'variables'}.${variable}`;
  const isOpenai = surface === 'openai';
  if (isOpenai && stage === 'system' && message === undefined && system.length === 1) return 'messages[0]';
  if (message === undefined) return MEMBERS[surface]?.[stage];
  if (surface === 'embeddings') return `input[${message}]`;
  if (surface === 'responses') return 'input';
  return isOpenai ? `messages[${system.length + message}]` : 'messages';
}

function withParam(param: string | undefined) {
  return param === undefined ? {} : { param };
}

/** A request that is passed on as it is cannot be changed, and its answer neither. */
export function requireSeen({ invocation }: Call, active: readonly ActiveGuard[]): void {
  const isPassed = invocation.conversation.passed !== undefined;
  if (!isPassed || active.every(({ action }) => action === 'flag')) return;
  const reason =
    'a neuron that passes requests on (accepts: [passThrough]) can have no guard but with action: flag';
  throw new ServiceError('configuration', { reason });
}
