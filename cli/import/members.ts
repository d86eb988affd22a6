// Every member of LiteLLM's configuration and its counterpart (docs.litellm.ai/docs/proxy/config_settings), by the sections that they stand in.

/** Members that are in the settings: `section: name name; section: name`. Without a section: those of the file itself. */
const TAKEN =
  'model_list; litellm_params: model custom_llm_provider api_base base_url api_key aws_region_name vertex_project vertex_location extra_headers weight rpm tpm timeout max_retries num_retries max_tokens max_completion_tokens temperature top_p seed stop reasoning_effort dimensions input_cost_per_token output_cost_per_token cache_read_input_token_cost cache_creation_input_token_cost output_cost_per_reasoning_token; model_info: mode input_cost_per_token output_cost_per_token cache_read_input_token_cost cache_creation_input_token_cost output_cost_per_reasoning_token; litellm_settings: fallbacks default_fallbacks num_retries request_timeout cache max_budget budget_duration; litellm_settings.cache_params: ttl; router_settings: fallbacks num_retries timeout model_group_alias default_fallbacks';

/** Counterparts of others, or why they have none. */
const OTHERS: readonly (readonly [text: string, names: string])[] = [
  ['Azure is called by its v1 interface, which needs no version', 'litellm_params: api_version'],
  [
    "Bedrock is called with the rights of the service's own role",
    'litellm_params: aws_access_key_id aws_secret_access_key aws_session_token',
  ],
  [
    'Vertex AI is called with an access token that something of yours renews: docs/providers.md',
    'litellm_params: vertex_credentials',
  ],
  [
    '`timeout` is for the first word of a stream, too',
    'litellm_params: stream_timeout; router_settings: stream_timeout',
  ],
  [
    'members that a provider does not have are left out by name: docs/conversations.md',
    'litellm_params: drop_params additional_drop_params; litellm_settings: drop_params',
  ],
  ['add `headers: { OpenAI-Organization: … }` to the provider', 'litellm_params: organization'],
  [
    '`rateLimits: [{ metric: concurrent, scope: total, limit: N }]` of the neuron',
    'litellm_params: max_parallel_requests; general_settings: max_parallel_requests; router_settings: default_max_parallel_requests',
  ],
  [
    'a call draws one of the `targets` by weight and asks another when it fails: docs/providers.md',
    'litellm_params: order; router_settings: routing_strategy routing_strategy_args optional_pre_call_checks deployment_affinity_ttl_seconds model_group_affinity_config',
  ],
  [
    'calls are not routed by tags',
    'litellm_params: tags; router_settings: enable_tag_filtering tag_filtering_match_any',
  ],
  ['a provider of type `echo` answers without a model', 'litellm_params: mock_response'],
  [
    'nothing is passed through without being read',
    'litellm_params: use_in_pass_through; pass_through_endpoints; general_settings: pass_through_endpoints use_client_credentials_pass_through_routes',
  ],
  ['targets have no names of their own', 'model_info: id'],
  [
    'prices are those of `prices`, by provider and model',
    'model_info: base_model; litellm_settings: cost_discount_config cost_margin_config',
  ],
  ['the longest answer is `maxTokens` of the step', 'model_info: max_tokens'],
  ['a key lists the neurons that it may call: `neuron keys create --neurons`', 'model_info: access_groups'],
  ['each stage has settings of its own', 'model_info: supported_environments'],
  [
    'limits and cache are in DynamoDB: no Redis is run',
    'litellm_settings.cache_params: type host port password namespace max_connections redis_startup_nodes service_name sentinel_nodes gcp_service_account gcp_ssl_ca_certs ssl ssl_cert_reqs ssl_check_hostname s3_bucket_name s3_region_name s3_aws_access_key_id s3_aws_secret_access_key s3_endpoint_url gcs_bucket_name gcs_path_service_account gcs_path disk_cache_dir; router_settings: redis_host redis_port redis_password redis_url redis_db cache_kwargs; litellm_settings: enable_redis_auth_cache; general_settings: use_redis_transaction_buffer use_shared_health_check',
  ],
  [
    '`caching.semantic` of the neuron: docs/caching.md',
    'litellm_settings.cache_params: similarity_threshold qdrant_semantic_cache_embedding_model qdrant_collection_name qdrant_quantization_config qdrant_semantic_cache_vector_size',
  ],
  ['caching is set for each neuron', 'litellm_settings.cache_params: supported_call_types'],
  [
    'a call that is not to be answered from the cache sends `bypassCache: true`',
    'litellm_settings.cache_params: mode',
  ],
  [
    'a conversation that is too long is 400 `context_too_long`, on which agents compact',
    'litellm_settings: context_window_fallbacks; router_settings: context_window_fallbacks enable_pre_call_checks enable_pre_call_check',
  ],
  [
    "a model's refusal is its answer: no other model is asked",
    'litellm_settings: content_policy_fallbacks; router_settings: content_policy_fallbacks',
  ],
  ['nothing of a request is changed silently', 'litellm_settings: modify_params'],
  [
    'logs, metrics and traces are written by the service itself: docs/logs.md, docs/operations.md',
    'litellm_settings: set_verbose json_logs success_callback failure_callback callbacks service_callbacks langfuse_default_tags telemetry; callback_settings; router_settings: debug_level set_verbose',
  ],
  ['`logging: { bodies: none }` of the neuron', 'litellm_settings: turn_off_message_logging'],
  ['keys are never logged; their ids are', 'litellm_settings: redact_user_api_key_info'],
  [
    'keys are made by `neuron keys create`, by an operator with AWS rights',
    'litellm_settings: key_generation_settings enable_key_alias_format_validation; general_settings: custom_key_generate',
  ],
  ['answers are checked against their schema always', 'litellm_settings: enable_json_schema_validation'],
  ['providers are called over IPv4 and IPv6, whichever connects first', 'litellm_settings: force_ipv4'],
  [
    'each target has a circuit of its own, opened by failures: docs/providers.md',
    'router_settings: allowed_fails allowed_fails_policy cooldown_time disable_cooldowns enable_health_check_routing health_check_staleness_threshold health_check_ignore_transient_errors; general_settings: background_health_checks health_check_interval enable_health_check_routing health_check_ignore_transient_errors health_check_concurrency health_check_staleness_threshold health_check_details',
  ],
  [
    '`retries` of the step are for failures that another try may mend',
    'router_settings: retry_policy retry_after model_group_retry_policy; general_settings: disable_retry_on_max_parallel_request_limit_error',
  ],
  [
    'the service has no endpoint for administration: the command has AWS rights',
    'general_settings: master_key disable_master_key_return allow_user_auth custom_sso custom_ui_sso_sign_in_handler auto_redirect_ui_login_to_sso ui_access_mode enforce_rbac role_permissions admin_only_routes',
  ],
  [
    'keys, limits and log are in DynamoDB: no database is run',
    'general_settings: database_url database_connection_pool_limit database_connection_timeout disable_spend_updates disable_reset_budget proxy_budget_rescheduler_min_time proxy_budget_rescheduler_max_time proxy_batch_write_at proxy_batch_polling_interval disable_prisma_schema_update database_connection_pool_timeout supported_db_objects user_api_key_cache_ttl disable_adding_master_key_hash_to_db',
  ],
  ['settings are applied from files: `neuron apply`', 'general_settings: store_model_in_db'],
  ['`logging: { bodies: full }` of the neuron', 'general_settings: store_prompts_in_spend_logs'],
  [
    'every call has an entry',
    'general_settings: disable_spend_logs disable_error_logs; litellm_settings: disable_end_user_cost_tracking disable_end_user_cost_tracking_prometheus_only',
  ],
  [
    '`logging: { retention: 30d }` of the neuron',
    'general_settings: maximum_spend_logs_retention_period maximum_spend_logs_retention_interval maximum_spend_logs_cleanup_cron',
  ],
  [
    'alarms of the stack: docs/operations.md',
    'general_settings: alerting alerting_threshold alert_types alerting_args alert_to_webhook_url alert_type_config spend_report_frequency; router_settings: alerting_config',
  ],
  ['`peak` of the stage: docs/deploy.md', 'general_settings: global_max_parallel_requests'],
  ['a neuron answers the routes that its flow can answer', 'general_settings: allowed_routes'],
  [
    '`access: { jwt: … }` of the neuron: docs/security.md',
    'general_settings: enable_jwt_auth custom_auth enable_oauth2_auth enable_oauth2_proxy_auth oauth2_config_mappings litellm_jwtauth custom_auth_run_common_checks',
  ],
  ['a key or a token says who calls; a body is written by anyone', 'general_settings: enforce_user_param'],
  [
    'secrets are in AWS Secrets Manager: `neuron secrets set`',
    'general_settings: key_management_system key_management_settings use_azure_key_vault use_google_kms',
  ],
  [
    "no header of a caller reaches a provider; `headers` of the provider are the operator's",
    'general_settings: forward_client_headers_to_llm_api allow_client_side_credentials forward_openai_org_id forward_llm_provider_auth_headers',
  ],
  ['a call names its model', 'general_settings: completion_model embedding_model'],
  ['secrets are set with `neuron secrets set`', 'environment_variables credential_list'],
  [
    'not taken over: write them as `guards` of the organization',
    'guardrails; router_settings: guardrail_list; litellm_settings: skip_system_message_in_guardrail',
  ],
  [
    'tools are called by the client that asked for them',
    'mcp_servers mcp_tools search_tools; router_settings: search_tools; litellm_settings: mcp_aliases; general_settings: search_tools user_mcp_management_mode enable_mcp_registry mcp_client_side_auth_header_name mcp_internal_ip_ranges mcp_required_fields mcp_trusted_proxy_ranges require_end_user_mcp_access_defined',
  ],
  ['documents are looked up by the client', 'vector_store_registry'],
  ['not read: give each file to the command', 'include'],
  [
    '`caching: { exact: true }` of the neuron: docs/caching.md',
    'router_settings: cache_responses caching_groups',
  ],
  [
    'a limit that cannot be counted refuses or admits: `whenCountersFail` of the neuron',
    'general_settings: allow_requests_on_db_unavailable',
  ],
  ['a step has at most 5 fallbacks', 'router_settings: max_fallbacks'],
  ['write its members into each step', 'router_settings: default_litellm_params'],
  [
    'a limit of cost is of a neuron, a key or the organization; a key for each vendor does the same: docs/keys.md',
    'router_settings: provider_budget_config',
  ],
  [
    'calls are not queued: what a limit does not admit is answered 429',
    'router_settings: default_priority polling_interval',
  ],
  [
    '`neuron validate` names what is wrong before anything is applied',
    'router_settings: ignore_invalid_deployments',
  ],
  [
    'a switch inside of LiteLLM',
    'router_settings: client_ttl router_general_settings; litellm_settings: enable_preview_features LITELLM_DISABLE_STOP_SEQUENCE_LIMIT disable_hf_tokenizer_download disable_copilot_system_to_assistant disable_add_transform_inline_image_block; litellm_settings.cache_params: disable_copilot_system_to_assistant; general_settings: litellm_license infer_model_from_keys control_plane_url',
  ],
  [
    'there is no such route here',
    'router_settings: assistants_config; general_settings: image_generation_model moderation_model; finetune_settings files_settings assistant_settings; litellm_params: s3_bucket_name s3_region_name s3_access_key_id s3_secret_access_key aws_batch_role_arn',
  ],
  [
    '`api: responses` of the provider: docs/providers.md',
    'litellm_settings: use_chat_completions_url_for_anthropic_messages route_all_chat_openai_to_responses',
  ],
  [
    'an organization is a team: settings and keys are its own',
    'litellm_settings: default_team_params default_team_settings; general_settings: default_team_disabled',
  ],
  [
    'answers are not stored under an id that another caller could ask for',
    'general_settings: disable_responses_id_security',
  ],
  [
    'a key takes tags of calls only where it was made with `--tags-from-calls`: docs/keys.md',
    'general_settings: reject_clientside_metadata_tags',
  ],
  ['`access: { public: true }` of the neuron: docs/security.md', 'general_settings: public_routes'],
  ['a neuron takes what its flow needs; required members are its own', 'general_settings: enforced_params'],
  ['the address of a caller is the one that API Gateway saw', 'general_settings: use_x_forwarded_for'],
  ['`firewall: { webAclArn }` of the stage: docs/deploy.md', 'general_settings: allowed_ips'],
  ['a key has its own limits, tags and neurons: docs/keys.md', 'general_settings: service_account_settings'],
  ['`maxInputBytes` of the neuron', 'general_settings: max_request_size_mb'],
  ['`maxTokens` of the step', 'general_settings: max_response_size_mb'],
  [
    'a key is sent as `Authorization: Bearer`, on the route of Messages as `x-api-key`, too',
    'general_settings: litellm_key_header_name',
  ],
  [
    'a stream says its usage once, in its last event, where its caller asks for it',
    'general_settings: always_include_stream_usage',
  ],
  ['limits of tokens count input and output together', 'general_settings: token_rate_limit_type'],
  [
    'a key made with `--on-behalf-of` names its end user by `user` or `X-End-User`: docs/keys.md',
    'general_settings: user_header_name user_header_mappings',
  ],
  ['residency: docs/residency.md', 'litellm_params: region_name'],
  [
    'what a model takes is known by its name, and `accepts` of the step says it',
    'model_info: supports_vision supports_function_calling supports_parallel_function_calling supports_response_schema supports_reasoning supports_prompt_caching max_input_tokens max_output_tokens',
  ],
];

function pathsOf(names: string): readonly string[] {
  return names.split('; ').flatMap((part) => {
    const [section, inner] = part.includes(': ') ? part.split(': ', 2) : ['', part];
    return (inner ?? '').split(' ').map((name) => (section ? `${section}.${name}` : name));
  });
}

function bySection(): Readonly<Record<string, string | undefined>> {
  const taken = pathsOf(TAKEN).map((path) => [path, undefined] as const);
  const others = OTHERS.flatMap(([text, names]) => pathsOf(names).map((path) => [path, text] as const));
  return Object.fromEntries([...taken, ...others].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** By path, in alphabetical order. Undefined: taken. */
export const MEMBERS = bySection();

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
