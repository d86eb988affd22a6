// Sealed thoughts between a caller and a model: they leave with the name of the neuron, provider and model that they came from, and go back to
// these alone.
import type {
  AssistantBlock,
  Message,
  PassedAnswer,
  SealedReasoning,
  Thought,
} from '../conversation/conversation.ts';
import { bodyForTarget } from '../conversation/passed-request.ts';
import type { WireNames } from '../conversation/wire-names.ts';
import type { AnswerBlock, ModelRequest, ModelResult, Omission } from '../ports/providers.ts';
import type { CallModel } from '../settings/flow-schema.ts';
import type { FlowPorts } from './step.ts';
import type { AnswerSink, AttemptSink } from './stream-attempt.ts';

/** Whose thoughts they are, and where they may go. */
export interface ThoughtOwner {
  readonly model: string;
  /** Without one they come back to no model. */
  readonly seal: string | undefined;
  /** True where callers may read their texts. */
  readonly isShown: boolean;
}

/** The owner of what this model thinks in a step. */
export function ownerOf(
  { accepts, showReasoning }: Pick<CallModel, 'accepts' | 'showReasoning'>,
  { provider, model }: { readonly provider: string; readonly model: string },
  { sealOf }: Pick<FlowPorts, 'sealOf'>,
): ThoughtOwner {
  const leave = accepts.includes('thinking') || accepts.includes('passThrough');
  const seal = leave ? sealOf?.(provider) : undefined;
  return { model, seal, isShown: showReasoning === true };
}

type SentRequest = Omit<ModelRequest, 'signal'>;

/** The request without thoughts of others, which no provider could read. */
export function withOwnThoughts(
  request: SentRequest,
  owner: ThoughtOwner,
): { readonly request: SentRequest; readonly leftOut: readonly Omission[] } {
  const { passed, ...rest } = withOwnTurns(request, owner);
  if (passed === undefined) return { request: rest, leftOut: rest.messages === request.messages ? [] : LOST };
  const { body, isWhole, thinks } = bodyForTarget(passed, (one) => isOwn(one, owner));
  const leftOut = [...(isWhole ? [] : LOST), ...(thinks ? [] : (['thinking'] as const))];
  return { request: { ...rest, passed: { ...passed, body } }, leftOut };
}

const LOST = ['reasoning'] as const;

function withOwnTurns(request: SentRequest, owner: ThoughtOwner): SentRequest {
  const isForeign = (block: AssistantBlock): boolean =>
    block.type === 'reasoning' && !isOwn(block.reasoning, owner);
  const hasForeign = (message: Message): boolean =>
    message.role === 'assistant' && message.blocks.some(isForeign);
  if (!request.messages.some(hasForeign)) return request;
  const messages = request.messages.flatMap((message): readonly Message[] => {
    if (message.role !== 'assistant') return [message];
    const blocks = message.blocks.filter((block) => !isForeign(block));
    return blocks.length === 0 ? [] : [{ ...message, blocks }];
  });
  return { ...request, messages };
}

function isOwn({ model, seal }: SealedReasoning, owner: ThoughtOwner): boolean {
  return owner.seal !== undefined && seal === owner.seal && model === owner.model;
}

/** The blocks of an answer for its caller; undefined where it has no thought that may leave and come back. */
export function sealBlocks(
  blocks: readonly AnswerBlock[] | undefined,
  owner: ThoughtOwner,
): readonly AssistantBlock[] | undefined {
  if (owner.seal === undefined) return undefined;
  const sealed = blocks?.flatMap((block): readonly AssistantBlock[] => {
    if (block.type !== 'thought') return [block];
    const reasoning = seal(block.thought, owner);
    return reasoning === undefined ? [] : [{ type: 'reasoning', reasoning }];
  });
  return sealed?.some(({ type }) => type === 'reasoning') === true ? sealed : undefined;
}

/** The texts of the thoughts of an answer, one below the other; undefined where they stay here, or there are none. */
export function shownReasoning(
  blocks: readonly AnswerBlock[] | undefined,
  { isShown }: ThoughtOwner,
): string | undefined {
  if (!isShown) return undefined;
  const texts = blocks?.flatMap((block) => (block.type === 'thought' ? block.thought.text || [] : []));
  return texts?.join('\n\n') || undefined;
}

/** The message of an answer, for a caller whose request was passed on. */
export function passedAnswer(
  { passed }: Pick<ModelResult, 'passed'>,
  { model, seal }: ThoughtOwner,
): PassedAnswer | undefined {
  return passed === undefined ? undefined : { json: passed, model, seal };
}

/** The sink of an attempt: calls under the names that the caller gave its tools, and sealed thoughts where they may leave. */
export function toAttemptSink(
  sink: AnswerSink | undefined,
  { fromWire }: WireNames,
  owner: ThoughtOwner,
): AttemptSink | undefined {
  if (sink === undefined) return undefined;
  const { reasoning, reasoningText, passed: _passed, ...others } = sink;
  let isFirst = true;
  return {
    ...others,
    toolCall: (call) => sink.toolCall(fromWire(call)),
    passed: async (event) => sink.passed?.({ json: event, model: owner.model, seal: owner.seal }),
    async thought(thought) {
      const sealed = seal(thought, owner);
      if (sealed !== undefined) await reasoning?.call(sink, sealed);
      if (!owner.isShown || !thought.text) return;
      await reasoningText?.call(sink, isFirst ? thought.text : `\n\n${thought.text}`);
      isFirst = false;
    },
  };
}

function seal(
  { payload, ...thought }: Thought,
  { model, seal: name }: ThoughtOwner,
): SealedReasoning | undefined {
  return payload === undefined || name === undefined ? undefined : { ...thought, payload, model, seal: name };
}
