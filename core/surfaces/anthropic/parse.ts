// Parses a request for a message (platform.claude.com/docs/en/api/messages) into a conversation and the form of its answer.
import type { ReasoningEffort } from '../../contract/reasoning-efforts.ts';
import { checkTranscript } from '../../conversation/check-transcript.ts';
import type {
  CallerParameters,
  Conversation,
  ThinkingWish,
  ToolChoice,
  ToolDefinition,
} from '../../conversation/conversation.ts';
import { PARAMETERS } from '../../conversation/parse-parameters.ts';
import { RESPONSE_FORMAT, TOOL } from '../../conversation/parse-tools.ts';
import { choice, FLAG, integer, invalidAt, type LocatedValue, NAME } from '../../conversation/reader.ts';
import { cacheHintsOf } from '../../conversation/size.ts';
import { isJsonObject, type JsonObject, memberOf, textMemberOf } from '../../text/json.ts';
import {
  checkFields,
  checkSize,
  conversationMembers,
  memberAt,
  parse,
  parseBody,
  parseModel,
  required,
} from '../parse.ts';
import type { AddressedNeuron, Invocation, UnparsedInvocation } from '../surface.ts';
import { cacheOf, parseSystem, parseTurns, TOOL_LIST } from './blocks.ts';
import { MESSAGE_FIELDS } from './fields.ts';

/** An invocation with the form of its answer. */
export interface AnthropicInvocation extends Invocation {
  /** As the caller named it. */
  readonly model: string;
}

/**
 * Throws `malformed_json` or `malformed_body` (400), `model_not_found` (404) where `model` is neither the neuron nor
 * `organization/neuron`, `invalid_input` with the path of the first mistake, `input_too_large`, `invalid_parameter` (422).
 */
export function parseAnthropicInvocation(
  unparsed: UnparsedInvocation,
  addressed: AddressedNeuron,
): AnthropicInvocation {
  const read = parseBody(unparsed.body);
  const body = addressed.countsTokens === true ? { max_tokens: 1, ...read } : read;
  const namesLeftOut = checkFields(body, MESSAGE_FIELDS);
  const model = parseModel(body, addressed);
  const { conversation, leftOut } = parseConversation(body);
  checkSize(conversation, addressed, 'messages');
  return {
    ...conversationMembers(unparsed, body, conversation, memberOf(body['metadata'], 'user_id')),
    stream: parse(body, 'stream', FLAG.read) ?? false,
    leftOut: [...leftOut, ...namesLeftOut],
    model,
  };
}

function parseConversation(body: JsonObject) {
  const turns = parseTurns(required(body, 'messages'));
  const { tools, leftOut } = parseTools(memberAt(body, 'tools'));
  const chosen = parse(body, 'tool_choice', (member) => parseChoice(member, tools));
  const system = parse(body, 'system', parseSystem) ?? [];
  const transcript = checkTranscript(turns.messages);
  const schema = parse(body, 'output_config', parseFormat);
  const thinking = parse(body, 'thinking', parseThinking) ?? {};
  const effort = parse(body, 'output_config', parseEffort);
  const conversation: Conversation = {
    ...transcript,
    system: [...system, ...transcript.system],
    tools,
    parameters: {
      ...parseSampling(body),
      ...(effort === undefined ? {} : { reasoningEffort: effort }),
      ...(chosen?.isParallel === false ? { parallelToolCalls: false } : {}),
    },
    ...(chosen?.toolChoice === undefined ? {} : { toolChoice: chosen.toolChoice }),
    ...(schema === undefined ? {} : { schema }),
    ...(thinking.wish === undefined ? {} : { thinking: thinking.wish }),
  };
  checkCacheHints(conversation);
  return { conversation, leftOut: [...turns.leftOut, ...leftOut, ...(thinking.leftOut ?? [])] };
}

/** As many as Anthropic takes. */
const MAX_CACHE_HINTS = 4;

function checkCacheHints(conversation: Conversation): void {
  if (cacheHintsOf(conversation).length > MAX_CACHE_HINTS)
    throw invalidAt('cache_control', `must not be on more than ${MAX_CACHE_HINTS} blocks`);
}

/** Tools of Anthropic's own, whose types carry a date, are offered to no model here: none can claim to have used one. */
function parseTools(member: LocatedValue | undefined) {
  const tools: ToolDefinition[] = [];
  const leftOut: string[] = [];
  for (const [index, value] of (member === undefined ? [] : TOOL_LIST.read(member)).entries()) {
    const path = `tools[${index}]`;
    if (!isJsonObject(value)) throw invalidAt(path, 'must be an object');
    const { type = 'custom', name, description, input_schema: parameters, strict } = value;
    if (type !== 'custom' && type !== null) {
      leftOut.push(path);
      continue;
    }
    const called = { name, description, parameters, strict };
    const tool = TOOL.read({ path, value: { type: 'function', function: called } });
    if (tools.some((one) => one.name === tool.name))
      throw invalidAt(`${path}.name`, 'must not be used twice');
    tools.push({ ...tool, ...cacheOf(path, value) });
  }
  return { tools, leftOut };
}

const CHOICES = choice(['auto', 'any', 'tool', 'none']);

/** Clients send a choice without tools, too, where it means nothing. */
function parseChoice({ path, value }: LocatedValue, tools: readonly ToolDefinition[]) {
  const type = CHOICES.read({ path: `${path}.type`, value: memberOf(value, 'type') });
  const disabled = memberOf(value, 'disable_parallel_tool_use') ?? false;
  const isParallel = !FLAG.read({ path: `${path}.disable_parallel_tool_use`, value: disabled });
  if (type === 'tool') {
    const name = NAME.read({ path: `${path}.name`, value: memberOf(value, 'name') });
    if (!tools.some((tool) => tool.name === name))
      throw invalidAt(`${path}.name`, 'must be the name of a tool');
    return { toolChoice: { name } as ToolChoice, isParallel };
  }
  if (tools.length > 0) return { toolChoice: MODES[type], isParallel };
  if (type === 'any') throw invalidAt(path, 'goes with tools that can be called only');
  return { toolChoice: undefined, isParallel: true };
}

const MODES = { auto: 'auto', any: 'required', none: 'none' } as const;

function parseFormat({ path, value }: LocatedValue): Conversation['schema'] {
  const format = memberOf(value, 'format');
  if (format === undefined || format === null) return undefined;
  const { type, schema } = isJsonObject(format) ? format : {};
  if (type === 'json_object') throw invalidAt(`${path}.format.type`, 'must be json_schema');
  return RESPONSE_FORMAT.read({
    path: `${path}.format`,
    value: { type, json_schema: { name: 'output', schema, strict: true } },
  }).schema;
}

/** A type that is not known here is left out: it says how a model thinks, and not what it answers. */
function parseThinking({ path, value }: LocatedValue): {
  readonly wish?: ThinkingWish;
  readonly leftOut?: readonly string[];
} {
  const type = textMemberOf(value, 'type');
  if (type === 'disabled') return { wish: { mode: 'off' } };
  if (type === 'adaptive') return { wish: { mode: 'adaptive' } };
  if (type !== 'enabled') return { leftOut: [path] };
  const tokens = BUDGET.read({ path: `${path}.budget_tokens`, value: memberOf(value, 'budget_tokens') });
  return { wish: { mode: 'budget', tokens } };
}

/** As the API bounds it from below. */
const BUDGET = integer(1_024, 1_000_000);

const EFFORTS = choice(['low', 'medium', 'high', 'xhigh', 'max']);

function parseEffort({ path, value }: LocatedValue): ReasoningEffort | undefined {
  const effort = memberOf(value, 'effort') ?? undefined;
  return effort === undefined ? undefined : EFFORTS.read({ path: `${path}.effort`, value: effort });
}

/** Read under the native names; errors name a member as the caller wrote it. */
function parseSampling(body: JsonObject): CallerParameters {
  const { max_tokens: maxTokens, temperature, top_p: topP, stop_sequences: stop } = body;
  required(body, 'max_tokens');
  const isStop = Array.isArray(stop) && stop.length > 0;
  return PARAMETERS.read({
    path: 'parameters',
    value: { temperature, topP, maxTokens, ...(isStop ? { stop } : {}) },
  });
}
