// Builds a request of Responses (platform.openai.com/docs/api-reference/responses/create), of which nothing is stored at the provider.
import { ServiceError } from '../../../../core/contract/service-error.ts';
import {
  type AssistantBlock,
  type ContentPart,
  type Message,
  type SealedReasoning,
  type ToolCall,
  type ToolDefinition,
  textOfParts,
} from '../../../../core/conversation/conversation.ts';
import { argumentsText } from '../../../../core/conversation/tool-arguments.ts';
import type { ModelRequest, Omission } from '../../../../core/ports/providers.ts';
import { isReplayable } from '../../alternating-turns.ts';
import { omissionsOfMessages, presentIn, rejectBiases, type SentRequest } from '../../omissions.ts';
import { openItem } from './response.ts';

/** Models that think, by their names at OpenAI, Azure and Bedrock: the others reject a request that is about thoughts. */
const THINKS = /(?:^|[./-])(?:o[1-9](?![\w.])|gpt-(?:[5-9]|oss)|codex)/;

/** The body of one call. Throws `not_accepted` for what the API has no place for and would change the answer. */
export function buildResponsesRequest(request: ModelRequest): Record<string, unknown> {
  const { model, system, messages, maxTokens, temperature, topP, promptCacheKey } = request;
  const { tools, toolChoice, parallelToolCalls } = request;
  rejectBiases(request);
  rejectStops(request);
  const text = toText(request);
  return {
    model,
    ...(system.length === 0 ? {} : { instructions: system.map((block) => block.text).join('\n\n') }),
    input: messages.flatMap((message) => toItems(message, request)),
    max_output_tokens: maxTokens,
    store: false,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(tools === undefined ? {} : { tools: tools.map(toFunction) }),
    ...(toolChoice === undefined ? {} : { tool_choice: toChoice(toolChoice) }),
    ...(tools === undefined || parallelToolCalls !== false ? {} : { parallel_tool_calls: false }),
    ...(Object.keys(text).length === 0 ? {} : { text }),
    ...(promptCacheKey === undefined ? {} : { prompt_cache_key: promptCacheKey }),
    ...toReasoning(request),
  };
}

/** Without a stop sequence the answer would go on where its caller wants it to end. */
function rejectStops({ stopSequences }: ModelRequest): void {
  if (stopSequences === undefined) return;
  throw new ServiceError('not_accepted', {
    param: 'parameters.stop',
    detail: '"parameters.stop": the provider of this neuron has no stop sequences. Leave it out.',
    reason: 'a provider with `api: responses` has no stop sequences',
  });
}

/** Thoughts come sealed, and as a summary where the caller wants to see how the model thinks. */
function toReasoning({ model, reasoningEffort, thinking }: ModelRequest): Record<string, unknown> {
  const effort = reasoningEffort ?? (thinking?.mode === 'off' ? 'none' : undefined);
  const summary = thinking === undefined || thinking.mode === 'off' ? {} : { summary: 'auto' };
  if (!THINKS.test(model)) return reasoningEffort === undefined ? {} : { reasoning: { effort } };
  const reasoning = { ...(effort === undefined ? {} : { effort }), ...summary };
  return {
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    include: ['reasoning.encrypted_content'],
  };
}

function toText({ schema, json, verbosity }: ModelRequest): Record<string, unknown> {
  return {
    ...(schema === undefined ? {} : { format: { type: 'json_schema', ...schema } }),
    ...(json === true ? { format: { type: 'json_object' } } : {}),
    ...(verbosity === undefined ? {} : { verbosity }),
  };
}

/** The API is strict where nothing is said, which changes what a tool may take. */
function toFunction({ name, description, parameters, strict = false }: ToolDefinition) {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters,
    strict,
  };
}

function toChoice(choice: NonNullable<ModelRequest['toolChoice']>): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', name: choice.name };
}

function toItems(message: Message, request: SentRequest): readonly Record<string, unknown>[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'developer', content: message.text }];
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }];
    case 'tool':
      return [
        {
          type: 'function_call_output',
          call_id: message.toolCallId,
          output: toOutput(message.content, message.isError === true),
        },
      ];
    case 'assistant':
      return message.blocks.flatMap((block, index) =>
        toOwnItem(block, message.blocks.slice(index + 1), request),
      );
  }
}

/** A thought is rejected without the item that it led to. */
function toOwnItem(
  block: AssistantBlock,
  later: readonly AssistantBlock[],
  request: SentRequest,
): readonly Record<string, unknown>[] {
  if (block.type === 'text') {
    return [{ role: 'assistant', content: [{ type: 'output_text', text: block.text }] }];
  }
  if (block.type === 'toolCall') return [toCall(block.call)];
  const leads = later.some(({ type }) => type !== 'reasoning');
  const item = leads ? itemOf(block.reasoning, request) : undefined;
  return item === undefined ? [] : [item];
}

/** The item as its model sealed it; undefined for that of another. */
function itemOf(reasoning: SealedReasoning, { model }: SentRequest): Record<string, unknown> | undefined {
  if (!isReplayable(reasoning, { origin: 'openai', model })) return undefined;
  const item = openItem(reasoning);
  return item === undefined ? undefined : { type: 'reasoning', ...item };
}

function toCall({ id, name, arguments: input }: ToolCall): Record<string, unknown> {
  return { type: 'function_call', call_id: id, name, arguments: argumentsText(input) };
}

/** The API has no member for a tool that failed. */
function toOutput(content: readonly ContentPart[], isError: boolean): unknown {
  const error = isError ? 'Error: ' : '';
  if (content.every(({ type }) => type === 'text')) return error + textOfParts(content);
  const failed: readonly ContentPart[] = isError ? [{ type: 'text', text: error }] : [];
  return [...failed, ...content].map(toPart);
}

function toPart(part: ContentPart): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
    case 'imageAddress': {
      const url = part.type === 'image' ? `data:${part.mediaType};base64,${part.data}` : part.url;
      return { type: 'input_image', image_url: url, detail: part.detail ?? 'auto' };
    }
    case 'document': {
      const data = `data:${part.mediaType};base64,${part.data}`;
      return { type: 'input_file', filename: part.name ?? 'document.pdf', file_data: data };
    }
  }
}

/** The parts of a request that the API has no place for. */
export function omissionsOfResponses(request: SentRequest): readonly Omission[] {
  return [
    ...presentIn(request, ['seed', 'frequencyPenalty', 'presencePenalty']),
    ...omissionsOfMessages(request, { origin: 'openai', details: true, cacheHints: false }),
  ];
}
