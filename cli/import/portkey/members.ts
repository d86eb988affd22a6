// Every member of Portkey's gateway configuration and its counterpart. An entry without a text is taken.

const STATUSES =
  'retries and fallbacks follow on failures that another try may mend: 408, 429, 5xx and lost connections';
const ROLE = "Bedrock is called with the rights of the service's own role";
const VERTEX = 'Vertex AI is called with an access token that something of yours renews: docs/providers.md';
const GUARDS = 'not taken over: write them as `guards` of the organization';
const HOOKS = 'not taken over: a service is asked by `guards`, one of your own by `webhook`';

/** Undefined: taken. Else what stands in its place, or why nothing does. */
export const PORTKEY_MEMBERS: Readonly<Record<string, string | undefined>> = {
  'strategy.mode': undefined,
  'strategy.conditions': undefined,
  'strategy.default': undefined,
  'strategy.on_status_codes': STATUSES,
  targets: undefined,
  name: undefined,
  provider: undefined,
  virtual_key: undefined,
  api_key: undefined,
  custom_host: undefined,
  weight: undefined,
  override_params: undefined,
  request_timeout: undefined,
  on_status_codes: STATUSES,
  'retry.attempts': undefined,
  'retry.on_status_codes': STATUSES,
  'retry.use_retry_after_header': 'a vendor that says when to come back is asked then, within `timeout`',
  'cache.mode': undefined,
  'cache.max_age': undefined,
  azure_resource_name: undefined,
  azure_deployment_id: undefined,
  azure_model_name: 'the model is the name of the deployment',
  azure_api_version: 'Azure is called by its v1 interface, which needs no version',
  azure_auth_mode: 'Azure is called with a key',
  aws_region: undefined,
  aws_access_key_id: ROLE,
  aws_secret_access_key: ROLE,
  aws_session_token: ROLE,
  aws_role_arn: ROLE,
  aws_auth_type: ROLE,
  vertex_project_id: undefined,
  vertex_region: undefined,
  vertex_service_account_json: VERTEX,
  openai_organization: undefined,
  openai_project: undefined,
  forward_headers: "no header of a caller reaches a provider; `headers` of the provider are the operator's",
  strict_open_ai_compliance: 'answers have the form of the route that was called',
  input_guardrails: GUARDS,
  output_guardrails: GUARDS,
  default_input_guardrails: GUARDS,
  default_output_guardrails: GUARDS,
  before_request_hooks: HOOKS,
  after_request_hooks: HOOKS,
  prompt_id: 'prompts of a library stand in the flow: `systemInstructions`',
  metadata: 'a key and a neuron have `tags`, and a call sends `metadata`: docs/keys.md',
  mcp_server: 'tools are called by the client that asked for them',
  id: 'configurations are found by the name of their neuron',
};

const OPEN: readonly string[] = ['strategy', 'retry', 'cache'];
const UNKNOWN = 'not known to this command: nothing was made of it';

/** The members of a configuration and its targets that were not taken, each once. */
export function findUntaken(config: object): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (path: string): void => {
    const text = Object.hasOwn(PORTKEY_MEMBERS, path) ? PORTKEY_MEMBERS[path] : UNKNOWN;
    if (text !== undefined) found.set(path, text);
  };
  for (const [name, value] of Object.entries(config)) {
    if (OPEN.includes(name)) for (const inner of Object.keys(value ?? {})) look(`${name}.${inner}`);
    else look(name);
  }
  const { targets } = config as { readonly targets?: readonly object[] | null };
  for (const target of targets ?? []) for (const [path, text] of findUntaken(target)) found.set(path, text);
  return found;
}
