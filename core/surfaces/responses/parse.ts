// Parses a request for a response (platform.openai.com/docs/api-reference/responses/create) into a conversation and the form of its answer.
import { checkTranscript } from '../../conversation/check-transcript.ts';
import type { CallerParameters, Conversation } from '../../conversation/conversation.ts';
import { EFFORT, PARAMETERS } from '../../conversation/parse-parameters.ts';
import { RESPONSE_FORMAT } from '../../conversation/parse-tools.ts';
import { FLAG, invalidAt, type LocatedValue, TEXT } from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, memberOf, toJsonObject } from '../../text/json.ts';
import {
  checkFields,
  checkSize,
  conversationMembers,
  memberAt,
  PROMPT_CACHE_KEY,
  parse,
  parseBody,
  parseModel,
  required,
  textOrNull,
} from '../parse.ts';
import type { AddressedNeuron, Invocation, UnparsedInvocation } from '../surface.ts';
import { RESPONSE_FIELDS } from './fields.ts';
import { INCLUDE, parseInput } from './items.ts';
import type { RepeatedMembers } from './response.ts';
import { type ParsedTools, parseToolChoice, parseToolLists } from './tools.ts';

/** An invocation with the members that its answer repeats. */
export interface ResponsesInvocation extends Invocation {
  readonly repeated: RepeatedMembers;
  /** True where the answer shall hold sealed reasoning. */
  readonly sealed: boolean;
}

/**
 * Throws `malformed_json` or `malformed_body` (400), `model_not_found` (404) where `model` is neither the neuron nor
 * `organization/neuron`, `invalid_input` with the path of the first mistake, `input_too_large`, `invalid_parameter` (422).
 */
export function parseResponsesInvocation(
  unparsed: UnparsedInvocation,
  addressed: AddressedNeuron,
): ResponsesInvocation {
  const body = parseBody(unparsed.body);
  const namesLeftOut = checkFields(body, RESPONSE_FIELDS);
  const model = parseModel(body, addressed);
  const include = parse(body, 'include', INCLUDE.read) ?? [];
  const { conversation, tools, leftOut } = parseTurns(body);
  checkSize(conversation, addressed, 'input');
  return {
    ...conversationMembers(unparsed, body, conversation, conversation.promptCacheKey),
    stream: parse(body, 'stream', FLAG.read) ?? false,
    leftOut: [...leftOut, ...namesLeftOut],
    sealed: include.includes('reasoning.encrypted_content'),
    repeated: toRepeated(body, { model, tools, conversation }),
  };
}

interface ParsedTurns {
  readonly conversation: Conversation;
  readonly tools: ParsedTools;
  readonly leftOut: readonly string[];
}

function parseTurns(body: JsonObject): ParsedTurns {
  const input = parseInput(required(body, 'input'));
  const listed = memberAt(body, 'tools');
  const tools = parseToolLists([...(listed === undefined ? [] : [listed]), ...input.tools]);
  const { tools: left, toolChoice } = parseToolChoice(memberAt(body, 'tool_choice'), tools.tools);
  const instructions = parse(body, 'instructions', TEXT.read);
  const transcript = checkTranscript(input.messages);
  const format = parse(body, 'text', parseFormat) ?? {};
  const reasoning = parse(body, 'reasoning', parseReasoning);
  const promptCacheKey = parse(body, 'prompt_cache_key', PROMPT_CACHE_KEY.read);
  return {
    conversation: {
      ...transcript,
      system: [...(instructions ? [{ text: instructions }] : []), ...transcript.system],
      tools: left,
      parameters: {
        ...parseSampling(body),
        ...(reasoning?.effort == null ? {} : { reasoningEffort: reasoning.effort }),
      },
      ...(toolChoice === undefined ? {} : { toolChoice }),
      ...format,
      ...(promptCacheKey === undefined ? {} : { promptCacheKey }),
      ...(reasoning?.thinks === true ? { thinking: { mode: 'adaptive', isImplied: true } } : {}),
    },
    tools,
    leftOut: [...input.leftOut, ...tools.leftOut, ...namesWithin(body)],
  };
}

/** Members of objects of the body that nobody knows, such as `reasoning.context`. */
function namesWithin(body: JsonObject): readonly string[] {
  return Object.entries(KNOWN_WITHIN).flatMap(([name, known]) => {
    const members = Object.entries(toJsonObject(body[name]) ?? {});
    return members.flatMap(([one, value]) => (value == null || known.has(one) ? [] : [`${name}.${one}`]));
  });
}

const KNOWN_WITHIN: Readonly<Record<string, ReadonlySet<string>>> = {
  reasoning: new Set(['effort', 'summary', 'generate_summary']),
  text: new Set(['format', 'verbosity']),
};

/** `text.format` is flat where Chat Completions have an object of its own. */
function parseFormat({ path, value }: LocatedValue): Pick<Conversation, 'schema' | 'json'> | undefined {
  if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
  const format = memberAt(value, 'format', `${path}.format`);
  if (format === undefined) return undefined;
  if (!isJsonObject(format.value)) throw invalidAt(format.path, 'must be an object');
  const { type, ...schema } = format.value;
  const isSchema = type === 'json_schema';
  return RESPONSE_FORMAT.read({
    path: format.path,
    value: isSchema ? { type, json_schema: schema } : { type },
  });
}

/** Read under the native names; errors name a member as the caller wrote it. */
function parseSampling(body: JsonObject): CallerParameters {
  const { max_output_tokens: maxTokens, temperature, top_p: topP, parallel_tool_calls: parallel } = body;
  const verbosity = memberOf(body['text'], 'verbosity');
  const isParallel = parse(body, 'parallel_tool_calls', FLAG.read) ?? true;
  return {
    ...PARAMETERS.read({ path: 'parameters', value: { temperature, topP, maxTokens, verbosity } }),
    ...(isParallel || parallel === undefined ? {} : { parallelToolCalls: false }),
  };
}

/** `thinks` where a model shall think that does so when it is asked only. */
function parseReasoning({ path, value }: LocatedValue) {
  if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
  const located = memberAt(value, 'effort', `${path}.effort`);
  const effort = located === undefined ? null : EFFORT.read(located);
  const summary = textOrNull(value, 'summary');
  const thinks = effort !== null && effort !== 'none' && effort !== 'minimal';
  return { effort, summary, thinks };
}

/** The members of the answer that repeat the request. */
function toRepeated(
  body: JsonObject,
  parsed: { readonly model: string; readonly tools: ParsedTools; readonly conversation: Conversation },
): RepeatedMembers {
  const { model, tools, conversation } = parsed;
  const { parameters } = conversation;
  const { effort = null, summary = null } = parse(body, 'reasoning', parseReasoning) ?? {};
  return {
    model,
    instructions: textOrNull(body, 'instructions'),
    tools: tools.offered,
    tool_choice: isJsonObject(body['tool_choice'])
      ? body['tool_choice']
      : (textOrNull(body, 'tool_choice') ?? 'auto'),
    parallel_tool_calls: parameters.parallelToolCalls ?? true,
    text: {
      format: memberOf(body['text'], 'format') ?? { type: 'text' },
      ...(parameters.verbosity === undefined ? {} : { verbosity: parameters.verbosity }),
    },
    temperature: parameters.temperature ?? 1,
    top_p: parameters.topP ?? 1,
    max_output_tokens: parameters.maxTokens ?? null,
    reasoning: { effort, summary },
    metadata: toJsonObject(body['metadata']) ?? {},
    safety_identifier: textOrNull(body, 'safety_identifier'),
    prompt_cache_key: textOrNull(body, 'prompt_cache_key'),
  };
}
