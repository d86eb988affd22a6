// Composes the request of a model call: the flow's texts, and the parts of the caller's conversation that the step accepts.
import {
  type AssistantBlock,
  assistantMessage,
  type ContentPart,
  type Conversation,
  lastUserIndex,
  type Message,
  type SystemBlock,
  userMessage,
} from '../../conversation/conversation.ts';
import { nameTools, withWireNames } from '../../conversation/wire-names.ts';
import type { ModelRequest } from '../../ports/providers.ts';
import type { Acceptable, CallModel } from '../../settings/flow-schema.ts';
import { sum } from '../../text/numbers.ts';
import type { StepContext } from '../step.ts';
import { rejectBeyondLimit, renderTemplate } from '../template.ts';
import { composeParameters } from './compose-parameters.ts';

/** The request for one of the step's models; the others get the same with their names. */
export function composeRequest(
  settings: CallModel,
  context: StepContext,
  model: string,
): Omit<ModelRequest, 'signal'> {
  const { outputSchema } = settings;
  const conversation = withWireNames(context.conversation, nameTools(context.conversation.tools));
  const { passed } = passedBy(settings, conversation);
  const accepts: Accepts = (what) => passed !== undefined || settings.accepts.includes(what);
  const parameters = accepts('parameters') ? conversation.parameters : {};
  const tools = accepts('tools') ? conversation.tools.map((tool) => hintless(tool, accepts)) : [];
  const schema =
    outputSchema === undefined
      ? accepts('schema') && conversation.schema
      : { name: 'output', schema: outputSchema, strict: true };
  const json = !schema && conversation.json === true && (accepts('schema') || accepts('parameters'));
  return {
    model,
    system: composeSystem(
      context,
      accepts('system') ? conversation.system.map((block) => hintless(block, accepts)) : [],
    ),
    messages: [...examplesOf(settings), ...composeMessages(settings, { ...context, conversation }, accepts)],
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || conversation.toolChoice === undefined
      ? {}
      : { toolChoice: conversation.toolChoice }),
    ...(schema ? { schema } : {}),
    ...(json ? { json } : {}),
    ...composeParameters(settings, parameters),
    ...(settings.guardrail === undefined ? {} : { guardrail: settings.guardrail }),
    ...(accepts('thinking') && conversation.thinking !== undefined
      ? { thinking: conversation.thinking }
      : {}),
    // A step that takes tools takes the wish for one call at a time with them.
    ...(tools.length > 0 && conversation.parameters.parallelToolCalls === false
      ? { parallelToolCalls: false }
      : {}),
    ...(accepts('parameters') && conversation.promptCacheKey !== undefined
      ? { promptCacheKey: conversation.promptCacheKey }
      : {}),
    ...(passed === undefined ? {} : { passed: { ...passed, ownSystem: context.state.system } }),
  };
}

/** The caller's request, where the step passes it on. */
export function passedBy(
  { accepts }: Pick<CallModel, 'accepts'>,
  { passed }: Pick<Conversation, 'passed'>,
): Pick<Conversation, 'passed'> {
  return passed !== undefined && accepts.includes('passThrough') ? { passed } : {};
}

/** The flow's own text, then the caller's. */
function composeSystem({ state }: StepContext, callers: readonly SystemBlock[]): readonly SystemBlock[] {
  const blocks = [...(state.system === undefined ? [] : [{ text: state.system }]), ...callers];
  rejectBeyondLimit(sum(blocks.map(({ text }) => text.length)));
  return blocks;
}

/** Turns that show how to answer: as written, since a caller's words must not become the assistant's. */
function examplesOf({ examples = [] }: CallModel): readonly Message[] {
  return examples.flatMap(({ user, assistant }) => [userMessage(user), assistantMessage(assistant)]);
}

/**
 * Earlier turns, the last turn of the user with `prompt` in its place, and what follows it: tool turns, and the beginning of an answer. A
 * conversation without a turn of the user has none here either, unless there is a prompt.
 */
function composeMessages(
  { prompt, history }: CallModel,
  { conversation: { messages }, values }: StepContext,
  accepts: Accepts,
): readonly Message[] {
  const last = lastUserIndex(messages);
  const takesEarlier = history && accepts('history');
  const accepted = (turns: readonly Message[]) => turns.flatMap((message) => toAccepted(message, accepts));
  if (last === -1) {
    return [
      ...(takesEarlier ? accepted(messages) : []),
      ...(prompt === undefined ? [] : [userMessage(renderTemplate(prompt, values))]),
    ];
  }
  const later = messages
    .slice(last + 1)
    .filter(({ role }) => accepts(role === 'tool' ? 'tools' : 'history') || accepts('tools'));
  return [
    ...(takesEarlier ? withoutLostQuestion(messages, accepted(messages.slice(0, last))) : []),
    composeTurn(prompt, { current: messages[last], values }, accepts),
    ...accepted(later),
  ];
}

function composeTurn(
  prompt: string | undefined,
  { current, values }: { readonly current: Message | undefined; readonly values: StepContext['values'] },
  accepts: Accepts,
): Message {
  const parts = current?.role === 'user' ? partsOf(current.content, accepts) : [];
  const content: readonly ContentPart[] =
    prompt === undefined
      ? parts
      : [
          { type: 'text', text: renderTemplate(prompt, values) },
          ...parts.filter(({ type }) => type !== 'text'),
        ];
  // A turn without accepted parts is the empty text, like an absent input.
  return { role: 'user', content: content.length === 0 ? [{ type: 'text', text: '' }] : content };
}

type Accepts = (what: Acceptable) => boolean;

const NEEDED: Readonly<Record<ContentPart['type'], Acceptable | undefined>> = {
  text: undefined,
  image: 'images',
  imageAddress: 'images',
  document: 'documents',
};

function partsOf(content: readonly ContentPart[], accepts: Accepts): readonly ContentPart[] {
  return content.flatMap((part) => {
    const needed = NEEDED[part.type];
    return needed === undefined || accepts(needed) ? [hintless(part, accepts)] : [];
  });
}

/** A turn with its accepted parts; an empty list without any. */
function toAccepted(message: Message, accepts: Accepts): readonly Message[] {
  switch (message.role) {
    case 'system':
      return accepts('system') ? [hintless(message, accepts)] : [];
    case 'user': {
      const content = partsOf(message.content, accepts);
      return content.length === 0 ? [] : [{ role: 'user', content }];
    }
    case 'tool':
      if (!accepts('tools')) return [];
      return [hintless({ ...message, content: partsOf(message.content, accepts) }, accepts)];
    case 'assistant': {
      const blocks = message.blocks.filter((block) => acceptsBlock(block, accepts));
      return blocks.length === 0
        ? []
        : [{ role: 'assistant', blocks: blocks.map((one) => hintless(one, accepts)) }];
    }
  }
}

function acceptsBlock({ type }: AssistantBlock, accepts: Accepts): boolean {
  if (type === 'reasoning') return accepts('thinking');
  return type === 'text' || accepts('tools');
}

/** The same without its wish for the provider's cache, where the step does not take such wishes. */
function hintless<Part extends object>(part: Part, accepts: Accepts): Part {
  if (!('cache' in part) || accepts('cacheControl')) return part;
  const { cache: _cache, ...rest } = part;
  return rest as Part;
}

/** An answer to an image that was left out is left out with it, where nothing stands before it. */
function withoutLostQuestion(all: readonly Message[], kept: readonly Message[]): readonly Message[] {
  if (all[0]?.role !== 'user') return kept;
  const first = kept.findIndex(({ role }) => role === 'user');
  return first === -1 ? [] : kept.slice(first);
}
