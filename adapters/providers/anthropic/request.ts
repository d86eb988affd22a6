// Builds a Messages request (platform.claude.com/docs/en/api/messages).

import type {
  AnswerSchema,
  CacheHint,
  ContentPart,
  DocumentPart,
  SealedReasoning,
  SystemBlock,
  ToolChoice,
  ToolDefinition,
} from '../../../core/conversation/conversation.ts';
import { argumentsObject } from '../../../core/conversation/tool-arguments.ts';
import type { ModelRequest, Omission } from '../../../core/ports/providers.ts';
import { type Block, systemBlocksOf, type Turn, toAlternatingTurns } from '../alternating-turns.ts';
import {
  effortOfClaude,
  omissionsOfClaude,
  rejectBeginning,
  rejectBiases,
  type SentRequest,
} from '../omissions.ts';
import { thinkingOfClaude } from '../thoughts.ts';
import { buildPassedRequest, dropsThinking, isPassed, passedHeaders } from './passed.ts';

/** The version of the API that requests and answers follow. */
const API_VERSION = '2023-06-01';

export function toMessagesUrl(baseUrl: string): string {
  return toUrl(baseUrl, 'messages');
}

export function toModelsUrl(baseUrl: string): string {
  return toUrl(baseUrl, 'models');
}

function toUrl(baseUrl: string, endpoint: string): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/${endpoint}`;
  return url.href;
}

export function buildMessagesHeaders(
  key: string,
  { passed }: Pick<ModelRequest, 'passed'> = {},
): Record<string, string> {
  const own = { 'anthropic-version': API_VERSION };
  return { 'x-api-key': key, ...(passed === undefined ? own : passedHeaders(passed)) };
}

/** The API has no other place for a description of the whole. */
function describedSchema({ schema, description }: AnswerSchema): Record<string, unknown> {
  return description === undefined ? schema : { description, ...schema };
}

/**
 * The body of one call. The API has no seed, and temperatures up to 1, not 2 as others. `output_config.format` is structured output,
 * for Claude 4.5 and later.
 */
export function buildMessagesRequest(request: ModelRequest): Readonly<Record<string, unknown>> {
  if (isPassed(request)) return buildPassedRequest(request);
  const { model, maxTokens, temperature, topP, stopSequences } = request;
  rejectBiases(request);
  rejectBeginning(request);
  const { tools, schema } = request;
  const reasoningEffort = effortOfClaude(request);
  const thinking = thinkingOfClaude(request, 'anthropic');
  const output = {
    ...(schema === undefined ? {} : { format: { type: 'json_schema', schema: describedSchema(schema) } }),
    ...(reasoningEffort === undefined ? {} : { effort: reasoningEffort }),
  };
  return {
    model,
    max_tokens: maxTokens,
    ...toSystem(systemBlocksOf(request)),
    messages: toAlternatingTurns({ ...request, origin: 'anthropic' }).map(toMessageParam),
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    ...(tools === undefined ? {} : { tools: tools.map(toTool) }),
    ...toToolChoice(request),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
  };
}

/** The parts of a request that its body leaves out. */
export function omissionsOfMessagesRequest(request: SentRequest): readonly Omission[] {
  if (isPassed(request)) return dropsThinking(request) ? ['thinking'] : [];
  return omissionsOfClaude(request, 'anthropic');
}

/** One text is sent as a string. */
function toSystem(blocks: readonly SystemBlock[]): { system?: unknown } {
  const [only, ...others] = blocks;
  if (only === undefined) return {};
  if (others.length === 0 && only.cache === undefined) return { system: only.text };
  return { system: blocks.map(({ text, cache }) => ({ type: 'text', text, ...toCacheControl(cache) })) };
}

/** platform.claude.com/docs/en/build-with-claude/prompt-caching: five minutes where nothing is said. */
function toCacheControl(cache: CacheHint | undefined): { cache_control?: unknown } {
  if (cache === undefined) return {};
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '5m' ? {} : { ttl: cache.ttl }) } };
}

/** One text is sent as a string. */
function toMessageParam({ role, blocks }: Turn): Record<string, unknown> {
  const [only, ...others] = blocks;
  if (only?.type === 'text' && only.cache === undefined && others.length === 0) {
    return { role, content: only.text };
  }
  return { role, content: blocks.map(toBlock) };
}

function toBlock(block: Block): Record<string, unknown> {
  if (block.type === 'reasoning') return toThinking(block.reasoning);
  return { ...toContent(block), ...toCacheControl(block.cache) };
}

function toContent(block: Exclude<Block, { type: 'reasoning' }>): Record<string, unknown> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
    case 'imageAddress':
      return { type: 'image', source: { type: 'url', url: block.url } };
    case 'document':
      return toDocument(block);
    case 'toolCall':
      return {
        type: 'tool_use',
        id: block.call.id,
        name: block.call.name,
        input: argumentsObject(block.call.arguments),
      };
    case 'toolResult':
      return {
        type: 'tool_result',
        tool_use_id: block.toolCallId,
        content: toResultContent(block.content),
        ...(block.isError ? { is_error: true } : {}),
      };
  }
}

function toDocument({ mediaType, data, name }: DocumentPart): Record<string, unknown> {
  const source = { type: 'base64', media_type: mediaType, data };
  return { type: 'document', source, ...(name === undefined ? {} : { title: name }) };
}

function toResultContent(content: readonly ContentPart[]): unknown {
  const [only, ...others] = content;
  if (only === undefined) return '';
  return only.type === 'text' && others.length === 0 ? only.text : content.map(toBlock);
}

/** Byte for byte as it came: the signature is of these very bytes. */
function toThinking({ text, payload }: SealedReasoning): Record<string, unknown> {
  if (text === undefined) return { type: 'redacted_thinking', data: payload };
  return { type: 'thinking', thinking: text, signature: payload };
}

function toTool({ name, description, parameters, strict, cache }: ToolDefinition): Record<string, unknown> {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: parameters,
    ...(strict === true ? { strict } : {}),
    ...toCacheControl(cache),
  };
}

/** The API says how many calls an answer may have beside its choice. */
function toToolChoice({ tools, toolChoice, parallelToolCalls }: ModelRequest): { tool_choice?: unknown } {
  const one = parallelToolCalls === false && tools !== undefined && toolChoice !== 'none';
  if (toolChoice === undefined && !one) return {};
  return {
    tool_choice: { ...toChoice(toolChoice ?? 'auto'), ...(one ? { disable_parallel_tool_use: true } : {}) },
  };
}

function toChoice(choice: ToolChoice): Record<string, unknown> {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}
