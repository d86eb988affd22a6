// Builds a Messages request (platform.claude.com/docs/en/api/messages).

import type { ToolChoice, ToolDefinition } from '../../../core/conversation/conversation.ts';
import { argumentsObject } from '../../../core/conversation/tool-arguments.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';
import { type Block, type Turn, toAlternatingTurns } from '../alternating-turns.ts';

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

export function buildMessagesHeaders(key: string): Record<string, string> {
  return { 'x-api-key': key, 'anthropic-version': API_VERSION };
}

/**
 * The body of one call. The API has no seed, and temperatures up to 1, not 2 as others. `output_config.format` is structured output,
 * for Claude 4.5 and later.
 */
export function buildMessagesRequest(request: ModelRequest): Record<string, unknown> {
  const { model, system, maxTokens, temperature, topP, stopSequences } = request;
  const { tools, toolChoice, schema, reasoningEffort } = request;
  const output = {
    ...(schema === undefined ? {} : { format: { type: 'json_schema', schema: schema.schema } }),
    ...(reasoningEffort === undefined ? {} : { effort: reasoningEffort }),
  };
  return {
    model,
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system }),
    messages: toAlternatingTurns(request.messages).map(toMessageParam),
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop_sequences: stopSequences }),
    ...(tools === undefined ? {} : { tools: tools.map(toTool) }),
    ...(toolChoice === undefined ? {} : { tool_choice: toToolChoice(toolChoice) }),
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
  };
}

/** One text is sent as a string. */
function toMessageParam({ role, blocks }: Turn): Record<string, unknown> {
  const [only, ...others] = blocks;
  if (only?.type === 'text' && others.length === 0) return { role, content: only.text };
  return { role, content: blocks.map(toBlock) };
}

function toBlock(block: Block): Record<string, unknown> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', source: { type: 'base64', media_type: block.mediaType, data: block.data } };
    case 'toolCall':
      return {
        type: 'tool_use',
        id: block.call.id,
        name: block.call.name,
        input: argumentsObject(block.call.arguments),
      };
    case 'toolResult':
      return { type: 'tool_result', tool_use_id: block.toolCallId, content: block.text };
  }
}

function toTool({ name, description, parameters, strict }: ToolDefinition): Record<string, unknown> {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: parameters,
    ...(strict === true ? { strict } : {}),
  };
}

function toToolChoice(choice: ToolChoice): Record<string, unknown> {
  if (typeof choice !== 'string') return { type: 'tool', name: choice.name };
  return { type: choice === 'required' ? 'any' : choice };
}
