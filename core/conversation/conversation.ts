// The inner form of a conversation: every surface is read into it, and every provider's request is built from it.
import type { JsonObject } from '../text/json.ts';
import type { ToolArguments } from './tool-arguments.ts';

/** Types that every provider with images takes (`image/*` of RFC 6838). */
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export type ImageMediaType = (typeof IMAGE_MEDIA_TYPES)[number];

/** How closely a model looks at an image, in OpenAI's words. */
export const IMAGE_DETAILS = ['auto', 'low', 'high'] as const;

/** An image. `data` is base64 (RFC 4648, section 4) with padding. */
export interface ImagePart {
  readonly type: 'image';
  readonly mediaType: ImageMediaType;
  readonly data: string;
  readonly detail?: (typeof IMAGE_DETAILS)[number];
}

/** A part of a user's turn. */
export type ContentPart = { readonly type: 'text'; readonly text: string } | ImagePart;

/** A model's call of one of the caller's tools. */
export interface ToolCall {
  /** Unique within the conversation. */
  readonly id: string;
  readonly name: string;
  readonly arguments: ToolArguments;
}

/** A turn. System texts are not among them. */
export type Message =
  | { readonly role: 'user'; readonly content: readonly ContentPart[] }
  | { readonly role: 'assistant'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly text: string };

/** A tool of the caller. `parameters` is a JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly parameters: JsonObject;
  readonly strict?: boolean;
}

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

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
}

/** Everything from a caller that may reach a model. */
export interface Conversation {
  readonly system: readonly string[];
  /** At least one; the last one is of a user, or the result of a tool. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly schema?: AnswerSchema;
  readonly parameters: CallerParameters;
}

/** The conversation of a caller who sends one text. */
export function conversationOf(text: string): Conversation {
  return { system: [], messages: [userMessage(text)], tools: [], parameters: {} };
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
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
  const { system, messages, tools, toolChoice, schema, parameters } = conversation;
  const [only, ...others] = messages;
  const isBare = system.length === 0 && tools.length === 0 && others.length === 0;
  if (!isBare || toolChoice !== undefined || schema !== undefined) return undefined;
  if (Object.keys(parameters).length > 0 || only?.role !== 'user') return undefined;
  const [part, ...more] = only.content;
  return part?.type === 'text' && more.length === 0 ? part.text : undefined;
}
