// Composes the request of a model call: the flow's texts, and the parts of the caller's conversation that the step accepts.
import {
  type AssistantBlock,
  type ContentPart,
  type Conversation,
  lastUserIndex,
  type Message,
  type SystemBlock,
} from '../conversation/conversation.ts';
import { nameTools, withWireNames } from '../conversation/wire-names.ts';
import type { ModelRequest, RequestMember } from '../ports/providers.ts';
import type { Acceptable, CallModel } from '../settings/flow-schema.ts';
import { sum } from '../text/numbers.ts';
import type { StepContext } from './step.ts';
import { rejectBeyondLimit, renderTemplate } from './template.ts';

/** The request for one of the step's models; the others get the same with their names. */
export function composeRequest(
  settings: CallModel,
  context: StepContext,
  model: string,
): Omit<ModelRequest, 'signal'> {
  const { outputSchema, reasoningEffort } = settings;
  const conversation = withWireNames(context.conversation, nameTools(context.conversation.tools));
  const accepts: Accepts = (what) => settings.accepts.includes(what);
  const parameters = accepts('parameters') ? conversation.parameters : {};
  const tools = accepts('tools') ? conversation.tools.map((tool) => hintless(tool, accepts)) : [];
  const schema =
    outputSchema === undefined
      ? accepts('schema') && conversation.schema
      : { name: 'output', schema: outputSchema, strict: true };
  return {
    model,
    system: composeSystem(
      context,
      accepts('system') ? conversation.system.map((block) => hintless(block, accepts)) : [],
    ),
    messages: composeMessages(settings, { ...context, conversation }, accepts),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || conversation.toolChoice === undefined
      ? {}
      : { toolChoice: conversation.toolChoice }),
    ...(schema ? { schema } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...composeParameters(settings, parameters),
    ...(tools.length === 0 || parameters.parallelToolCalls !== false ? {} : { parallelToolCalls: false }),
  };
}

/**
 * The members of a request that only the caller has set: a model that rejects one rejects the caller's input. A member that the step
 * sets too is the operator's: the model would reject it for every caller.
 */
export function membersOfCaller(
  settings: CallModel,
  request: Omit<ModelRequest, 'signal'>,
): ReadonlySet<RequestMember> {
  const isOfCaller: { readonly [Member in RequestMember]: boolean } = {
    model: false,
    reasoningEffort: false,
    tools: true,
    toolChoice: true,
    schema: settings.outputSchema === undefined,
    maxTokens: request.maxTokens !== settings.maxTokens,
    temperature: settings.temperature === undefined,
    topP: settings.topP === undefined,
    stopSequences: settings.stopSequences === undefined,
    seed: settings.seed === undefined,
    parallelToolCalls: true,
  };
  const members = Object.keys(isOfCaller) as RequestMember[];
  // A model may also reject their absence.
  return new Set(
    members.filter((member) => isOfCaller[member] && (member === 'tools' || request[member] !== undefined)),
  );
}

/** The flow's own text, then the caller's. */
function composeSystem({ state }: StepContext, callers: readonly SystemBlock[]): readonly SystemBlock[] {
  const blocks = [...(state.system === undefined ? [] : [{ text: state.system }]), ...callers];
  rejectBeyondLimit(sum(blocks.map(({ text }) => text.length)));
  return blocks;
}

/** Earlier turns, the last turn of the user with `prompt` in its place, and the tool turns that follow it. */
function composeMessages(
  { prompt, history }: CallModel,
  { conversation: { messages }, values }: StepContext,
  accepts: Accepts,
): readonly Message[] {
  const last = lastUserIndex(messages);
  const earlier = history && accepts('history') ? messages.slice(0, last) : [];
  const current = messages[last];
  const parts = current?.role === 'user' ? partsOf(current.content, accepts) : [];
  const content: readonly ContentPart[] =
    prompt === undefined
      ? parts
      : [
          { type: 'text', text: renderTemplate(prompt, values) },
          ...parts.filter(({ type }) => type !== 'text'),
        ];
  return [
    ...withoutLeadingAnswer(earlier.flatMap((message) => toAccepted(message, accepts))),
    // A turn without accepted parts is the empty text, like an absent input.
    { role: 'user', content: content.length === 0 ? [{ type: 'text', text: '' }] : content },
    ...(accepts('tools') ? messages.slice(last + 1).flatMap((message) => toAccepted(message, accepts)) : []),
  ];
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

/** Providers require a user's turn first; an answer to an image that was left out is dropped with it. */
function withoutLeadingAnswer(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role === 'user');
  return first === -1 ? [] : messages.slice(first);
}

/** The step's own values bound the caller's. `maxTokens` is always sent: without it some providers reserve the model's maximum. */
function composeParameters(
  settings: CallModel,
  caller: Conversation['parameters'],
): Pick<ModelRequest, 'maxTokens' | 'temperature' | 'topP' | 'stopSequences' | 'seed'> {
  const temperature = lower(settings.temperature, caller.temperature);
  const topP = lower(settings.topP, caller.topP);
  const stops = [...new Set([...(settings.stopSequences ?? []), ...(caller.stop ?? [])])];
  const seed = settings.seed ?? caller.seed;
  return {
    maxTokens: lower(settings.maxTokens, caller.maxTokens) ?? settings.maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(stops.length === 0 ? {} : { stopSequences: stops }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function lower(own: number | undefined, caller: number | undefined): number | undefined {
  if (own === undefined || caller === undefined) return own ?? caller;
  return Math.min(own, caller);
}
