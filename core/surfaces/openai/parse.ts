// Parses a chat completion request (platform.openai.com/docs/api-reference/chat/create) into a conversation and the form of its answer.

import { checkTranscript } from '../../conversation/check-transcript.ts';
import type { CallerParameters, Conversation } from '../../conversation/conversation.ts';
import { withoutParallel } from '../../conversation/parse-conversation.ts';
import { MESSAGES } from '../../conversation/parse-messages.ts';
import { MAX_TOKENS, PARAMETERS } from '../../conversation/parse-parameters.ts';
import { parseToolChoice, RESPONSE_FORMAT, TOOLS } from '../../conversation/parse-tools.ts';
import { FLAG, invalidAt, type LocatedValue, openObject, optional } from '../../conversation/reader.ts';
import {
  checkSize,
  conversationMembers,
  memberAt,
  PROMPT_CACHE_KEY,
  parse,
  parseBody,
  parseModel,
  required,
} from '../parse.ts';
import type { AddressedNeuron, Invocation, UnparsedInvocation } from '../surface.ts';
import { HARMLESS_VALUES, OPENAI_FIELDS, SERVICE_TIERS } from './fields.ts';

/** An invocation with the form of its answer. */
export interface OpenaiInvocation extends Invocation {
  readonly completion: {
    /** As the caller named it; it is that of the answer. */
    readonly model: string;
    /** True where the stream ends with a chunk of usage. */
    readonly includeUsage: boolean;
    /** True where the answer is limited by `max_tokens`, the older name. */
    readonly usesMaxTokens: boolean;
  };
}

export type Body = Readonly<Record<string, unknown>>;

/**
 * Throws `malformed_json` or `malformed_body` (400), `model_not_found` (404) where `model` is neither the neuron nor
 * `organization/neuron`, `invalid_input` with the path of the first mistake, `input_too_large`, `invalid_parameter` (422).
 */
export function parseOpenaiInvocation(
  unparsed: UnparsedInvocation,
  addressed: AddressedNeuron,
): OpenaiInvocation {
  const body = parseBody(unparsed.body);
  const leftOut = Object.keys(body).filter((name) => isLeftOut(name, body[name]));
  const model = parseModel(body, addressed);
  const stream = parse(body, 'stream', FLAG.read) ?? false;
  const conversation = parseTurns(body);
  checkSize(conversation, addressed, 'messages');
  const completion = {
    model,
    includeUsage: parseStreamOptions(body, stream),
    usesMaxTokens: body['max_tokens'] != null,
  };
  return {
    ...conversationMembers(unparsed, body, conversation, conversation.promptCacheKey),
    stream,
    leftOut,
    completion,
  };
}

/** True for a field without effect. Throws for one whose value would change the meaning of the answer. */
function isLeftOut(name: string, value: unknown): boolean {
  // Null is absent: clients send it for fields that were not set.
  if (value === null || value === undefined) return false;
  const treatment = Object.hasOwn(OPENAI_FIELDS, name) ? OPENAI_FIELDS[name] : 'leftOut';
  if (treatment === 'refused' && !isHarmless(name, value)) throw invalidAt(name, 'is not supported');
  if (name === 'service_tier' && !SERVICE_TIERS.includes(value)) throw invalidAt(name, 'must be auto');
  return treatment === 'leftOut';
}

function isHarmless(name: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  return (HARMLESS_VALUES[name] ?? []).some((harmless) => JSON.stringify(harmless) === text);
}

function parseTurns(body: Body): Conversation {
  const parsed = MESSAGES.read(required(body, 'messages'));
  const tools = parse(body, 'tools', TOOLS.read) ?? [];
  const toolChoice = parse(body, 'tool_choice', (member) => parseChoice(member, tools));
  const format = parse(body, 'response_format', RESPONSE_FORMAT.read);
  const promptCacheKey = parse(body, 'prompt_cache_key', PROMPT_CACHE_KEY.read);
  return {
    ...checkTranscript(parsed),
    tools,
    parameters: withoutParallel(parseParameters(body), tools),
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...format,
    ...(promptCacheKey === undefined ? {} : { promptCacheKey }),
  };
}

/** Clients send `none` and `auto` without tools too, where they mean nothing. */
function parseChoice(member: LocatedValue, tools: Conversation['tools']): Conversation['toolChoice'] {
  if (tools.length === 0 && (member.value === 'none' || member.value === 'auto')) return undefined;
  return parseToolChoice(member, tools);
}

/** Read under the native names; errors name a member as the caller wrote it (`toOpenaiName`). */
function parseParameters(body: Body): CallerParameters {
  const { max_completion_tokens: most, max_tokens: older } = body;
  if (most != null && older != null) {
    throw invalidAt('max_tokens', 'and "max_completion_tokens" exclude each other');
  }
  if (older != null) MAX_TOKENS.read({ path: 'max_tokens', value: older });
  return PARAMETERS.read({
    path: 'parameters',
    value: {
      temperature: body['temperature'],
      topP: body['top_p'],
      maxTokens: most ?? older,
      stop: body['stop'],
      seed: body['seed'],
      frequencyPenalty: body['frequency_penalty'],
      presencePenalty: body['presence_penalty'],
      logitBias: body['logit_bias'],
      reasoningEffort: body['reasoning_effort'],
      verbosity: body['verbosity'],
      parallelToolCalls: body['parallel_tool_calls'],
    },
  });
}

/** Obfuscation pads frames against readers of their lengths; here it changes nothing. */
const STREAM_OPTIONS = openObject({ include_usage: optional(FLAG), include_obfuscation: optional(FLAG) });

function parseStreamOptions(body: Body, stream: boolean): boolean {
  const member = memberAt(body, 'stream_options');
  if (member === undefined) return false;
  if (!stream) throw invalidAt(member.path, 'goes with "stream": true only');
  return STREAM_OPTIONS.read(member).include_usage ?? false;
}
