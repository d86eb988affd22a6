// Reads a response: a success as its body, everything else as a `NeuronError`.
import { IdempotencyMismatchError, NeuronError } from './error.ts';
import type { NeuronFeedback, NeuronResponse, SendFeedback } from './types.ts';

const MEMBERS = [
  'output',
  'fromCache',
  'executionStopped',
] as const satisfies readonly (keyof NeuronResponse)[];

/** The body of a success. Throws `NeuronError` for a body that the service does not send. */
export function readSuccess(response: Response, text: string): NeuronResponse {
  const body = parseObject(text);
  if (body === undefined || !MEMBERS.some((member) => member in body)) throw toError(response);
  return body as unknown as NeuronResponse;
}

/** Adds `replayed` where the service repeats an earlier answer. */
export function markReplay<Answer extends NeuronResponse>(response: Response, answer: Answer): Answer {
  return response.headers.get('Idempotency-Replayed') === 'true' ? { ...answer, replayed: true } : answer;
}

/** Adds the token of a response that has one, and the way to send feedback with it. */
export function addFeedback<Answer extends NeuronResponse>(
  response: Response,
  answer: Answer,
  send: (feedback: NeuronFeedback) => Promise<void>,
): Answer {
  const token = response.headers.get('X-Feedback-Token');
  if (token === null) return answer;
  const feedback: SendFeedback = (metric, value, comment) => send({ token, metric, value, comment });
  const named = { ...answer, feedbackToken: token };
  return Object.defineProperty(named, 'feedback', { value: feedback });
}

/** The output of a success in raw mode. Throws `NeuronError` unless it is plain text: it may be a page of a proxy. */
export function readRaw(response: Response, text: string): string {
  const type = response.headers.get('Content-Type');
  if (type !== null && !/^text\/plain[ \t]*(?:;|$)/i.test(type)) throw toError(response);
  return text;
}

export const EVENT_STREAM = 'text/event-stream';

/** Throws `NeuronError` unless a success is a stream: a proxy, or a service without streams, may answer in another form. */
export function checkStream(response: Response): void {
  const type = response.headers.get('Content-Type') ?? '';
  if (!type.toLowerCase().startsWith(EVENT_STREAM)) throw toError(response);
}

/** The error of a failed response, with the secrets that the response repeats removed. */
export async function readError(response: Response, secrets: readonly string[]): Promise<NeuronError> {
  return toError(response, parseObject(await response.text().catch(() => '')), secrets);
}

/** `statusCode` is that of the response, unless the error came within a stream. */
export function toError(
  response: Response,
  body?: Readonly<Record<string, unknown>>,
  secrets: readonly string[] = [],
  statusCode = response.status,
): NeuronError {
  const textOf = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== ''
      ? secrets.reduce((text, secret) => text.replaceAll(secret, '[token]'), value)
      : undefined;
  // API Gateway's own answers may hold the variable of their template in place of an id.
  const idOf = (value: unknown): string | undefined =>
    typeof value === 'string' && value.startsWith('$') ? undefined : textOf(value);
  const code = textOf(body?.['code']);
  const Kind = code === 'idempotency_mismatch' ? IdempotencyMismatchError : NeuronError;
  return new Kind({
    error: textOf(body?.['error']) ?? fallbackText(response),
    statusCode,
    code,
    retryAfter: secondsOf(body?.['retryAfter']) ?? secondsOf(response.headers.get('Retry-After')),
    executionId: idOf(body?.['executionId']) ?? idOf(response.headers.get('X-Execution-Id')),
  });
}

/** The text for a response that is not from the service. Its body is not quoted: it may be a page of any size. */
function fallbackText(response: Response): string {
  // API Gateway rejects long bodies itself, in its own format.
  if (response.status === 413) return 'The input is too large (HTTP 413). Shorten it.';
  const type = response.headers.get('Content-Type') ?? 'no content type';
  return `The response (HTTP ${response.status}, ${type}) is not from the service. Check baseURL and any proxy in between.`;
}

/** A JSON object; undefined for anything else. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Seconds of `retryAfter` or `Retry-After`, which a proxy may send as a date (RFC 9110, section 10.2.3). */
function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && value < Infinity ? value : undefined;
  if (typeof value !== 'string') return undefined;
  if (/^[0-9]+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const seconds = Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return /GMT$/.test(value) && !Number.isNaN(seconds) ? Math.max(0, seconds) : undefined;
}
