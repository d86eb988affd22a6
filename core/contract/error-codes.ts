// The closed set of error codes: one table from code to status and to the text a caller may see.

interface ErrorAnswer {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 422 | 429 | 500 | 503;
  /** Says what happened, why, and how to solve it, with nothing internal. */
  readonly text: string;
}

/** Status and text per code. A step that rejects a request names a code; statuses are written nowhere else. */
export const ERROR_CODES = {
  malformed_json: {
    status: 400,
    text: 'The request body is not valid JSON. Send a JSON object such as {"input":"text"}.',
  },
  malformed_body: { status: 400, text: 'The request body must be a JSON object such as {"input":"text"}.' },
  unauthorized: {
    status: 401,
    text: 'Authentication failed. Send a valid API key or JWT as "Authorization: Bearer <token>".',
  },
  referer_not_allowed: { status: 403, text: 'Calls from this web page are not allowed.' },
  ip_not_allowed: { status: 403, text: 'Calls from this IP address are not allowed.' },
  access_closed: { status: 403, text: 'This neuron is closed: no way of access is enabled.' },
  not_found: { status: 404, text: 'Neuron not found. Check the organization and the neuron in the URL.' },
  deployment_not_found: { status: 404, text: 'This neuron has no deployed version.' },
  revision_not_found: { status: 404, text: 'Revision not found. Check its id and its preview key.' },
  route_not_found: { status: 404, text: 'Route not found. Call POST /{organization}/{neuron}.' },
  model_not_found: {
    status: 404,
    text: 'The model does not exist. Send the slug of the neuron, or ORGANIZATION/NEURON, as "model".',
  },
  feedback_off: { status: 404, text: 'This neuron takes no feedback.' },
  idempotency_in_progress: {
    status: 409,
    text: 'The first call with this Idempotency-Key is still running. Try again after the time in Retry-After.',
  },
  feedback_exists: {
    status: 409,
    text: 'This answer has a value for this metric already. The first one counts.',
  },
  feedback_too_late: { status: 410, text: 'The time for feedback on this answer is over.' },
  invalid_input: {
    status: 422,
    text: 'Send the text as "input", a string: {"input":"text"}, or a conversation as "messages".',
  },
  input_too_large: { status: 422, text: '"input" is longer than this neuron allows.' },
  invalid_parameter: {
    status: 422,
    text: 'A query parameter is invalid. "bypassCache" and "rawOutput" take true, false, 1 or 0, once each.',
  },
  invalid_feedback: {
    status: 422,
    text: 'Send the X-Feedback-Token of an answer as "token", and a "metric" of this neuron with its "value".',
  },
  not_accepted: {
    status: 422,
    text: 'This neuron does not accept a member of the request body.',
  },
  provider_rejected_input: {
    status: 422,
    text: 'The model does not accept this input. Shorten it or change it.',
  },
  guard_blocked: {
    status: 422,
    text: 'A guard of this neuron does not let this request through. Take out what it should not hold, and send it again.',
  },
  guard_unseen_content: {
    status: 422,
    text: 'The guards of this neuron cannot look at images, documents or sealed thoughts. Send text.',
  },
  context_too_long: {
    status: 422,
    text: 'The conversation is too long for the context of the model. Send fewer or shorter messages.',
  },
  malformed_tool_call: {
    status: 422,
    text: 'The model called a tool with arguments that are no JSON object. Call again, or describe the tool more simply.',
  },
  idempotency_mismatch: {
    status: 422,
    text: 'This Idempotency-Key was used for another request. Repeat that one unchanged, or send a new key.',
  },
  rate_limited: { status: 429, text: 'Rate limit exceeded. Try again after the time in Retry-After.' },
  too_many_at_once: { status: 429, text: 'Too many calls run at once. Try again in a moment.' },
  usage_limit_exceeded: {
    status: 429,
    text: 'Usage limit exceeded. Try again after the time in Retry-After.',
  },
  organization_paused: { status: 429, text: 'This organization is paused. Try again later.' },
  neuron_paused: { status: 429, text: 'This neuron is paused. Try again later.' },
  key_paused: { status: 429, text: 'This API key is paused. Try again later, or ask its operator.' },
  caller_blocked: {
    status: 429,
    text: 'This caller is blocked for a time. Try again after the time in Retry-After, or ask the operator.',
  },
  throttled: { status: 429, text: 'Too many requests. Try again after the time in Retry-After.' },
  internal: { status: 500, text: 'Internal error. Give the execution id to the operator.' },
  missing_deployment: {
    status: 500,
    text: 'The deployed version of this neuron is missing. Ask its operator to deploy one.',
  },
  configuration: {
    status: 500,
    text: 'This neuron is not configured correctly. Ask its operator to fix it.',
  },
  maintenance: { status: 503, text: 'The service is in maintenance. Try again later.' },
  overloaded: { status: 503, text: 'The service is overloaded. Try again shortly.' },
  guard_unavailable: { status: 503, text: 'A guard of this neuron is unavailable. Try again shortly.' },
  upstream_unavailable: { status: 503, text: 'The model provider is unavailable. Try again shortly.' },
  dependency_unavailable: { status: 503, text: 'The service is temporarily unavailable. Try again shortly.' },
  deadline_exceeded: {
    status: 503,
    text: 'The execution took too long and was ended. Try again or send less.',
  },
} as const satisfies Record<string, ErrorAnswer>;

export type ErrorCode = keyof typeof ERROR_CODES;

export function statusOf(code: ErrorCode): ErrorAnswer['status'] {
  return ERROR_CODES[code].status;
}

export function carriesRetryAfter(code: ErrorCode): boolean {
  const status = statusOf(code);
  return code === 'idempotency_in_progress' || status === 429 || status === 503;
}
