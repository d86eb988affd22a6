// Rejects options that do not exist: a misspelled one would be left out in silence.
import type { CallNeuronOptions, NeuronClientOptions, RetryOptions } from './types.ts';

/** The names of a type as one text; `test/types/client.test.ts` holds that none is missing. */
export const CLIENT_OPTIONS = 'jwtOrApiKey, baseURL, fetch, timeout, retry';
export const RETRY_OPTIONS = 'maxRetries, baseDelay, maxDelay, networkFailures';
export const CALL_OPTIONS =
  'input, messages, tools, toolChoice, responseFormat, parameters, variables, bypassCache, rawOutput, headers, jwtOrApiKey, signal, timeout, idempotencyKey, idempotent, revisionId, key';

/** Throws `TypeError` for an option of `new NeuronClient` or of its `retry` that does not exist. */
export function checkClientOptions({ retry, ...options }: NeuronClientOptions): void {
  check('a client', options, CLIENT_OPTIONS);
  check('retry', retry || {}, RETRY_OPTIONS);
}

/** Throws `TypeError` for an option of a call that does not exist. */
export function checkCallOptions(options: CallNeuronOptions): void {
  check('a call', options, CALL_OPTIONS);
}

function check(
  of: string,
  options: NeuronClientOptions | RetryOptions | CallNeuronOptions,
  known: string,
): void {
  for (const name of Object.keys(options))
    if (!known.split(', ').includes(name))
      throw new TypeError(`${name.slice(0, 64)} is no option of ${of}: ${known}`);
}
