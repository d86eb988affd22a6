// Examples of the OpenAPI document: bodies that the service sends. Each of them is run against the local stack by test/e2e/openapi.test.ts.

import type { ErrorCode } from '../../core/contract/error-codes.ts';
import { renderAnswer } from '../../core/surfaces/native/answer.ts';
import { renderError } from '../../core/surfaces/native/errors.ts';
import type { RunResult } from '../../core/surfaces/surface.ts';

/** An Example Object of OpenAPI. */
interface Example {
  readonly summary: string;
  readonly value: unknown;
}

const EXECUTION_ID = 'Q1x9bHMqDoEEQ-Q=';

const run = (output: string | undefined, more: Partial<RunResult> = {}): RunResult => ({
  output,
  executionStopped: false,
  cache: 'off',
  ...more,
});
const success = (summary: string, result: RunResult): Example => ({
  summary,
  value: JSON.parse(renderAnswer(result, { executionId: EXECUTION_ID, rawOutput: false }).body),
});
const error = (code: ErrorCode, summary: string, retryAfterMs?: number, text?: string): Example => ({
  summary,
  value: JSON.parse(renderError(code, { executionId: EXECUTION_ID, retryAfterMs, text }).body),
});

const WEATHER = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

export const REQUEST_EXAMPLES = {
  text: { summary: 'a text', value: { input: 'Hello' } },
  nothing: { summary: 'no input, for neurons that need none', value: {} },
  conversation: {
    summary: 'a conversation, where the flow accepts earlier turns',
    value: {
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'How are you?' },
      ],
    },
  },
  tools: {
    summary: 'tools of the caller, where the flow accepts them; the model wants one of them',
    value: { messages: [{ role: 'user', content: 'What is the weather like?' }], tools: [WEATHER] },
  },
} as const satisfies Record<string, Example>;

/** Bodies of successes; the neuron says back what it was asked. */
export const SUCCESS_EXAMPLES = {
  text: success('the answer to the example of the same name', run('You said: Hello')),
  nothing: success('the answer to the example of the same name', run('You said: ')),
  conversation: success(
    'the answer to the example of the same name',
    run('You said: How are you? Before that you said: Hello'),
  ),
  tools: success(
    'the answer to the example of the same name',
    run('', {
      toolCalls: [{ id: 'call_1_1', name: 'weather', arguments: { city: 'What is the weather like?' } }],
    }),
  ),
  stopped: success('a flow that stopped', run(undefined, { executionStopped: true })),
  cached: success(
    'the same request again, of a neuron that keeps its answers',
    run('You said: Hello', { cache: 'exact' }),
  ),
} as const satisfies Record<string, Example>;

/** Bodies of successes with `rawOutput=true`. */
export const RAW_EXAMPLES = {
  text: {
    summary: 'the answer to the example of the same name',
    value: renderAnswer(run('You said: Hello'), { executionId: EXECUTION_ID, rawOutput: true }).body,
  },
} as const satisfies Record<string, Example>;

export const ERROR_EXAMPLES = {
  malformed_json: error('malformed_json', 'the body is no JSON'),
  malformed_body: error('malformed_body', 'the body is JSON, but no object'),
  unauthorized: error('unauthorized', 'no token, or one that does not hold'),
  referer_not_allowed: error('referer_not_allowed', 'a page that is not listed'),
  ip_not_allowed: error('ip_not_allowed', 'an address that is not listed'),
  access_closed: error('access_closed', 'no way of access is enabled'),
  not_found: error('not_found', 'an organization or neuron that does not exist'),
  deployment_not_found: error('deployment_not_found', 'a neuron without a flow'),
  revision_not_found: error('revision_not_found', 'a version that does not exist, or a wrong preview key'),
  invalid_input: error('invalid_input', '"input" is not a string, or another member takes its place'),
  not_accepted: error(
    'not_accepted',
    'the flow accepts no tools',
    undefined,
    '"tools": this neuron does not accept that. Its operator can add `accepts: [tools]` to a callModel of its flow.',
  ),
  input_too_large: error('input_too_large', 'an input above maxInputBytes'),
  invalid_parameter: error('invalid_parameter', 'a parameter that is no boolean'),
  provider_rejected_input: error(
    'provider_rejected_input',
    'the model does not take what the flow makes of the input',
  ),
  guard_blocked: error('guard_blocked', 'an input that a guard of the neuron blocks'),
  guard_unseen_content: error(
    'guard_unseen_content',
    'an image, where the guards refuse what they cannot see',
  ),
  guard_unavailable: error('guard_unavailable', 'a guard by a service that does not answer', 1000),
  context_too_long: error('context_too_long', 'a conversation beyond the context of the model'),
  idempotency_in_progress: error('idempotency_in_progress', 'the first call still runs', 1000),
  idempotency_mismatch: error('idempotency_mismatch', 'another body than the first call with this key'),
  rate_limited: error('rate_limited', 'a rate limit of the neuron', 30_000),
  too_many_at_once: error('too_many_at_once', 'as many runs in progress as a limit allows', 1000),
  usage_limit_exceeded: error(
    'usage_limit_exceeded',
    'a usage limit of the organization or of the API key',
    3_600_000,
  ),
  organization_paused: error('organization_paused', 'paused by its operator', 120_000),
  neuron_paused: error('neuron_paused', 'a neuron that its operator paused', 3_600_000),
  key_paused: error('key_paused', 'an API key that its operator paused', 3_600_000),
  caller_blocked: error('caller_blocked', 'a user, address or API key that its operator blocked', 3_600_000),
  configuration: error('configuration', 'a secret that nobody has set'),
  maintenance: error('maintenance', 'maintenance mode', 90_000),
  upstream_unavailable: error('upstream_unavailable', 'the model provider does not answer', 1000),
  deadline_exceeded: error('deadline_exceeded', 'the run took longer than the neuron allows', 1000),
} as const satisfies Partial<Record<ErrorCode, Example>>;
