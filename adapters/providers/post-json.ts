// Sends JSON to a provider and reads JSON back, for every provider that speaks HTTP.
import { ServiceError } from '../../core/contract/service-error.ts';
import { ProviderFailure, type ProviderFailureKind } from '../../core/ports/providers.ts';
import { parseExactJson } from '../../core/text/exact-json.ts';
import { HttpFailure, type HttpFailureKind } from '../http/failure.ts';
import type { Http, HttpAnswer } from '../http/message.ts';

interface JsonRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** A request with its body as text, for a caller that signs it. */
interface TextRequest extends Omit<JsonRequest, 'body'> {
  /** JSON. */
  readonly text: string;
}

/** `json` is undefined for a body that is not JSON, as that of an error may be. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  readonly json: unknown;
}

/** A million output tokens, the most that a call may request, are about 5 MB. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * `unavailable` without a status says that nothing was sent. After a connection was made, the provider may have run the call: such a
 * failure is `timeout` or `malformed_answer`, and its usage is unknown.
 */
const KINDS = {
  unreachable: 'unavailable',
  aborted: 'timeout',
  cut: 'malformed_answer',
  too_large: 'malformed_answer',
  malformed: 'malformed_answer',
} as const satisfies Record<Exclude<HttpFailureKind, 'refused'>, ProviderFailureKind>;

/** Throws `ProviderFailure` when no answer came back, `ServiceError` `configuration` when the address may not be connected to. */
export function postJson(http: Http, { body, ...request }: JsonRequest): Promise<JsonAnswer> {
  return postText(http, { ...request, text: JSON.stringify(body) });
}

/** Throws like `postJson`. */
export async function postText(http: Http, request: TextRequest): Promise<JsonAnswer> {
  const answer = await send(http, request);
  return { status: answer.status, headers: answer.headers, json: parseJson(answer.body) };
}

async function send(http: Http, { url, headers, text, signal }: TextRequest): Promise<HttpAnswer> {
  try {
    return await http({
      method: 'POST',
      url,
      headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
      body: text,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
  } catch (thrown) {
    throw thrown instanceof HttpFailure ? toProviderFailure(thrown) : thrown;
  }
}

/** The provider's failure for a failure of the network before an answer. */
export function toProviderFailure(failure: HttpFailure): ServiceError | ProviderFailure {
  const { kind, message } = failure;
  return kind === 'refused'
    ? new ServiceError('configuration', { reason: message, cause: failure })
    : new ProviderFailure(KINDS[kind], { cause: failure });
}

/** Undefined for a body that is not JSON. */
export function parseJson(body: Uint8Array): unknown {
  try {
    return parseExactJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** More than any call takes; beyond it, tables and JSON could not hold sums and costs exactly. */
const MAX_TOKENS = 1_000_000_000;

export function toCount(value: unknown): number | undefined {
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_TOKENS;
  return isCount ? value : undefined;
}

/** Visible ASCII of bounded length, because the log keeps it. */
const MODEL_VERSION = /^[\x20-\x7e]{1,200}$/;

/** The model version that a provider reports; undefined for anything else. */
export function toModelVersion(value: unknown): string | undefined {
  return typeof value === 'string' && MODEL_VERSION.test(value) ? value : undefined;
}
