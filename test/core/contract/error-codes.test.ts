// The closed set of codes, held against the contract's own table, written out here.
import { describe, expect, it } from 'vitest';
import {
  carriesRetryAfter,
  ERROR_CODES,
  type ErrorCode,
  statusOf,
} from '../../../core/contract/error-codes.ts';

const CONTRACT: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed_json', 'malformed_body'],
  401: ['unauthorized'],
  403: ['referer_not_allowed', 'ip_not_allowed', 'access_closed'],
  404: [
    'not_found',
    'deployment_not_found',
    'revision_not_found',
    'route_not_found',
    'model_not_found',
    'feedback_off',
  ],
  409: ['idempotency_in_progress', 'feedback_exists'],
  410: ['feedback_too_late'],
  422: [
    'invalid_input',
    'input_too_large',
    'invalid_parameter',
    'invalid_feedback',
    'not_accepted',
    'provider_rejected_input',
    'guard_blocked',
    'guard_unseen_content',
    'context_too_long',
    'malformed_tool_call',
    'idempotency_mismatch',
  ],
  429: [
    'rate_limited',
    'too_many_at_once',
    'usage_limit_exceeded',
    'organization_paused',
    'neuron_paused',
    'key_paused',
    'caller_blocked',
    'throttled',
  ],
  500: ['internal', 'missing_deployment', 'configuration'],
  503: [
    'maintenance',
    'overloaded',
    'guard_unavailable',
    'upstream_unavailable',
    'dependency_unavailable',
    'deadline_exceeded',
  ],
};

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

describe('the error codes', () => {
  it('are those of the contract, with their statuses', () => {
    expect(Object.groupBy(CODES, statusOf)).toEqual(CONTRACT);
  });

  it('carry Retry-After with 429, 503 and the one 409 that passes', () => {
    const others = [429, 503].flatMap((status) => CONTRACT[status]!);
    expect(CODES.filter(carriesRetryAfter)).toEqual(['idempotency_in_progress', ...others]);
  });

  it.each(['referer_not_allowed', 'ip_not_allowed', 'access_closed'] as const)(
    'keep %s free of what would break the JSON it is inserted into unescaped by API Gateway',
    (code) => {
      expect(ERROR_CODES[code].text).toMatch(/^[A-Za-z0-9 .:,;()-]+$/);
      expect(code).toMatch(/^[a-z_]+$/);
    },
  );

  it.each(CODES)('keep the text of %s free of what a mapping template would evaluate', (code) => {
    // `$` begins a reference and `#` a directive of the Velocity Template Language, in which API Gateway's templates are written.
    expect(ERROR_CODES[code].text).not.toMatch(/[$#\\]/);
  });

  it.each(CODES)('name nothing internal in the text of %s', (code) => {
    expect(ERROR_CODES[code].text).not.toMatch(/dynamodb|lambda|table|secret|aws|stack|gateway|openai/i);
  });
});
