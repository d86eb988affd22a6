// Builds a chat completion request (platform.openai.com/docs/api-reference/chat/create).

import type {
  ContentPart,
  ImagePart,
  Message,
  ToolCall,
  ToolDefinition,
} from '../../../core/conversation/conversation.ts';
import { argumentsText } from '../../../core/conversation/tool-arguments.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';

/**
 * The hosts of OpenAI's own models. Their newer models reject `max_tokens` and take `max_completion_tokens`; compatible servers take
 * `max_tokens` and may ignore the other (Ollama does), which would leave the output unbounded.
 */
const OPENAI_HOSTS = /^(?:.+\.)?api\.openai\.com$|\.openai\.azure\.com$/;

/** Keeps a query of the base URL (`?api-version=…`). */
export function toEndpointUrl(
  baseUrl: string,
  endpoint: 'chat/completions' | 'embeddings' | 'models',
): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint}`;
  return url.href;
}

/** The body of one call. Unset members are not sent: many models reject members that they do not know. */
export function buildCompletionRequest(baseUrl: string, request: ModelRequest): Record<string, unknown> {
  const { model, system, messages, maxTokens, temperature, topP, stopSequences, seed } = request;
  const { tools, toolChoice, schema, reasoningEffort } = request;
  const limit = OPENAI_HOSTS.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      ...messages.map(toChatMessage),
    ],
    [limit]: maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(stopSequences === undefined ? {} : { stop: stopSequences }),
    ...(seed === undefined ? {} : { seed }),
    ...(tools === undefined ? {} : { tools: tools.map(toChatTool) }),
    ...(toolChoice === undefined
      ? {}
      : {
          tool_choice:
            typeof toolChoice === 'string'
              ? toolChoice
              : { type: 'function', function: { name: toolChoice.name } },
        }),
    ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: schema } }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
  };
}

function toChatMessage(message: Message): Record<string, unknown> {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.text };
  }
  if (message.role === 'user') return { role: 'user', content: toChatContent(message.content) };
  const { text, toolCalls } = message;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map(toChatToolCall) }),
  };
}

/** One text is sent as a string, which every compatible server reads. */
function toChatContent(content: readonly ContentPart[]): unknown {
  const [only, ...others] = content;
  if (only?.type === 'text' && others.length === 0) return only.text;
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: toImageUrl(part) },
  );
}

function toImageUrl({ mediaType, data, detail }: ImagePart) {
  return { url: `data:${mediaType};base64,${data}`, ...(detail === undefined ? {} : { detail }) };
}

function toChatToolCall({ id, name, arguments: input }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

function toChatTool(tool: ToolDefinition) {
  return { type: 'function', function: tool };
}
