// Parses a request for a message that goes to its provider as it is: rejects what no caller may ask of a vendor in the operator's name, and
// reads the rest as far as limits, sizes and the log need it.
import { ServiceError } from '../../contract/service-error.ts';
import type {
  AssistantBlock,
  CacheHint,
  ContentPart,
  Conversation,
  Message,
  PassedRequest,
  SealedReasoning,
  SystemBlock,
  ToolDefinition,
} from '../../conversation/conversation.ts';
import { MAX_TOKENS } from '../../conversation/parse-parameters.ts';
import { FLAG, invalidAt, type LocatedValue, NAME, TEXT } from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, memberOf, textMemberOf, toList } from '../../text/json.ts';
import {
  checkSize,
  conversationMembers,
  memberAt,
  parse,
  parseBody,
  parseModel,
  required,
} from '../parse.ts';
import { openReasoning } from '../sealed-reasoning.ts';
import type { AddressedNeuron, UnparsedInvocation } from '../surface.ts';
import { type Block, MESSAGE_LIST, ROLE, readAssistant, readPart, TOOL_LIST, toBlocks } from './blocks.ts';
import { rejectDenied } from './denied.ts';
import type { AnthropicInvocation } from './parse.ts';

/**
 * Throws as `parseAnthropicInvocation` does. Blocks, tools and members that are not known here are passed on, too, and count by the length
 * of their JSON.
 */
export function parsePassedInvocation(
  unparsed: UnparsedInvocation,
  addressed: AddressedNeuron,
): AnthropicInvocation {
  const read = parseBody(unparsed.body);
  const body = addressed.countsTokens === true ? { max_tokens: 1, ...read } : read;
  const model = parseModel(body, addressed);
  const maxTokens = MAX_TOKENS.read(required(body, 'max_tokens'));
  rejectDenied(body);
  const conversation = parseConversation(body, versionOf(unparsed));
  checkSize(conversation, addressed, 'messages');
  return {
    ...conversationMembers(
      unparsed,
      body,
      { ...conversation, parameters: { maxTokens } },
      memberOf(body['metadata'], 'user_id'),
    ),
    stream: parse(body, 'stream', FLAG.read) ?? false,
    model,
  };
}

/** The forms of the API that this service reads. */
const VERSIONS: readonly string[] = ['2023-06-01', '2026-10-21'];

/** Names of parts of the API that are not final, such as `context-management-2025-06-27`. */
const BETA = /^[a-z0-9][a-z0-9.-]{0,99}$/;
const MAX_BETAS = 50;

function versionOf({ vendorVersion }: UnparsedInvocation): Pick<PassedRequest, 'version' | 'betas'> {
  const { versions = [], betas = [] } = vendorVersion ?? {};
  const [version = VERSIONS[0] ?? ''] = versions;
  if (versions.length > 1 || !VERSIONS.includes(version)) {
    throw new ServiceError('invalid_parameter', {
      param: 'anthropic-version',
      detail: `The header anthropic-version must be one of ${VERSIONS.join(', ')}.`,
    });
  }
  const names = new Set(betas.flatMap((one) => one.split(',')).flatMap((one) => one.trim() || []));
  if (names.size > MAX_BETAS || ![...names].every((name) => BETA.test(name))) {
    throw new ServiceError('invalid_parameter', {
      param: 'anthropic-beta',
      detail: `The header anthropic-beta must be at most ${MAX_BETAS} names, separated by commas.`,
    });
  }
  return { version, betas: [...names] };
}

function parseConversation(
  body: JsonObject,
  version: Pick<PassedRequest, 'version' | 'betas'>,
): Conversation {
  const thoughts: Thoughts = new Map();
  const messages = MESSAGE_LIST.read(required(body, 'messages')).flatMap((one) => readMessage(one, thoughts));
  const { tools, vendorTools } = readTools(memberAt(body, 'tools'));
  const cache = longestHint(body);
  const passed: PassedRequest = {
    body,
    ...version,
    thoughts,
    vendorTools,
    ...(cache === undefined ? {} : { cache }),
  };
  return {
    system: readSystem(memberAt(body, 'system')),
    messages,
    tools,
    parameters: {},
    passed,
  };
}

type Thoughts = Map<unknown, SealedReasoning | undefined>;

function readMessage({ path, value }: Block, thoughts: Thoughts): readonly Message[] {
  const role = ROLE.read({ path: `${path}.role`, value: value['role'] });
  const blocks = toBlocks({ path: `${path}.content`, value: value['content'] });
  if (role === 'system') return blocks.map((block) => ({ role, text: textOf(block) }));
  if (role === 'assistant') {
    return [{ role, blocks: blocks.flatMap((block) => readOwn(block, thoughts)) }];
  }
  const results = blocks.filter(({ value: { type } }) => type === 'tool_result');
  const others = blocks.filter(({ value: { type } }) => type !== 'tool_result');
  return [
    ...results.map((block) => known(block, readToolResult, asUser)),
    ...(others.length === 0 && results.length > 0
      ? []
      : [{ role, content: others.map((block) => known(block, readPart, asText)) }]),
  ];
}

function readToolResult({ path, value }: Block): Message {
  const { tool_use_id: id, content } = value;
  const blocks =
    content === undefined || content === null ? [] : toBlocks({ path: `${path}.content`, value: content });
  return {
    role: 'tool',
    toolCallId: TEXT.read({ path: `${path}.tool_use_id`, value: id }),
    content: blocks.map((block) => known(block, readPart, asText)),
  };
}

function readOwn(block: Block, thoughts: Thoughts): readonly AssistantBlock[] {
  const { value } = block;
  const { type, signature, data } = value;
  if (type !== 'thinking' && type !== 'redacted_thinking') {
    return known(
      block,
      (one) => readAssistant(one, []),
      (one) => [asText(one)],
    );
  }
  const sealed = type === 'thinking' ? signature : data;
  const reasoning = openReasoning(typeof sealed === 'string' ? sealed : '');
  thoughts.set(value, reasoning);
  if (reasoning === undefined) return [];
  const text = textMemberOf(value, 'thinking');
  return [{ type: 'reasoning', reasoning: { ...reasoning, ...(text === undefined ? {} : { text }) } }];
}

/** A block as far as it is known, or all of it as a text. */
function known<Value>(
  block: Block,
  read: (block: Block) => Value,
  otherwise: (block: Block) => Value,
): Value {
  try {
    return read(block);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return otherwise(block);
    throw thrown;
  }
}

function asText({ value }: Block): Extract<ContentPart, { type: 'text' }> {
  return { type: 'text', text: JSON.stringify(value) };
}

function asUser(block: Block): Message {
  return { role: 'user', content: [asText(block)] };
}

function textOf({ value }: Block): string {
  return value['type'] === 'text' ? (textMemberOf(value, 'text') ?? '') : JSON.stringify(value);
}

function readSystem(member: LocatedValue | undefined): readonly SystemBlock[] {
  return member === undefined ? [] : toBlocks(member).map((block) => ({ text: textOf(block) }));
}

/** A tool counts by the length of its JSON, and one of the vendor's kinds by what the vendor says of it as well. */
function readTools(member: LocatedValue | undefined) {
  const tools: ToolDefinition[] = [];
  let vendorTools = 0;
  for (const [index, tool] of (member === undefined ? [] : TOOL_LIST.read(member)).entries()) {
    if (!isJsonObject(tool)) throw invalidAt(`tools[${index}]`, 'must be an object');
    const { type = 'custom' } = tool;
    if (type !== 'custom' && type !== null) vendorTools += 1;
    const name = NAME.read({ path: `tools[${index}].name`, value: tool['name'] });
    tools.push({ name, parameters: tool });
  }
  return { tools, vendorTools };
}

/** The longest time of all places that may ask for one. */
function longestHint(body: JsonObject): CacheHint['ttl'] | undefined {
  const messages = toList(body['messages']).flatMap((message) => toList(memberOf(message, 'content')));
  const nested = messages.flatMap((block) => toList(memberOf(block, 'content')));
  const places = [body, ...toList(body['system']), ...toList(body['tools']), ...messages, ...nested];
  const times = places.flatMap((place) => {
    const control = memberOf(place, 'cache_control');
    return control === undefined || control === null ? [] : [memberOf(control, 'ttl') ?? '5m'];
  });
  if (times.length === 0) return undefined;
  return times.every((time) => time === '5m') ? '5m' : '1h';
}
