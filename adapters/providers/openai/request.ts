// Builds a chat completion request (platform.openai.com/docs/api-reference/chat/create).

import {
  type ContentPart,
  callsOfBlocks,
  type ImageAddress,
  type ImagePart,
  type Message,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  textOfBlocks,
  textOfParts,
} from '../../../core/conversation/conversation.ts';
import { argumentsText } from '../../../core/conversation/tool-arguments.ts';
import type { ModelRequest } from '../../../core/ports/providers.ts';
import type { OpenaiSettings } from './credentials.ts';

/**
 * The hosts of OpenAI's own models. Their newer models reject `max_tokens` and take `max_completion_tokens`; compatible servers take
 * `max_tokens` and may ignore the other (Ollama does), which would leave the output unbounded.
 */
const OPENAI_HOSTS = /^(?:.+\.)?api\.openai\.com$|\.openai\.azure\.com$/;

/** With the parameters of `query`, such as Azure's `api-version`, beside those of the base URL. */
export function toEndpointUrl(
  { baseUrl, query = {} }: Pick<OpenaiSettings, 'baseUrl' | 'query'>,
  endpoint: 'chat/completions' | 'completions' | 'responses' | 'embeddings' | 'models' | 'moderations',
): string {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${endpoint}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The body of one call. Unset members are not sent: many models reject members that they do not know. */
export function buildCompletionRequest(
  baseUrl: string,
  request: Omit<ModelRequest, 'signal'>,
): Record<string, unknown> {
  const { model, system, messages, maxTokens, temperature, topP, stopSequences, seed } = request;
  const { tools, toolChoice, parallelToolCalls, schema, json, reasoningEffort } = request;
  const limit = OPENAI_HOSTS.test(new URL(baseUrl).hostname) ? 'max_completion_tokens' : 'max_tokens';
  return {
    model,
    messages: [
      ...(system.length === 0
        ? []
        : [{ role: 'system', content: system.map(({ text }) => text).join(PARAGRAPH) }]),
      ...toChatMessages(messages),
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
    ...(tools === undefined || parallelToolCalls !== false ? {} : { parallel_tool_calls: false }),
    ...(schema === undefined ? {} : { response_format: { type: 'json_schema', json_schema: schema } }),
    ...(json === true ? { response_format: { type: 'json_object' } } : {}),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    ...toTuning(request),
  };
}

/** The members that this API alone has. */
function toTuning(request: Omit<ModelRequest, 'signal'>): Record<string, unknown> {
  const { frequencyPenalty, presencePenalty, logitBias, verbosity, promptCacheKey } = request;
  return {
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(logitBias === undefined ? {} : { logit_bias: logitBias }),
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(promptCacheKey === undefined ? {} : { prompt_cache_key: promptCacheKey }),
  };
}

/** Between the texts of the system: some servers take one such message only. */
const PARAGRAPH = '\n\n';

/**
 * A result of a tool is a text in this API: its images and documents follow in a turn of the user, behind all results of the calls that they
 * belong to.
 */
function toChatMessages(messages: readonly Message[]): readonly Record<string, unknown>[] {
  const sent: Record<string, unknown>[] = [];
  let files: ContentPart[] = [];
  const sendFiles = (): void => {
    if (files.length > 0) sent.push({ role: 'user', content: toChatContent(files) });
    files = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') sendFiles();
    sent.push(toChatMessage(message));
    if (message.role === 'tool') files.push(...filesOf(message));
  }
  sendFiles();
  return sent;
}

function filesOf({ toolCallId, content }: ToolResult): readonly ContentPart[] {
  const files = content.filter(({ type }) => type !== 'text');
  return files.length === 0 ? [] : [{ type: 'text', text: `From the result of ${toolCallId}:` }, ...files];
}

function toChatMessage(message: Message): Record<string, unknown> {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: toChatContent(message.content) };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: toResultText(message) };
    case 'assistant': {
      const text = textOfBlocks(message.blocks);
      const calls = callsOfBlocks(message.blocks);
      return {
        role: 'assistant',
        content: text === '' && calls.length > 0 ? null : text,
        ...(calls.length === 0 ? {} : { tool_calls: calls.map(toChatToolCall) }),
      };
    }
  }
}

/** The API has no member for a tool that failed. */
function toResultText({ content, isError = false }: ToolResult): string {
  return (isError ? 'Error: ' : '') + textOfParts(content);
}

/** One text is sent as a string, which every compatible server reads. */
function toChatContent(content: readonly ContentPart[]): unknown {
  const [only, ...others] = content;
  if (only?.type === 'text' && others.length === 0) return only.text;
  return content.map(toChatPart);
}

function toChatPart(part: ContentPart): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
    case 'imageAddress':
      return { type: 'image_url', image_url: toImageUrl(part) };
    case 'document': {
      const { mediaType, data, name } = part;
      // The API wants a name beside the data.
      return {
        type: 'file',
        file: { filename: name ?? 'document.pdf', file_data: `data:${mediaType};base64,${data}` },
      };
    }
  }
}

function toImageUrl(image: ImagePart | ImageAddress) {
  const url = image.type === 'image' ? `data:${image.mediaType};base64,${image.data}` : image.url;
  return { url, ...(image.detail === undefined ? {} : { detail: image.detail }) };
}

function toChatToolCall({ id, name, arguments: input }: ToolCall) {
  return { id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

function toChatTool({ cache: _cache, ...tool }: ToolDefinition) {
  return { type: 'function', function: tool };
}
