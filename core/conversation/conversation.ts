// The inner form of a conversation: every surface is read into it, and every provider's request is built from it.
import type { ReasoningEffort } from '../contract/reasoning-efforts.ts';
import type { JsonObject } from '../text/json.ts';
import type { ToolArguments } from './tool-arguments.ts';
import type { VariableValue } from './variables/variable-value.ts';

/** Types that every provider with images takes (`image/*` of RFC 6838). */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** How closely a model looks at an image, in OpenAI's words. */
export const IMAGE_DETAILS = ['auto', 'low', 'high'] as const;

type ImageDetail = (typeof IMAGE_DETAILS)[number];

/** A wish that the provider keeps all up to here in its prompt cache for so long. It changes no answer. */
export interface CacheHint {
  readonly ttl: '5m' | '1h';
}

interface Cacheable {
  readonly cache?: CacheHint;
}

export interface TextPart extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

/** An image. `data` is base64 (RFC 4648, section 4) with padding. */
export interface ImagePart extends Cacheable {
  readonly type: 'image';
  readonly mediaType: ImageMediaType;
  readonly data: string;
  readonly detail?: ImageDetail;
}

/** An image that the provider fetches: an https address. Nothing is fetched here. */
export interface ImageAddress extends Cacheable {
  readonly type: 'imageAddress';
  readonly url: string;
  readonly detail?: ImageDetail;
}

/** A document. `data` is base64 as of an image; `name` is the caller's file name. */
export interface DocumentPart extends Cacheable {
  readonly type: 'document';
  readonly mediaType: 'application/pdf';
  readonly data: string;
  readonly name?: string;
}

/** A part of a user's turn, or of the result of a tool. */
export type ContentPart = TextPart | ImagePart | ImageAddress | DocumentPart;

/** A text for the model from those who set it up. */
export interface SystemBlock extends Cacheable {
  readonly text: string;
}

/** A model's call of one of the caller's tools. */
export interface ToolCall {
  /** Unique within its turn. */
  readonly id: string;
  readonly namespace?: string;
  readonly name: string;
  readonly arguments: ToolArguments;
}

/**
 * A model's thoughts as its provider sealed them: only that provider and model can use them, and nothing here reads, changes or logs them.
 * With `text` the payload is its signature; without, the payload is all there is.
 */
export interface SealedReasoning extends Thought {
  readonly payload: string;
  readonly model: string;
  /** The neuron and its provider that it came from, as a digest; it goes back to no other. */
  readonly seal?: string;
}

/** Thoughts as an answer of a provider holds them. */
export interface Thought {
  readonly origin: 'openai' | 'anthropic' | 'bedrock';
  readonly text?: string;
  /** Absent where the provider sealed nothing: the text can be shown, and not be sent back. */
  readonly payload?: string;
}

/** A piece of an assistant's turn, in the order in which the model wrote it. */
export type AssistantBlock =
  | TextPart
  | ({ readonly type: 'toolCall'; readonly call: ToolCall } & Cacheable)
  | { readonly type: 'reasoning'; readonly reasoning: SealedReasoning };

export interface ToolResult extends Cacheable {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: readonly ContentPart[];
  /** True where the tool failed, and the content says how. */
  readonly isError?: boolean;
}

/** Empty texts are left out: Anthropic and Bedrock take none. */
export function toolMessage(toolCallId: string, content: readonly ContentPart[]): ToolResult {
  return {
    role: 'tool',
    toolCallId,
    content: content.filter((part) => part.type !== 'text' || part.text !== ''),
  };
}

/** A turn. System texts that stand before all of them are not among them. */
export type Message =
  | { readonly role: 'user'; readonly content: readonly ContentPart[] }
  | { readonly role: 'assistant'; readonly blocks: readonly AssistantBlock[] }
  | ToolResult
  | ({ readonly role: 'system' } & SystemBlock);

/** A tool of the caller. `parameters` is a JSON Schema. */
export interface ToolDefinition extends Cacheable {
  /** Tools of two namespaces may have one name. */
  readonly namespace?: string;
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
  readonly strict?: boolean;
}

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly namespace?: string; readonly name: string };

/** The form that an answer must have. `schema` is a JSON Schema. */
export interface AnswerSchema {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonObject;
  readonly strict?: boolean;
}

export interface CallerParameters {
  /** 0 to 2. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly topP?: number;
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** -2 to 2, not 0. */
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  /** -100 to 100, by the number of a token. */
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly reasoningEffort?: ReasoningEffort;
  readonly verbosity?: 'low' | 'high';
  /** For at most one call of a tool in an answer. */
  readonly parallelToolCalls?: false;
}

/**
 * `adaptive`: as much as the model finds right; `isImplied` where an effort stands for it, which says the same to providers that know no
 * such wish. A budget is in tokens, which count as output.
 */
export type ThinkingWish =
  | { readonly mode: 'off' }
  | { readonly mode: 'adaptive'; readonly isImplied?: true }
  | { readonly mode: 'budget'; readonly tokens: number };

/** A request for a message (platform.claude.com/docs/en/api/messages), checked against what no caller may ask of a vendor. */
export interface PassedRequest {
  readonly body: JsonObject;
  /** The form of request and answer, from the header `anthropic-version`. */
  readonly version: string;
  /** From the header `anthropic-beta`. */
  readonly betas: readonly string[];
  /** Every thought in `body`, by its block; undefined for one that was not sealed here, which no provider gets. */
  readonly thoughts: ReadonlyMap<unknown, SealedReasoning | undefined>;
  /** Tools that the vendor describes to its model by itself. */
  readonly vendorTools: number;
  /** The longest time for which the request has something kept in the provider's prompt cache. */
  readonly cache?: CacheHint['ttl'];
}

/** A message, or an event of one, as its provider wrote it, and the names under which its thoughts leave. */
export interface PassedAnswer extends Pick<SealedReasoning, 'model'> {
  readonly json: JsonObject;
  readonly seal: string | undefined;
}

/** Everything from a caller that may reach a model. */
export interface Conversation {
  /** Before the first turn. */
  readonly system: readonly SystemBlock[];
  /** Empty for a system text alone. One that ends with the assistant asks the model to go on from there. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly schema?: AnswerSchema;
  /** The answer is any JSON object. */
  readonly json?: true;
  readonly parameters: CallerParameters;
  readonly variables?: readonly VariableValue[];
  /** How much the model shall think before it answers; absent where the caller leaves it to the step. */
  readonly thinking?: ThinkingWish;
  /** Sends conversations of one name to one cache of the provider. It changes no answer. */
  readonly promptCacheKey?: string;
  /** The request itself, where the flow passes it on; all of the above is then what is known of it, for sizes and the log. */
  readonly passed?: PassedRequest;
}

/** True for a wish that is named where it is left out. */
export function isNamedWish(thinking: ThinkingWish | undefined): boolean {
  return thinking?.mode === 'budget' || (thinking?.mode === 'adaptive' && thinking.isImplied !== true);
}

/** The conversation of a caller who sends one text. */
export function conversationOf(text: string): Conversation {
  return { system: [], messages: [userMessage(text)], tools: [], parameters: {} };
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** A turn of the assistant: its text, where there is one, and its calls. */
export function assistantMessage(text: string, toolCalls: readonly ToolCall[] = []): Message {
  return { role: 'assistant', blocks: assistantBlocks(text, toolCalls) };
}

export function assistantBlocks(text: string, toolCalls: readonly ToolCall[]): readonly AssistantBlock[] {
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...toolCalls.map((call) => ({ type: 'toolCall' as const, call })),
  ];
}

/** The calls among the blocks of a turn. */
export function callsOfBlocks(blocks: readonly AssistantBlock[]): readonly ToolCall[] {
  return blocks.flatMap((block) => (block.type === 'toolCall' ? [block.call] : []));
}

/** The texts among the blocks of a turn. */
export function textOfBlocks(blocks: readonly AssistantBlock[]): string {
  return blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

/** The conversation of a caller who asks a model for no text. */
export const NO_CONVERSATION: Conversation = { system: [], messages: [], tools: [], parameters: {} };

/** A text, or the ids of its tokens in the vocabulary of OpenAI's models. Never empty. */
export type EmbeddingInput = string | readonly number[];

/** The texts of a caller, and the vectors that it wants. */
export interface EmbeddingWish {
  /** At least one; each gets a vector, in this order. */
  readonly inputs: readonly EmbeddingInput[];
  /** True for one input that was not sent in a list. */
  readonly isSingle: boolean;
  /** Undefined where the caller leaves it to the neuron. */
  readonly dimensions: number | undefined;
}

/** The texts of a run for vectors, with the vectors that are known already. */
export interface EmbeddingWork {
  readonly wish: EmbeddingWish;
  /** By the place of the input; undefined where its vector must be made. */
  readonly cached: readonly (Float32Array | undefined)[];
}

/** The texts of parts, joined by line feeds. */
export function textOfParts(content: readonly ContentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The index of the user's last turn; -1 without one. */
export function lastUserIndex(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role === 'user');
}

/** The input of conditions, placeholders and the cache: the text of the user's last turn. */
export function inputOf({ messages }: Pick<Conversation, 'messages'>): string {
  const last = messages[lastUserIndex(messages)];
  return last?.role === 'user' ? textOfParts(last.content) : '';
}

/** The text of a conversation that is one text and nothing else, as from `input`; undefined for every other one. */
export function plainTextOf(conversation: Conversation): string | undefined {
  const { system, messages, tools, toolChoice, schema, json, parameters, thinking } = conversation;
  const [only, ...others] = messages;
  const isBare = system.length === 0 && tools.length === 0 && others.length === 0;
  if (!isBare || toolChoice !== undefined || schema !== undefined || json === true) return undefined;
  if (thinking !== undefined || Object.keys(parameters).length > 0 || only?.role !== 'user') return undefined;
  const [part, ...more] = only.content;
  return part?.type === 'text' && part.cache === undefined && more.length === 0 ? part.text : undefined;
}
