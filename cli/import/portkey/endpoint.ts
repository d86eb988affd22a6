// Turns a target of Portkey into a provider of an organization, by way of what LiteLLM calls its vendor.
import { type Endpoint, toEndpoint } from '../providers.ts';
import type { Note } from '../write-imported.ts';
import type { Call } from './config.ts';

/** Names of vendors that differ from LiteLLM's. */
const VENDORS: Readonly<Record<string, string>> = {
  'azure-openai': 'azure',
  google: 'gemini',
  'mistral-ai': 'mistral',
  'together-ai': 'together_ai',
  'fireworks-ai': 'fireworks_ai',
  'perplexity-ai': 'perplexity',
  'x-ai': 'xai',
  'vertex-ai': 'vertex_ai',
};
/** Those that a name such as `openai-prod-3f1` may begin with, longer ones first. */
const IN_SLUGS = [
  ...Object.keys(VENDORS),
  ...['openai', 'anthropic', 'bedrock', 'groq', 'mistral', 'openrouter', 'deepseek', 'cerebras', 'deepinfra'],
  ...['azure', 'together', 'fireworks', 'moonshot', 'dashscope', 'ollama'],
].toSorted((a, b) => b.length - a.length);
const SHORT: Readonly<Record<string, string>> = { together: 'together_ai', fireworks: 'fireworks_ai' };

/** Undefined where nothing here can make the call; the notes say why. A model of '' is the caller's. */
export function endpointOf(call: Call, keys: Map<string, string>, note: Note): Endpoint | undefined {
  const { provider, model } = slugAndModel(call);
  const path = `target ${call.name ?? (provider || 'without a provider')}`;
  const slug = /^@/.test(provider) ? provider.slice(1) : call.virtual_key;
  const vendor = slug ? guessVendor(slug) : (VENDORS[provider] ?? provider);
  if (!vendor) return void note(path, missingVendor(slug));
  if (slug)
    note(path, `${slug} is taken for ${vendor} by its name: look at its provider in organization.yaml`);
  const endpoint = toEndpoint(
    {
      model,
      custom_llm_provider: vendor,
      api_base: addressOf(vendor, call),
      // A key of Portkey's vault is not in the file; one that is becomes a secret by another name.
      api_key: slug ? `os.environ/${slug.replaceAll(/\W+/g, '_')}` : call.api_key,
      aws_region_name: call.aws_region,
      vertex_project: call.vertex_project_id,
      vertex_location: call.vertex_region,
      extra_headers: headersOf(call),
    },
    keys,
  );
  if ('missing' in endpoint) return void note(path, toOwnWords(endpoint.missing));
  return endpoint;
}

/** `@openai-prod/gpt-4o` as a model names the provider of the vault, too. */
function slugAndModel({ provider, virtual_key: key, override_params: params, ...call }: Call) {
  const named = params?.['model'] ?? call.azure_deployment_id;
  const model = typeof named === 'string' ? named : '';
  const [slug = '', ...rest] = model.split('/');
  if (slug.startsWith('@') && rest.length > 0) return { provider: slug, model: rest.join('/') };
  return { provider: provider ?? (key ? `@${key}` : ''), model };
}

function guessVendor(slug: string): string | undefined {
  const found = IN_SLUGS.find((name) => slug.toLowerCase().includes(name));
  return found === undefined ? undefined : (VENDORS[found] ?? SHORT[found] ?? found);
}

function missingVendor(slug: string | null | undefined): string {
  return slug
    ? `${slug} stands in Portkey's vault, and its name says no vendor: write its \`provider\` into the file`
    : 'it names no provider';
}

function addressOf(vendor: string, { custom_host: host, azure_resource_name: resource }: Call) {
  if (host) return host;
  return vendor === 'azure' && resource ? `https://${resource}.openai.azure.com` : undefined;
}

function headersOf({ openai_organization: organization, openai_project: project }: Call) {
  const headers = {
    ...(organization ? { 'OpenAI-Organization': organization } : {}),
    ...(project ? { 'OpenAI-Project': project } : {}),
  };
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** Members by the names that they have in a configuration of Portkey. */
function toOwnWords(text: string): string {
  return text
    .replace('aws_region_name', 'aws_region')
    .replace('vertex_project or vertex_location', 'vertex_project_id or vertex_region')
    .replace('api_base', 'custom_host (Azure: azure_resource_name)');
}
