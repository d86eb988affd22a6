// Reads an answer: a success as its body, everything else as an error that says something.
import { NeuronError } from './error.ts';
import type { NeuronResponse } from './types.ts';

/** The body of a success. Throws `NeuronError` when it is not one that the service sends. */
export async function readSuccess(response: Response): Promise<NeuronResponse> {
  const body = parseObject(await response.text());
  if (body === undefined) throw toError(response, undefined, undefined);
  return body as unknown as NeuronResponse;
}

/** The error of an answer that is no success. A token that the answer repeats is left out. */
export async function readError(response: Response, token: string | undefined): Promise<NeuronError> {
  return toError(response, parseObject(await response.text().catch(() => '')), token);
}

function toError(
  response: Response,
  body: Readonly<Record<string, unknown>> | undefined,
  token: string | undefined,
): NeuronError {
  const text = textOf(body?.['error']) ?? fallbackText(response);
  return new NeuronError({
    error: token ? text.replaceAll(token, '[token]') : text,
    statusCode: response.status,
    code: textOf(body?.['code']),
    retryAfter: secondsOf(body?.['retryAfter']) ?? secondsOf(response.headers.get('Retry-After')),
    executionId: textOf(body?.['executionId']) ?? textOf(response.headers.get('X-Execution-Id')),
  });
}

/** Text for an answer that is not the service's; its body stays unquoted, since it may be a page of any size. */
function fallbackText(response: Response): string {
  const type = response.headers.get('Content-Type') ?? 'no content type';
  return `The answer (HTTP ${response.status}, ${type}) is not the JSON of a neuron. Check baseURL and what stands between.`;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function secondsOf(value: unknown): number | undefined {
  const isWhole = typeof value === 'number' || (typeof value === 'string' && /^[0-9]{1,9}$/.test(value));
  const seconds = isWhole ? Number(value) : Number.NaN;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
