// Every member of LiteLLM's configuration and its counterpart (docs.litellm.ai/docs/proxy/config_settings), by path. An entry without a text is taken.

const LOGS = 'logs, metrics and traces are written by the service itself: docs/logs.md, docs/operations.md';
const REDIS = 'limits and cache are in DynamoDB: no Redis is run';
const DATABASE = 'keys, limits and log are in DynamoDB: no database is run';
const KEYS = 'keys are made by `neuron keys create`, by an operator with AWS rights';
const ROUTING =
  'a call draws one of the `targets` by weight and asks another when it fails: docs/providers.md';
const CIRCUIT = 'each target has a circuit of its own, opened by failures: docs/providers.md';
const RETRY = '`retries` of the step are for failures that another try may mend';

/** Undefined: taken. Else what stands in its place, or why nothing does. */
export const MEMBERS: Readonly<Record<string, string | undefined>> = {
  model_list: undefined,
  'litellm_params.model': undefined,
  'litellm_params.custom_llm_provider': undefined,
  'litellm_params.api_base': undefined,
  'litellm_params.base_url': undefined,
  'litellm_params.api_key': undefined,
  'litellm_params.api_version': 'Azure is called by its v1 interface, which needs no version',
  'litellm_params.aws_region_name': undefined,
  'litellm_params.aws_access_key_id': "Bedrock is called with the rights of the service's own role",
  'litellm_params.aws_secret_access_key': "Bedrock is called with the rights of the service's own role",
  'litellm_params.aws_session_token': "Bedrock is called with the rights of the service's own role",
  'litellm_params.extra_headers': undefined,
  'litellm_params.weight': undefined,
  'litellm_params.rpm': undefined,
  'litellm_params.tpm': undefined,
  'litellm_params.timeout': undefined,
  'litellm_params.stream_timeout': '`timeout` is for the first word of a stream, too',
  'litellm_params.max_retries': undefined,
  'litellm_params.num_retries': undefined,
  'litellm_params.max_tokens': undefined,
  'litellm_params.max_completion_tokens': undefined,
  'litellm_params.temperature': undefined,
  'litellm_params.top_p': undefined,
  'litellm_params.seed': undefined,
  'litellm_params.stop': undefined,
  'litellm_params.reasoning_effort': undefined,
  'litellm_params.dimensions': undefined,
  'litellm_params.drop_params':
    'members that a provider does not have are left out by name: docs/conversations.md',
  'litellm_params.additional_drop_params':
    'members that a provider does not have are left out by name: docs/conversations.md',
  'litellm_params.organization': 'add `headers: { OpenAI-Organization: … }` to the provider',
  'litellm_params.max_parallel_requests':
    '`rateLimits: [{ metric: concurrent, scope: total, limit: N }]` of the neuron',
  'litellm_params.order': ROUTING,
  'litellm_params.tags': 'calls are not routed by tags',
  'litellm_params.mock_response': 'a provider of type `echo` answers without a model',
  'litellm_params.use_in_pass_through': 'nothing is passed through without being read',
  'litellm_params.input_cost_per_token': undefined,
  'litellm_params.output_cost_per_token': undefined,
  'litellm_params.cache_read_input_token_cost': undefined,
  'litellm_params.cache_creation_input_token_cost': undefined,
  'litellm_params.output_cost_per_reasoning_token': undefined,
  'model_info.mode': undefined,
  'model_info.input_cost_per_token': undefined,
  'model_info.output_cost_per_token': undefined,
  'model_info.cache_read_input_token_cost': undefined,
  'model_info.cache_creation_input_token_cost': undefined,
  'model_info.output_cost_per_reasoning_token': undefined,
  'model_info.id': 'targets have no names of their own',
  'model_info.base_model': 'prices are those of `prices`, by provider and model',
  'model_info.max_tokens': 'the longest answer is `maxTokens` of the step',
  'model_info.access_groups': 'a key lists the neurons that it may call: `neuron keys create --neurons`',
  'model_info.supported_environments': 'each stage has settings of its own',
  'litellm_settings.fallbacks': undefined,
  'litellm_settings.default_fallbacks': undefined,
  'litellm_settings.num_retries': undefined,
  'litellm_settings.request_timeout': undefined,
  'litellm_settings.cache': undefined,
  'litellm_settings.cache_params.ttl': undefined,
  'litellm_settings.cache_params.type': REDIS,
  'litellm_settings.cache_params.host': REDIS,
  'litellm_settings.cache_params.port': REDIS,
  'litellm_settings.cache_params.password': REDIS,
  'litellm_settings.cache_params.namespace': REDIS,
  'litellm_settings.cache_params.similarity_threshold': '`caching.semantic` of the neuron: docs/caching.md',
  'litellm_settings.cache_params.supported_call_types': 'caching is set for each neuron',
  'litellm_settings.cache_params.mode':
    'a call that is not to be answered from the cache sends `bypassCache: true`',
  'litellm_settings.max_budget': undefined,
  'litellm_settings.budget_duration': undefined,
  'litellm_settings.context_window_fallbacks':
    'a conversation that is too long is 400 `context_too_long`, on which agents compact',
  'litellm_settings.content_policy_fallbacks': "a model's refusal is its answer: no other model is asked",
  'litellm_settings.drop_params':
    'members that a provider does not have are left out by name: docs/conversations.md',
  'litellm_settings.modify_params': 'nothing of a request is changed silently',
  'litellm_settings.set_verbose': LOGS,
  'litellm_settings.json_logs': LOGS,
  'litellm_settings.success_callback': LOGS,
  'litellm_settings.failure_callback': LOGS,
  'litellm_settings.callbacks': LOGS,
  'litellm_settings.service_callbacks': LOGS,
  'litellm_settings.turn_off_message_logging': '`logging: { bodies: none }` of the neuron',
  'litellm_settings.redact_user_api_key_info': 'keys are never logged; their ids are',
  'litellm_settings.key_generation_settings': KEYS,
  'litellm_settings.enable_json_schema_validation': 'answers are checked against their schema always',
  'litellm_settings.force_ipv4': 'providers are called over IPv4 and IPv6, whichever connects first',
  'router_settings.fallbacks': undefined,
  'router_settings.num_retries': undefined,
  'router_settings.timeout': undefined,
  'router_settings.model_group_alias': undefined,
  'router_settings.routing_strategy': ROUTING,
  'router_settings.routing_strategy_args': ROUTING,
  'router_settings.enable_pre_call_checks': 'a conversation that is too long is 400 `context_too_long`',
  'router_settings.context_window_fallbacks':
    'a conversation that is too long is 400 `context_too_long`, on which agents compact',
  'router_settings.content_policy_fallbacks': "a model's refusal is its answer: no other model is asked",
  'router_settings.allowed_fails': CIRCUIT,
  'router_settings.allowed_fails_policy': CIRCUIT,
  'router_settings.cooldown_time': CIRCUIT,
  'router_settings.disable_cooldowns': CIRCUIT,
  'router_settings.retry_policy': RETRY,
  'router_settings.retry_after': RETRY,
  'router_settings.enable_tag_filtering': 'calls are not routed by tags',
  'router_settings.tag_filtering_match_any': 'calls are not routed by tags',
  'router_settings.redis_host': REDIS,
  'router_settings.redis_port': REDIS,
  'router_settings.redis_password': REDIS,
  'router_settings.redis_url': REDIS,
  'general_settings.master_key': 'the service has no endpoint for administration: the command has AWS rights',
  'general_settings.database_url': DATABASE,
  'general_settings.database_connection_pool_limit': DATABASE,
  'general_settings.database_connection_timeout': DATABASE,
  'general_settings.store_model_in_db': 'settings are applied from files: `neuron apply`',
  'general_settings.store_prompts_in_spend_logs': '`logging: { bodies: full }` of the neuron',
  'general_settings.disable_spend_logs': 'every call has an entry',
  'general_settings.maximum_spend_logs_retention_period': '`logging: { retention: 30d }` of the neuron',
  'general_settings.alerting': 'alarms of the stack: docs/operations.md',
  'general_settings.alerting_threshold': 'alarms of the stack: docs/operations.md',
  'general_settings.max_parallel_requests':
    '`rateLimits: [{ metric: concurrent, scope: total, limit: N }]` of the neuron',
  'general_settings.global_max_parallel_requests': '`peak` of the stage: docs/deploy.md',
  'general_settings.allowed_routes': 'a neuron answers the routes that its flow can answer',
  'general_settings.enable_jwt_auth': '`access: { jwt: … }` of the neuron: docs/security.md',
  'general_settings.custom_auth': '`access: { jwt: … }` of the neuron: docs/security.md',
  'general_settings.enforce_user_param': 'a key or a token says who calls; a body is written by anyone',
  'general_settings.key_management_system': 'secrets are in AWS Secrets Manager: `neuron secrets set`',
  'general_settings.background_health_checks': CIRCUIT,
  'general_settings.health_check_interval': CIRCUIT,
  'general_settings.forward_client_headers_to_llm_api':
    "no header of a caller reaches a provider; `headers` of the provider are the operator's",
  'general_settings.completion_model': 'a call names its model',
  environment_variables: 'secrets are set with `neuron secrets set`',
  callback_settings: LOGS,
  guardrails: 'not yet: a condition `ifInputContains` ends a run by words and patterns',
  mcp_servers: 'tools are called by the client that asked for them',
  mcp_tools: 'tools are called by the client that asked for them',
  search_tools: 'tools are called by the client that asked for them',
  vector_store_registry: 'documents are looked up by the client',
  pass_through_endpoints: 'nothing is passed through without being read',
  credential_list: 'secrets are set with `neuron secrets set`',
  include: 'not read: give each file to the command',
};

const SECTIONS = ['litellm_settings', 'router_settings', 'general_settings'];
const UNKNOWN = 'not known to this command: nothing was made of it';

/** The members of a configuration that were not taken, with what stands in their place, each once. */
export function findUntaken(config: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const look = (path: string): void => {
    const text = path in MEMBERS ? MEMBERS[path] : UNKNOWN;
    if (text !== undefined) found.set(path, text);
  };
  for (const [name, value] of Object.entries(config)) {
    if (!SECTIONS.includes(name)) look(name);
    for (const inner of SECTIONS.includes(name) ? membersOf(value) : []) {
      if (inner[0] !== 'cache_params') look(`${name}.${inner[0]}`);
      else for (const [parameter] of membersOf(inner[1])) look(`${name}.cache_params.${parameter}`);
    }
  }
  const deployments: unknown = config['model_list'];
  for (const deployment of Array.isArray(deployments) ? deployments : []) {
    for (const part of ['litellm_params', 'model_info'] as const)
      for (const [name] of membersOf((deployment as Readonly<Record<string, unknown>>)[part]))
        look(`${part}.${name}`);
  }
  return found;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}
