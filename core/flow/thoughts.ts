// Sealed thoughts between a caller and a model: they leave with the name of the neuron, provider and model that they came from, and go back to
// these alone.
import type { AssistantBlock, Message, SealedReasoning, Thought } from '../conversation/conversation.ts';
import type { WireNames } from '../conversation/wire-names.ts';
import type { AnswerBlock, ModelRequest } from '../ports/providers.ts';
import type { CallModel } from '../settings/flow-schema.ts';
import type { FlowPorts } from './step.ts';
import type { AnswerSink, AttemptSink } from './stream-attempt.ts';

/** Whose thoughts they are. Without a seal they go nowhere. */
export interface ThoughtOwner {
  readonly model: string;
  readonly seal: string | undefined;
}

/** The owner of what this model thinks in a step. */
export function ownerOf(
  { accepts }: Pick<CallModel, 'accepts'>,
  { provider, model }: { readonly provider: string; readonly model: string },
  { sealOf }: Pick<FlowPorts, 'sealOf'>,
): ThoughtOwner {
  return { model, seal: accepts.includes('thinking') ? sealOf?.(provider) : undefined };
}

type SentRequest = Omit<ModelRequest, 'signal'>;

/** The request without thoughts of others, which no provider could read; `isWhole` is false where it had some. */
export function withOwnThoughts(
  request: SentRequest,
  owner: ThoughtOwner,
): { readonly request: SentRequest; readonly isWhole: boolean } {
  const isForeign = (block: AssistantBlock): boolean =>
    block.type === 'reasoning' && !isOwn(block.reasoning, owner);
  const hasForeign = (message: Message): boolean =>
    message.role === 'assistant' && message.blocks.some(isForeign);
  if (!request.messages.some(hasForeign)) return { request, isWhole: true };
  const messages = request.messages.flatMap((message): readonly Message[] => {
    if (message.role !== 'assistant') return [message];
    const blocks = message.blocks.filter((block) => !isForeign(block));
    return blocks.length === 0 ? [] : [{ ...message, blocks }];
  });
  return { request: { ...request, messages }, isWhole: false };
}

function isOwn({ model, seal }: SealedReasoning, owner: ThoughtOwner): boolean {
  return owner.seal !== undefined && seal === owner.seal && model === owner.model;
}

/** The blocks of an answer for its caller; undefined where thoughts stay here. */
export function sealBlocks(
  blocks: readonly AnswerBlock[] | undefined,
  owner: ThoughtOwner,
): readonly AssistantBlock[] | undefined {
  if (owner.seal === undefined) return undefined;
  return blocks?.map((block) =>
    block.type === 'thought' ? { type: 'reasoning', reasoning: seal(block.thought, owner) } : block,
  );
}

/** The sink of an attempt: calls under the names that the caller gave its tools, and sealed thoughts where they may leave. */
export function toAttemptSink(
  sink: AnswerSink | undefined,
  { fromWire }: WireNames,
  owner: ThoughtOwner,
): AttemptSink | undefined {
  if (sink === undefined) return undefined;
  const { reasoning, ...others } = sink;
  return {
    ...others,
    toolCall: (call) => sink.toolCall(fromWire(call)),
    ...(owner.seal === undefined || reasoning === undefined
      ? {}
      : { thought: (thought) => reasoning.call(sink, seal(thought, owner)) }),
  };
}

function seal(thought: Thought, { model, seal: name }: ThoughtOwner): SealedReasoning {
  return { ...thought, model, ...(name === undefined ? {} : { seal: name }) };
}
