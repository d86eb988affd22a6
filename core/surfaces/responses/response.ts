// Renders a run as a response (platform.openai.com/docs/api-reference/responses/object): the object with all of its members, and its items.
import {
  type AssistantBlock,
  assistantBlocks,
  type SealedReasoning,
  type ToolCall,
} from '../../conversation/conversation.ts';
import { argumentsText } from '../../conversation/tool-arguments.ts';
import type { JsonObject } from '../../text/json.ts';
import { cacheHeader, jsonAnswer } from '../headers.ts';
import { requestIdHeaders } from '../openai/errors.ts';
import { sealReasoning } from '../sealed-reasoning.ts';
import type { Answer, RunResult } from '../surface.ts';

/** Members of a response that repeat those of its request, in the names of the interface. */
export interface RepeatedMembers {
  /** As the caller named it. */
  readonly model: string;
  readonly instructions: string | null;
  /** Those that the model was offered. */
  readonly tools: readonly JsonObject[];
  readonly tool_choice: string | JsonObject;
  readonly parallel_tool_calls: boolean;
  readonly text: JsonObject;
  readonly temperature: number;
  readonly top_p: number;
  readonly max_output_tokens: number | null;
  readonly reasoning: { readonly effort: string | null; readonly summary: string | null };
  readonly metadata: JsonObject;
  readonly safety_identifier: string | null;
  readonly prompt_cache_key: string | null;
}

/** Members that all objects of one response share. */
export interface ResponseHead {
  readonly executionId: string;
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number;
  readonly repeated: RepeatedMembers;
  /** True where the request asks for reasoning that can be sent back. */
  readonly sealed?: boolean;
}

export type ResponseStatus = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** How a response ended, as far as it has. */
export interface ResponseEnd {
  readonly status: ResponseStatus;
  readonly output: readonly OutputItem[];
  readonly usage?: ReturnType<typeof usageOf>;
  readonly error?: { readonly code: string; readonly message: string };
  readonly reason?: 'max_output_tokens' | 'content_filter';
}

export type OutputItem =
  | ReturnType<typeof messageItem>
  | ReturnType<typeof callItem>
  | ReturnType<typeof reasoningItem>;

/** A response that is not streamed. */
export function renderResponse(result: RunResult, head: ResponseHead, maySeeReceipt: boolean): Answer {
  return jsonAnswer(
    { ...requestIdHeaders(head.executionId), ...cacheHeader(result.cache, maySeeReceipt) },
    responseObject(head, { ...endOf(result), output: itemsOf(result, head) }),
  );
}

/** The items of an answer in one piece. One without a text and a call has a message without a text. */
function itemsOf(result: RunResult, head: ResponseHead): OutputItem[] {
  const { isCut, executionStopped } = result;
  const ids = createItemIds(head.executionId);
  const status = isCut === true || executionStopped ? 'incomplete' : 'completed';
  const items = blocksOf(result).flatMap((block): OutputItem[] => {
    if (block.type === 'text') return [messageItem(ids('msg'), status, block.text)];
    if (block.type === 'toolCall') return [callItem(ids('fc'), 'completed', block.call)];
    return asksForReasoning(head) ? [reasoningItem(ids('rs'), block.reasoning, head)] : [];
  });
  const isEmpty = items.every(({ type }) => type === 'reasoning');
  return isEmpty ? [...items, messageItem(ids('msg'), status, '')] : items;
}

/** In the order of the answer; without thoughts its text, then its calls. */
function blocksOf({ output = '', toolCalls = [], blocks }: RunResult): readonly AssistantBlock[] {
  return blocks ?? assistantBlocks(output, toolCalls);
}

/** The members that the end of a run decides on; calls of tools make an answer whole. */
export function endOf(result: RunResult): Omit<ResponseEnd, 'output'> {
  const { executionStopped, toolCalls = [], isCut } = result;
  const usage = usageOf(result);
  if (executionStopped) return { status: 'incomplete', reason: 'content_filter', usage };
  if (isCut === true && toolCalls.length === 0)
    return { status: 'incomplete', reason: 'max_output_tokens', usage };
  return { status: 'completed', usage };
}

/** All members: strict readers require each of them in every event that holds a response. */
export function responseObject(head: ResponseHead, end: ResponseEnd) {
  const { repeated } = head;
  const createdAt = Math.floor(head.timeMs / 1000);
  return {
    id: idOf('resp', head.executionId),
    object: 'response',
    created_at: createdAt,
    completed_at: end.status === 'completed' ? createdAt : null,
    status: end.status,
    background: false,
    error: end.error ?? null,
    incomplete_details: end.reason === undefined ? null : { reason: end.reason },
    instructions: repeated.instructions,
    max_output_tokens: repeated.max_output_tokens,
    max_tool_calls: null,
    model: repeated.model,
    output: end.output,
    parallel_tool_calls: repeated.parallel_tool_calls,
    previous_response_id: null,
    prompt_cache_key: repeated.prompt_cache_key,
    reasoning: repeated.reasoning,
    safety_identifier: repeated.safety_identifier,
    service_tier: 'default',
    store: false,
    temperature: repeated.temperature,
    text: repeated.text,
    tool_choice: repeated.tool_choice,
    tools: repeated.tools,
    top_logprobs: 0,
    top_p: repeated.top_p,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: 'disabled',
    usage: end.usage ?? null,
    metadata: repeated.metadata,
  };
}

/** Ids of items, unique within a stream and the same in each of its events. */
export function createItemIds(executionId: string): (kind: 'msg' | 'fc' | 'rs') => string {
  let items = 0;
  return (kind) => `${idOf(kind, executionId)}_${items++}`;
}

/** Characters that no client or log has to escape; as unique as the execution. */
function idOf(kind: string, executionId: string): string {
  return `${kind}_${executionId.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** A text of the model. `text` is undefined for an item that has just begun. */
export function messageItem(id: string, status: ResponseStatus, text: string | undefined) {
  return {
    id,
    type: 'message',
    status,
    role: 'assistant',
    content: text === undefined ? [] : [textPart(text)],
  } as const;
}

export function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] } as const;
}

type ReasoningWish = Pick<ResponseHead, 'repeated' | 'sealed'>;

/** False where the request asks neither for a summary of thoughts nor for sealed ones. */
export function asksForReasoning({ repeated, sealed }: ReasoningWish): boolean {
  return sealed === true || repeated.reasoning.summary !== null;
}

/** Thoughts as far as the request asks for them. */
export function reasoningItem(id: string, reasoning: SealedReasoning, { repeated, sealed }: ReasoningWish) {
  const { text = '' } = reasoning;
  return {
    id,
    type: 'reasoning',
    summary: repeated.reasoning.summary === null || text === '' ? [] : [summaryPart(text)],
    ...(sealed === true ? { encrypted_content: sealReasoning(reasoning) } : {}),
  } as const;
}

export function summaryPart(text: string) {
  return { type: 'summary_text', text } as const;
}

export function callItem(id: string, status: ResponseStatus, call: ToolCall) {
  return {
    id,
    type: 'function_call',
    status,
    call_id: call.id,
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
    name: call.name,
    arguments: argumentsText(call.arguments),
  } as const;
}

/** Both details, always: agents call again where one is missing. */
function usageOf({ usage = { input: 0, output: 0 } }: RunResult) {
  const { input, output, cachedInput = 0, reasoning = 0 } = usage;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
