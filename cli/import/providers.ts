// Turns what a deployment of LiteLLM names of its vendor into a provider of an organization.
import { rejectUrl } from '../../core/settings/address-policy.ts';
import type { OrganizationDocument } from '../../core/settings/organization-schema.ts';
import type { DeploymentParameters } from './config.ts';

export type ProviderDocument = NonNullable<OrganizationDocument['providers']>[string];

/** Where a deployment's model is called. `secret`: the name of the secret to set, with the variable that held it. */
export interface Endpoint {
  readonly vendor: string;
  readonly provider: ProviderDocument;
  readonly model: string;
  readonly secret?: { readonly name: string; readonly from: string } | undefined;
}

/** Vendors that speak OpenAI's Chat Completions, at these addresses unless the file names another. */
const OPENAI_KIND: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  'text-completion-openai': 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta/openai',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  together_ai: 'https://api.together.xyz/v1',
  fireworks_ai: 'https://api.fireworks.ai/inference/v1',
  deepseek: 'https://api.deepseek.com/v1',
  xai: 'https://api.x.ai/v1',
  perplexity: 'https://api.perplexity.ai',
  cerebras: 'https://api.cerebras.ai/v1',
  moonshot: 'https://api.moonshot.ai/v1',
  dashscope: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  deepinfra: 'https://api.deepinfra.com/v1/openai',
};
/** Servers of one's own that speak it: the file has to name their address. */
const OWN_SERVERS = [
  'hosted_vllm',
  'vllm',
  'ollama',
  'ollama_chat',
  'lm_studio',
  'openai_like',
  'custom_openai',
];

/** The name of an equal provider, else a new one: `azure`, `azure-2`. */
export function nameProvider(
  vendor: string,
  document: ProviderDocument,
  providers: Map<string, ProviderDocument>,
): string {
  const text = JSON.stringify(document);
  const plain = vendor.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? plain : `${plain}-${count}`;
    const taken = providers.get(name);
    if (taken === undefined) providers.set(name, document);
    if (taken === undefined || JSON.stringify(taken) === text) return name;
  }
}

/** The endpoint, or why there is none here. */
export function toEndpoint(
  params: DeploymentParameters,
  keys: KeyNames,
): Endpoint | { readonly missing: string } {
  const endpoint = placeEndpoint(params, keys);
  const address =
    'provider' in endpoint && 'baseUrl' in endpoint.provider ? endpoint.provider.baseUrl : undefined;
  // Loopback stays: the local run takes it.
  const flaw = address === undefined ? undefined : rejectUrl(address, { allowLoopback: true });
  return flaw === undefined ? endpoint : { missing: `${address} ${flaw}` };
}

function placeEndpoint(
  params: DeploymentParameters,
  keys: KeyNames,
): Endpoint | { readonly missing: string } {
  const { vendor, model } = vendorOf(params);
  const base = (params.api_base ?? params.base_url)?.replace(/\/+$/, '');
  if (base?.startsWith('os.environ/'))
    return { missing: `api_base is ${base}: write the address into the file` };
  const headers = params.extra_headers ? { headers: params.extra_headers } : {};
  if (vendor === 'bedrock') {
    const region = params.aws_region_name;
    if (!region || region.startsWith('os.environ/'))
      return { missing: 'aws_region_name is not in the file: write the region of the model into it' };
    return {
      vendor,
      model: model.replace(/^(?:converse|invoke)\//, ''),
      provider: { type: 'bedrock', region },
    };
  }
  const secret = secretOf(vendor, params.api_key, keys);
  const apiKey = { secret: secret.name };
  if (vendor === 'anthropic') {
    const baseUrl = base === undefined ? {} : { baseUrl: base.replace(/\/v1(?:\/messages)?$/, '') };
    return { vendor, model, secret, provider: { type: 'anthropic', ...baseUrl, apiKey, ...headers } };
  }
  if (vendor === 'azure') {
    if (base === undefined)
      return { missing: 'api_base is not in the file: write the address of the resource into it' };
    const baseUrl = /\/openai\/v1$/.test(base) ? base : `${base}/openai/v1`;
    return {
      vendor,
      model,
      secret,
      provider: { type: 'openai', baseUrl, apiKey, auth: 'api-key', ...headers },
    };
  }
  if (vendor === 'vertex_ai') return vertexEndpoint(params, model);
  if (OWN_SERVERS.includes(vendor)) {
    if (base === undefined)
      return { missing: 'api_base is not in the file: write the address of the server into it' };
    const baseUrl = /\/v\d+$/.test(base) ? base : `${base}/v1`;
    const key = params.api_key ? { apiKey } : {};
    return {
      vendor,
      model,
      secret: params.api_key ? secret : undefined,
      provider: { type: 'openai', baseUrl, ...key, ...headers },
    };
  }
  const known = OPENAI_KIND[vendor];
  if (known === undefined) return { missing: `no provider here speaks to ${vendor}` };
  return { vendor, model, secret, provider: { type: 'openai', baseUrl: base ?? known, apiKey, ...headers } };
}

/** Models of Google and of partners by Vertex's own OpenAI endpoint, at which Claude is not served. */
function vertexEndpoint(
  { vertex_project: project, vertex_location: location }: DeploymentParameters,
  model: string,
): Endpoint | { readonly missing: string } {
  if (/claude/.test(model)) return { missing: "Claude is not served by Vertex AI's OpenAI endpoint" };
  const isNamed = [project, location].every((one) => one && !one.startsWith('os.environ/'));
  if (!isNamed)
    return { missing: 'vertex_project or vertex_location is not in the file: write both into it' };
  const host = location === 'global' ? 'aiplatform.googleapis.com' : `${location}-aiplatform.googleapis.com`;
  const secret = {
    name: 'vertex-token',
    from: 'an access token of Google, to be set anew each hour: docs/providers.md',
  };
  return {
    vendor: 'vertex',
    model: model.includes('/') ? model : `google/${model}`,
    secret,
    provider: {
      type: 'openai',
      baseUrl: `https://${host}/v1/projects/${project}/locations/${location}/endpoints/openapi`,
      apiKey: { secret: secret.name },
    },
  };
}

/** `azure/gpt-4o` is vendor and model; a name alone is of OpenAI or Anthropic by its beginning, as LiteLLM has it. */
function vendorOf({ model, custom_llm_provider: custom }: DeploymentParameters): {
  readonly vendor: string;
  readonly model: string;
} {
  const [first = '', ...rest] = model.split('/');
  if (custom) return { vendor: custom, model: first === custom ? rest.join('/') : model };
  if (rest.length > 0) return { vendor: first, model: rest.join('/') };
  return { vendor: model.startsWith('claude') ? 'anthropic' : 'openai', model };
}

/** Names of secrets for keys that stand in the file itself, by key: in memory, so that equal keys are one secret. */
export type KeyNames = Map<string, string>;

/** A secret is named after the variable that holds the key; the key itself is written nowhere. */
function secretOf(
  vendor: string,
  key: string | null | undefined,
  keys: KeyNames,
): { readonly name: string; readonly from: string } {
  const variable =
    /^os\.environ\/(\w+)$/.exec(key ?? '')?.[1] ?? (key ? undefined : `${vendor.toUpperCase()}_API_KEY`);
  if (variable !== undefined) return { name: toSecretName(variable), from: variable };
  const others = [...keys].filter(
    ([one, name]) => one !== key && name.startsWith(`${toSecretName(vendor)}-key`),
  );
  const suffix = others.length === 0 ? '' : `-${others.length + 1}`;
  const name = keys.get(key ?? '') ?? `${toSecretName(vendor)}-key${suffix}`;
  keys.set(key ?? '', name);
  return { name, from: 'the key in the file, which was not copied' };
}

function toSecretName(text: string): string {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return plain.replaceAll(/^-|-$/g, '').slice(0, 50);
}
