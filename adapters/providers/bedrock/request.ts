// Builds a Converse request (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).

import { ServiceError } from '../../../core/contract/service-error.ts';
import type {
  AnswerSchema,
  CacheHint,
  ContentPart,
  SealedReasoning,
  SystemBlock,
  ToolChoice,
  ToolDefinition,
} from '../../../core/conversation/conversation.ts';
import { argumentsObject } from '../../../core/conversation/tool-arguments.ts';
import { type ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import { toBedrockHost } from '../../../core/settings/provider-hosts.ts';
import {
  type Block,
  EMPTY_TURN,
  systemBlocksOf,
  type Turn,
  toAlternatingTurns,
} from '../alternating-turns.ts';
import { effortOfClaude, rejectBeginning, rejectBiases } from '../omissions.ts';
import { thinkingOfClaude } from '../thoughts.ts';

/** The last part of the path: `converse` and `converse-stream` for texts, `invoke` for a body of the model's own shape. */
export type ModelOperation = 'converse' | 'converse-stream' | 'invoke';

/** The variables that the AWS SDKs take an endpoint from (docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). */
type EndpointVariables = Readonly<Record<string, string | undefined>>;

/** The id of a model may hold a colon or, as an ARN, a slash: both are encoded. */
export function toModelUrl(
  region: string,
  model: string,
  operation: ModelOperation,
  variables: EndpointVariables,
): string {
  return `${endpointOf(region, variables)}/model/${encodeURIComponent(model)}/${operation}`;
}

/** `path` begins with a slash, and is encoded. */
export function toRuntimeUrl(region: string, path: string, variables: EndpointVariables): string {
  return `${endpointOf(region, variables)}${path}`;
}

/** Where requests in Anthropic's own form go. */
export function toMessagesUrl(region: string, variables: EndpointVariables): string {
  return `${endpointOf(region, variables)}/anthropic/v1/messages`;
}

function endpointOf(region: string, variables: EndpointVariables): string {
  const endpoint = variables['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] || `https://${toBedrockHost(region)}`;
  return endpoint.replace(/\/+$/, '');
}

/** The body of one call. The API has no seed, and temperatures up to 1, not 2 as others. */
export function buildConverseRequest(request: ModelRequest): Record<string, unknown> {
  rejectToolTurnsAlone(request);
  rejectBiases(request);
  rejectBeginning(request);
  const { maxTokens, temperature, topP, stopSequences } = request;
  const { tools, toolChoice, schema } = request;
  const reasoningEffort = effortOfClaude(request);
  const thinking = thinkingOfClaude(request, 'bedrock');
  const output = {
    ...(schema === undefined ? {} : { textFormat: toTextFormat(schema) }),
    ...(reasoningEffort === undefined ? {} : { effort: reasoningEffort }),
  };
  return {
    ...toSystem(systemBlocksOf(request)),
    messages: toMessages(toAlternatingTurns({ ...request, origin: 'bedrock' })),
    inferenceConfig: {
      maxTokens,
      ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
      ...(topP === undefined ? {} : { topP }),
      ...(stopSequences === undefined ? {} : { stopSequences }),
    },
    ...(tools === undefined || toolChoice === 'none' ? {} : { toolConfig: toToolConfig(tools, toolChoice) }),
    ...toGuardrail(request),
    ...(thinking === undefined ? {} : { additionalModelRequestFields: { thinking } }),
    ...(Object.keys(output).length === 0 ? {} : { outputConfig: output }),
  };
}

/** No trace is asked for: it repeats what was found. */
function toGuardrail({ guardrail }: ModelRequest): { guardrailConfig?: Record<string, unknown> } {
  if (guardrail === undefined) return {};
  return {
    guardrailConfig: { guardrailIdentifier: guardrail.id, guardrailVersion: guardrail.version },
  };
}

/** The body of one call whose answer is streamed: no text leaves the service before its guardrail has passed it. */
export function buildConverseStreamRequest(request: ModelRequest): Record<string, unknown> {
  const { guardrailConfig } = toGuardrail(request);
  const body = buildConverseRequest(request);
  if (guardrailConfig === undefined) return body;
  return { ...body, guardrailConfig: { ...guardrailConfig, streamProcessingMode: 'sync' } };
}

/** The API takes tool calls and results only together with tools, and has no other way to forbid calls than to send no tools. */
function rejectToolTurnsAlone({ messages, tools, toolChoice }: ModelRequest): void {
  if (tools !== undefined && toolChoice !== 'none') return;
  if (!messages.some((message) => message.role === 'tool')) return;
  throw new ProviderFailure('rejected_input', {
    members: [tools === undefined ? 'tools' : 'toolChoice'],
    remedy:
      'Amazon Bedrock takes results of tools only with the tools beside them, and toolChoice other than none',
  });
}

function toSystem(blocks: readonly SystemBlock[]): { system?: unknown } {
  if (blocks.length === 0) return {};
  return { system: blocks.flatMap(({ text, cache }) => [{ text }, ...toCachePoint(cache)]) };
}

/** All before this block, as a block of its own. */
function toCachePoint(cache: CacheHint | undefined): readonly Record<string, unknown>[] {
  if (cache === undefined) return [];
  return [{ cachePoint: { type: 'default', ...(cache.ttl === '5m' ? {} : { ttl: cache.ttl }) } }];
}

/** Documents are named by their number: the API wants names, each once, and a name is read by the model. */
function toMessages(turns: readonly Turn[]): readonly Record<string, unknown>[] {
  let documents = 0;
  const nextName = (): string => {
    documents += 1;
    return `document-${documents}`;
  };
  return turns.map(({ role, blocks }) => ({
    role,
    content: [
      ...blocks.flatMap((block) => toBlocks(block, nextName)),
      // The API takes a document only beside a text.
      ...(blocks.some(({ type }) => type === 'document') && !blocks.some(({ type }) => type === 'text')
        ? [{ text: EMPTY_TURN }]
        : []),
    ],
  }));
}

function toBlocks(block: Block, nextName: () => string): readonly Record<string, unknown>[] {
  if (block.type === 'reasoning') return [toReasoning(block.reasoning)];
  return [toBlock(block, nextName), ...toCachePoint(block.cache)];
}

function toBlock(
  block: Exclude<Block, { type: 'reasoning' }>,
  nextName: () => string,
): Record<string, unknown> {
  switch (block.type) {
    case 'toolCall':
      return {
        toolUse: {
          toolUseId: block.call.id,
          name: block.call.name,
          input: argumentsObject(block.call.arguments),
        },
      };
    case 'toolResult': {
      const content = block.content.map((part) => toPart(part, nextName));
      return {
        toolResult: {
          toolUseId: block.toolCallId,
          content: content.length === 0 ? [{ text: EMPTY_RESULT }] : content,
          ...(block.isError ? { status: 'error' } : {}),
        },
      };
    }
    default:
      return toPart(block, nextName);
  }
}

function toPart(part: ContentPart, nextName: () => string): Record<string, unknown> {
  switch (part.type) {
    case 'text':
      return { text: part.text };
    case 'image':
      return { image: { format: part.mediaType.replace('image/', ''), source: { bytes: part.data } } };
    case 'document':
      return { document: { format: 'pdf', name: nextName(), source: { bytes: part.data } } };
    case 'imageAddress':
      throw new ServiceError('not_accepted', { param: 'messages', detail: NO_ADDRESSES });
  }
}

const NO_ADDRESSES =
  '"messages" must not have an image by its address: the provider of this neuron fetches none. Send a data URL.';

/** Byte for byte as it came: the signature is of these very bytes. */
function toReasoning({ text, payload }: SealedReasoning): Record<string, unknown> {
  if (text === undefined) return { reasoningContent: { redactedContent: payload } };
  return { reasoningContent: { reasoningText: { text, signature: payload } } };
}

/** Replaces a result without text: the API rejects empty texts. */
const EMPTY_RESULT = '(no output)';

function toToolConfig(tools: readonly ToolDefinition[], choice: ToolChoice | undefined) {
  return {
    tools: tools.flatMap(({ name, description, parameters, strict, cache }) => [
      {
        toolSpec: {
          name,
          ...(description === undefined ? {} : { description }),
          inputSchema: { json: parameters },
          // Models that do not know the member reject it, whatever its value.
          ...(strict === true ? { strict } : {}),
        },
      },
      ...toCachePoint(cache),
    ]),
    ...(choice === undefined ? {} : { toolChoice: toToolChoice(choice) }),
  };
}

function toToolChoice(choice: ToolChoice): Record<string, unknown> {
  if (typeof choice !== 'string') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}

/** The API takes a schema as text. */
function toTextFormat({ name, description, schema }: AnswerSchema): Record<string, unknown> {
  const jsonSchema = {
    schema: JSON.stringify(schema),
    name,
    ...(description === undefined ? {} : { description }),
  };
  return { type: 'json_schema', structure: { jsonSchema } };
}
