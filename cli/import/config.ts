// The members of LiteLLM's configuration that are read (docs.litellm.ai/docs/proxy/config_settings). Others stay as they are, to be listed.
import * as z from 'zod/mini';

const text = z.optional(z.nullable(z.string()));
/** Amounts are often written as text in files for other programs. */
const amount = z.optional(
  z.nullable(
    z.pipe(
      z.union([z.number(), z.string()]),
      z.transform((value) => Number(value)),
    ),
  ),
);
const names = z.array(z.record(z.string(), z.array(z.union([z.string(), z.looseObject({})]))));

const parameters = z.looseObject({
  model: z.string(),
  custom_llm_provider: text,
  api_base: text,
  base_url: text,
  api_key: text,
  api_version: text,
  aws_region_name: text,
  vertex_project: text,
  vertex_location: text,
  extra_headers: z.optional(z.nullable(z.record(z.string(), z.string()))),
  weight: amount,
  rpm: amount,
  tpm: amount,
  timeout: amount,
  max_retries: amount,
  num_retries: amount,
  max_tokens: amount,
  max_completion_tokens: amount,
  temperature: amount,
  top_p: amount,
  seed: amount,
  stop: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
  reasoning_effort: text,
  dimensions: amount,
  input_cost_per_token: amount,
  output_cost_per_token: amount,
  cache_read_input_token_cost: amount,
  cache_creation_input_token_cost: amount,
  output_cost_per_reasoning_token: amount,
});

const deployment = z.looseObject({
  model_name: z.string(),
  /** As older files have them, beside the parameters. */
  rpm: amount,
  tpm: amount,
  litellm_params: parameters,
  model_info: z.optional(z.nullable(z.looseObject({ mode: text, ...costsOf(parameters) }))),
});

/** Prices stand in either of two places. */
function costsOf({ shape }: typeof parameters) {
  const { input_cost_per_token, output_cost_per_token, cache_read_input_token_cost } = shape;
  const { cache_creation_input_token_cost, output_cost_per_reasoning_token } = shape;
  return {
    input_cost_per_token,
    output_cost_per_token,
    cache_read_input_token_cost,
    cache_creation_input_token_cost,
    output_cost_per_reasoning_token,
  };
}

const configSchema = z.looseObject({
  model_list: z.array(deployment).check(z.minLength(1)),
  litellm_settings: z.optional(
    z.nullable(
      z.looseObject({
        fallbacks: z.optional(names),
        default_fallbacks: z.optional(z.array(z.string())),
        num_retries: amount,
        request_timeout: amount,
        cache: z.optional(z.nullable(z.boolean())),
        cache_params: z.optional(z.nullable(z.looseObject({ ttl: amount }))),
        max_budget: amount,
        budget_duration: text,
      }),
    ),
  ),
  router_settings: z.optional(
    z.nullable(
      z.looseObject({
        fallbacks: z.optional(names),
        default_fallbacks: z.optional(z.array(z.string())),
        num_retries: amount,
        timeout: amount,
        model_group_alias: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
      }),
    ),
  ),
});

export type LiteLlmConfig = z.output<typeof configSchema>;
export type Deployment = LiteLlmConfig['model_list'][number];
export type DeploymentParameters = Deployment['litellm_params'];

/** The configuration, or what is wrong with it: `model_list[0].litellm_params.model must be a text`. */
export function parseConfig(
  value: unknown,
): { readonly config: LiteLlmConfig } | { readonly problem: string } {
  const parsed = configSchema.safeParse(value);
  if (parsed.success) return { config: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  const where = path?.replace(/^\./, '') || 'the file';
  return { problem: `${where}: ${issue?.message ?? 'is no configuration of LiteLLM'}` };
}
