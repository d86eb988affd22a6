// Builds a Converse request (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html).
import type { ModelRequest } from '../../../core/ports/providers.ts';

/** What an operation adds to a model: `converse` for texts, `invoke` for a body of the model's own shape. */
export type ModelOperation = 'converse' | 'invoke';

/** The variables that the AWS SDKs take an endpoint from (docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). */
type EndpointVariables = Readonly<Record<string, string | undefined>>;

/** Where to send a call. The id of a model may hold a colon or, as an ARN, a slash: neither may end its part of the path. */
export function toModelUrl(
  region: string,
  model: string,
  operation: ModelOperation,
  variables: EndpointVariables,
): string {
  const endpoint =
    variables['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] || `https://bedrock-runtime.${region}.amazonaws.com`;
  return `${endpoint.replace(/\/+$/, '')}/model/${encodeURIComponent(model)}/${operation}`;
}

/** The body of one call. The API has no seed, and its temperature ends at 1, where others go to 2. */
export function buildConverseRequest(request: ModelRequest): Record<string, unknown> {
  const { system, prompt, maxTokens, temperature, topP, stopSequences } = request;
  return {
    ...(system === undefined ? {} : { system: [{ text: system }] }),
    messages: [{ role: 'user', content: [{ text: prompt }] }],
    inferenceConfig: {
      maxTokens,
      ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
      ...(topP === undefined ? {} : { topP }),
      ...(stopSequences === undefined ? {} : { stopSequences }),
    },
  };
}
