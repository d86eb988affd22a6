// Composes the request of a model call: the flow's texts, and the parts of the caller's conversation that the step accepts.
import {
  type ContentPart,
  type Conversation,
  lastUserIndex,
  type Message,
} from '../conversation/conversation.ts';
import type { ModelRequest, RequestMember } from '../ports/providers.ts';
import type { Acceptable, CallModel } from '../settings/flow-schema.ts';
import type { StepContext } from './step.ts';
import { rejectBeyondLimit, renderTemplate } from './template.ts';

/** Between system texts. */
const PARAGRAPH = '\n\n';

/** The request for the step's own model; its fallbacks get the same with their names. */
export function composeRequest(settings: CallModel, context: StepContext): Omit<ModelRequest, 'signal'> {
  const { model, outputSchema, reasoningEffort } = settings;
  const { conversation } = context;
  const accepts = (what: Acceptable): boolean => settings.accepts.includes(what);
  const system = composeSystem(context, accepts('system') ? conversation.system : []);
  const tools = accepts('tools') ? conversation.tools : [];
  const schema =
    outputSchema === undefined
      ? accepts('schema') && conversation.schema
      : { name: 'output', schema: outputSchema, strict: true };
  return {
    model,
    system,
    messages: composeMessages(settings, context, accepts),
    ...(tools.length === 0 ? {} : { tools }),
    ...(tools.length === 0 || conversation.toolChoice === undefined
      ? {}
      : { toolChoice: conversation.toolChoice }),
    ...(schema ? { schema } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...composeParameters(settings, accepts('parameters') ? conversation.parameters : {}),
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
  };
  const members = Object.keys(isOfCaller) as RequestMember[];
  // A model may also reject their absence.
  return new Set(
    members.filter((member) => isOfCaller[member] && (member === 'tools' || request[member] !== undefined)),
  );
}

/** The flow's own text, then the caller's. */
function composeSystem({ state }: StepContext, callers: readonly string[]): string | undefined {
  const texts = [...(state.system === undefined ? [] : [state.system]), ...callers];
  if (texts.length === 0) return undefined;
  const system = texts.join(PARAGRAPH);
  rejectBeyondLimit(system.length);
  return system;
}

/** Earlier turns, the last turn of the user with `prompt` in its place, and the tool turns that follow it. */
function composeMessages(
  { prompt, history }: CallModel,
  { conversation: { messages }, values }: StepContext,
  accepts: (what: Acceptable) => boolean,
): readonly Message[] {
  const last = lastUserIndex(messages);
  const keep = { images: accepts('images'), tools: accepts('tools') };
  const earlier = history && accepts('history') ? messages.slice(0, last) : [];
  const current = messages[last];
  const parts = current?.role === 'user' ? partsOf(current.content, keep.images) : [];
  const content: readonly ContentPart[] =
    prompt === undefined
      ? parts
      : [
          { type: 'text', text: renderTemplate(prompt, values) },
          ...parts.filter(({ type }) => type === 'image'),
        ];
  return [
    ...withoutLeadingAnswer(earlier.flatMap((message) => toAccepted(message, keep))),
    // A turn without accepted parts is the empty text, like an absent input.
    { role: 'user', content: content.length === 0 ? [{ type: 'text', text: '' }] : content },
    ...(keep.tools ? messages.slice(last + 1) : []),
  ];
}

interface AcceptedParts {
  readonly images: boolean;
  readonly tools: boolean;
}

function partsOf(content: readonly ContentPart[], images: boolean): readonly ContentPart[] {
  return content.filter(({ type }) => images || type === 'text');
}

/** A turn with its accepted parts; an empty list without any. */
function toAccepted(message: Message, { images, tools }: AcceptedParts): readonly Message[] {
  if (message.role === 'user') {
    const content = partsOf(message.content, images);
    return content.length === 0 ? [] : [{ role: 'user', content }];
  }
  if (tools) return [message];
  if (message.role === 'tool' || message.text === '') return [];
  return [{ ...message, toolCalls: [] }];
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
