// The meaning of a provider's HTTP status, for every provider that speaks HTTP.
import {
  type ProviderExplanation,
  ProviderFailure,
  type ProviderFailureKind,
  type RequestMember,
} from '../../core/ports/providers.ts';

/** A longer wait is an outage; no provider can keep callers away for longer. */
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The kind of failure of an answer that is not 2xx. A redirect is never followed: the base URL is wrong. */
export function kindOfStatus(status: number): ProviderFailureKind {
  if (status === 429) return 'rate_limited';
  if (status === 402) return 'quota_exhausted';
  if (status === 400 || status === 413 || status === 422) return 'rejected_input';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'unavailable';
  return 'configuration';
}

/** The failure for a status; it has a retry time only where waiting helps. */
export function failureOfStatus(
  status: number,
  detail: {
    readonly kind?: ProviderFailureKind;
    readonly retryAfterMs?: number | undefined;
    readonly remedy?: string | undefined;
    readonly explanation?: ProviderExplanation;
    readonly members?: readonly RequestMember[];
  } = {},
): ProviderFailure {
  const kind = detail.kind ?? kindOfStatus(status);
  const retryAfterMs = kind === 'rate_limited' || kind === 'unavailable' ? detail.retryAfterMs : undefined;
  const { remedy, explanation = {}, members } = detail;
  return new ProviderFailure(kind, { status, retryAfterMs, remedy, explanation, members });
}

/**
 * Milliseconds from `retry-after-ms`, else from `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3); undefined
 * when there is none that can be read. At most an hour.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const milliseconds = parseNumber(headers['retry-after-ms']);
  const seconds = parseNumber(headers['retry-after']);
  const wait =
    milliseconds ?? (seconds === undefined ? untilDate(headers['retry-after'], nowMs) : seconds * 1000);
  return wait === undefined ? undefined : Math.min(Math.max(0, Math.ceil(wait)), MAX_RETRY_AFTER_MS);
}

function parseNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[0-9]{1,12}(?:\.[0-9]{1,6})?$/.test(text.trim()) ? Number(text) : undefined;
}

/** Only dates that end in GMT, as the RFC demands: others would be read in the local time zone. */
function untilDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined || !/ GMT$/.test(text.trim())) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? undefined : atMs - nowMs;
}
