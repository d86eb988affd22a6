// Parses the parts of a request that are the same on every surface: a JSON object as its body, and flags in its query.
import { ServiceError } from '../contract/service-error.ts';
import { hasMoreValues, isJsonObject, type JsonObject } from '../text/json.ts';

/** Values of a body, and names of members: a conversation of 10,000 messages, half of them calls of tools, has 125,000. */
const MAX_VALUES = 150_000;

/** The body as an object. Throws `malformed_json` or `malformed_body` (400), and `invalid_input` (422) for very many values. */
export function parseBody(body: string | undefined): JsonObject {
  // A list of empty lists takes a hundred times its size once it is parsed, and an object of many members as much time.
  if (body !== undefined && hasMoreValues(body, MAX_VALUES)) {
    throw new ServiceError('invalid_input', {
      detail: `The body has more than ${MAX_VALUES} values and names. Send less in one request.`,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(body ?? '');
  } catch {
    // No cause: the parser's message quotes the body, and the body must not reach a log.
    throw new ServiceError('malformed_json');
  }
  if (!isJsonObject(value)) throw new ServiceError('malformed_body');
  return value;
}

/** `true`, `false` (any case), `1` or `0`, once; absent is false. Throws `invalid_parameter` (422). */
export function parseFlag(name: string, values: readonly string[]): boolean {
  if (values.length === 0) return false;
  if (values.length > 1)
    throw new ServiceError('invalid_parameter', { reason: `${name} given ${values.length} times` });
  const value = values[0]?.toLowerCase();
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new ServiceError('invalid_parameter', { reason: `${name} is not a boolean` });
}
