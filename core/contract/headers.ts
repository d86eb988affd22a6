// Every header name that the service reads, sends, allows or exposes, written once.

export const REQUEST_HEADERS = {
  authorization: 'Authorization',
  /** The API key as Anthropic's clients send it, on the routes of Messages alone. */
  anthropicKey: 'X-Api-Key',
  referer: 'Referer',
  origin: 'Origin',
  accept: 'Accept',
  previewKey: 'X-Preview-Key',
  idempotencyKey: 'Idempotency-Key',
  /** The end user that a trusted back end calls for. */
  endUser: 'X-End-User',
  traceparent: 'traceparent',
  /** Anthropic's clients send it with every request. */
  anthropicVersion: 'anthropic-version',
  /** Parts of Anthropic's interface that are not final, separated by commas. */
  anthropicBeta: 'anthropic-beta',
  userAgent: 'User-Agent',
  /** Headers of the Model Context Protocol, which repeat the body. */
  mcpVersion: 'MCP-Protocol-Version',
  mcpMethod: 'Mcp-Method',
  mcpName: 'Mcp-Name',
} as const;

/** Headers by which agents name the session that a call is of; the first that is there counts. */
export const SESSION_HEADERS = [
  'X-Claude-Code-Session-Id',
  'Session-Id',
  'Session_Id',
  'X-Session-Id',
] as const;

/** Response headers of the service's own making. */
export const RESPONSE_HEADERS = {
  executionId: 'X-Execution-Id',
  cache: 'X-Cache',
  executionStopped: 'X-Execution-Stopped',
  stream: 'X-Stream',
  cost: 'X-Cost-Microdollars',
  tokensInput: 'X-Tokens-Input',
  tokensOutput: 'X-Tokens-Output',
  rateLimitPolicy: 'RateLimit-Policy',
  rateLimit: 'RateLimit',
  retryAfter: 'Retry-After',
  wwwAuthenticate: 'WWW-Authenticate',
  cacheControl: 'Cache-Control',
  contentTypeOptions: 'X-Content-Type-Options',
  /** `true` on an answer that was given before, to the same request with the same `Idempotency-Key`. */
  idempotencyReplayed: 'Idempotency-Replayed',
  /** The execution id under the name that OpenAI's clients read. */
  requestId: 'X-Request-Id',
  /** The execution id under the name that Anthropic's clients read. */
  anthropicRequestId: 'Request-Id',
  /** Members of the request without effect, by their names. */
  leftOut: 'X-Neuron-Left-Out',
  /** By which feedback on this very answer is accepted. */
  feedbackToken: 'X-Feedback-Token',
  /** `false` where calling again is useless; OpenAI's clients obey it. */
  shouldRetry: 'X-Should-Retry',
} as const;

/** On every answer but preflight. */
export const FIXED_HEADERS = {
  [RESPONSE_HEADERS.contentTypeOptions]: 'nosniff',
  [RESPONSE_HEADERS.cacheControl]: 'no-store',
} as const;

/** Headers that a page may read: the Fetch standard hides all others. */
export const EXPOSED_HEADERS: readonly string[] = [
  RESPONSE_HEADERS.executionId,
  RESPONSE_HEADERS.cache,
  RESPONSE_HEADERS.executionStopped,
  RESPONSE_HEADERS.stream,
  RESPONSE_HEADERS.cost,
  RESPONSE_HEADERS.tokensInput,
  RESPONSE_HEADERS.tokensOutput,
  RESPONSE_HEADERS.rateLimitPolicy,
  RESPONSE_HEADERS.rateLimit,
  RESPONSE_HEADERS.retryAfter,
  RESPONSE_HEADERS.wwwAuthenticate,
  RESPONSE_HEADERS.requestId,
  RESPONSE_HEADERS.anthropicRequestId,
  RESPONSE_HEADERS.shouldRetry,
  RESPONSE_HEADERS.leftOut,
  RESPONSE_HEADERS.idempotencyReplayed,
  RESPONSE_HEADERS.feedbackToken,
];

/** Headers that OpenAI's official client sends from a browser; each by its name, since not every browser takes `*` beside credentials. */
const OPENAI_CLIENT_HEADERS = [
  'OpenAI-Organization',
  'OpenAI-Project',
  ...[
    'Retry-Count',
    'Lang',
    'Package-Version',
    'OS',
    'Arch',
    'Runtime',
    'Runtime-Version',
    'Timeout',
    'Helper-Method',
    'Async',
    'Read-Timeout',
    'Poll-Helper',
    'Custom-Poll-Interval',
  ].map((name) => `X-Stainless-${name}`),
] as const;

/** Headers that Anthropic's clients send from a browser. */
const ANTHROPIC_CLIENT_HEADERS = [
  REQUEST_HEADERS.anthropicKey,
  'Anthropic-Version',
  'Anthropic-Beta',
  'Anthropic-Dangerous-Direct-Browser-Access',
] as const;

/**
 * CORS, permissive by the specification. `*` does not cover `Authorization` (Fetch standard, CORS-safelisted names), so the
 * headers that callers send are named beside it.
 */
export const CORS = {
  allowOrigin: '*',
  allowMethods: ['POST', 'OPTIONS'],
  allowHeaders: [
    'Authorization',
    'Content-Type',
    REQUEST_HEADERS.previewKey,
    REQUEST_HEADERS.idempotencyKey,
    ...OPENAI_CLIENT_HEADERS,
    ...ANTHROPIC_CLIENT_HEADERS,
    '*',
  ],
  maxAgeSeconds: 7200,
  exposeHeaders: EXPOSED_HEADERS,
} as const;
