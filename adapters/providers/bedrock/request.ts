// Builds a Converse request (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).

import type { AnswerSchema, ToolChoice, ToolDefinition } from '../../../core/conversation/conversation.ts';
import { argumentsObject } from '../../../core/conversation/tool-arguments.ts';
import { type ModelRequest, ProviderFailure } from '../../../core/ports/providers.ts';
import { toBedrockHost } from '../../../core/settings/provider-hosts.ts';
import { type Block, toAlternatingTurns } from '../alternating-turns.ts';

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
  const endpoint = variables['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] || `https://${toBedrockHost(region)}`;
  return `${endpoint.replace(/\/+$/, '')}/model/${encodeURIComponent(model)}/${operation}`;
}

/** The body of one call. The API has no seed, and temperatures up to 1, not 2 as others. */
export function buildConverseRequest(request: ModelRequest): Record<string, unknown> {
  rejectToolTurnsAlone(request);
  const { system, messages, maxTokens, temperature, topP, stopSequences } = request;
  const { tools, toolChoice, schema, reasoningEffort } = request;
  const output = {
    ...(schema === undefined ? {} : { textFormat: toTextFormat(schema) }),
    ...(reasoningEffort === undefined ? {} : { effort: reasoningEffort }),
  };
  return {
    ...(system === undefined ? {} : { system: [{ text: system }] }),
    messages: toAlternatingTurns(messages).map(({ role, blocks }) => ({
      role,
      content: blocks.map(toBlock),
    })),
    inferenceConfig: {
      maxTokens,
      ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
      ...(topP === undefined ? {} : { topP }),
      ...(stopSequences === undefined ? {} : { stopSequences }),
    },
    ...(tools === undefined || toolChoice === 'none' ? {} : { toolConfig: toToolConfig(tools, toolChoice) }),
    ...(Object.keys(output).length === 0 ? {} : { outputConfig: output }),
  };
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

function toBlock(block: Block): Record<string, unknown> {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return { image: { format: block.mediaType.replace('image/', ''), source: { bytes: block.data } } };
    case 'toolCall':
      return {
        toolUse: {
          toolUseId: block.call.id,
          name: block.call.name,
          input: argumentsObject(block.call.arguments),
        },
      };
    case 'toolResult':
      return { toolResult: { toolUseId: block.toolCallId, content: [{ text: block.text || EMPTY_RESULT }] } };
  }
}

/** Replaces a result without text: the API rejects empty texts. */
const EMPTY_RESULT = '(no output)';

function toToolConfig(tools: readonly ToolDefinition[], choice: ToolChoice | undefined) {
  return {
    tools: tools.map(({ name, description, parameters, strict }) => ({
      toolSpec: {
        name,
        ...(description === undefined ? {} : { description }),
        inputSchema: { json: parameters },
        // Models that do not know the member reject it, whatever its value.
        ...(strict === true ? { strict } : {}),
      },
    })),
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
