// Parses what a caller sent into a typed invocation: body and query parameters.

import { ServiceError } from '../../contract/service-error.ts';
import { type Conversation, inputOf } from '../../conversation/conversation.ts';
import { parseConversation } from '../../conversation/parse-conversation.ts';
import { type ChatCompletionRequest, parseChatCompletion } from '../openai/parse.ts';
import { acceptsEventStream } from './accept.ts';

/** What a caller asks for, after parsing. */
export interface Invocation {
  /** The text of the last turn of a user. */
  readonly input: string;
  readonly conversation: Conversation;
  readonly bypassCache: boolean;
  readonly rawOutput: boolean;
  /** True for an answer as server-sent events. */
  readonly stream: boolean;
  /** What OpenAI's surface needs for its answer. */
  readonly completion?: Pick<ChatCompletionRequest, 'model' | 'includeUsage' | 'usesMaxTokens'>;
}

/** What the transport delivers, before parsing: every value of each query parameter, and the body as text. */
export interface UnparsedInvocation {
  readonly body: string | undefined;
  readonly bypassCache: readonly string[];
  readonly rawOutput: readonly string[];
  readonly accept: readonly string[];
}

/**
 * Parses a call. Throws `ServiceError`: `malformed_json` or `malformed_body` (400), `invalid_input`, `input_too_large`,
 * `invalid_parameter` (422).
 */
export function parseInvocation(unparsed: UnparsedInvocation, maxInputBytes: number): Invocation {
  const conversation = parseConversation(parseObject(unparsed.body), maxInputBytes);
  const rawOutput = parseFlag('rawOutput', unparsed.rawOutput);
  const stream = acceptsEventStream(unparsed.accept);
  if (rawOutput && stream) {
    throw new ServiceError('invalid_parameter', {
      detail: '"rawOutput" has no stream. Leave it out, or do not send "Accept: text/event-stream".',
    });
  }
  return {
    input: inputOf(conversation),
    conversation,
    bypassCache: parseFlag('bypassCache', unparsed.bypassCache),
    rawOutput,
    stream,
  };
}

/**
 * The same for a chat completion of OpenAI's surface, whose body says whether it is streamed. Throws `model_not_found` (404) besides.
 */
export function parseOpenaiInvocation(
  unparsed: UnparsedInvocation,
  addressed: Parameters<typeof parseChatCompletion>[1],
): Invocation {
  const request = parseChatCompletion(parseObject(unparsed.body), addressed);
  const { conversation, stream, ...completion } = request;
  return {
    input: inputOf(conversation),
    conversation,
    bypassCache: parseFlag('bypassCache', unparsed.bypassCache),
    rawOutput: false,
    stream,
    completion,
  };
}

function parseObject(body: string | undefined): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    // No cause: the parser's message quotes the body, and the body must not reach a log.
    throw new ServiceError('malformed_json');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('malformed_body');
  return value as Record<string, unknown>;
}

/** `true`, `false` (any case), `1` or `0`, once; absent is false. */
function parseFlag(name: string, values: readonly string[]): boolean {
  if (values.length === 0) return false;
  if (values.length > 1)
    throw new ServiceError('invalid_parameter', { reason: `${name} given ${values.length} times` });
  const value = values[0]?.toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ServiceError('invalid_parameter', { reason: `${name} is not a boolean` });
}
