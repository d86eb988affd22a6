// Parses a request of the service's own form: body, query parameters and the `Accept` header.
import { ServiceError } from '../../contract/service-error.ts';
import { parseConversation, REQUEST_MEMBERS, sentVariables } from '../../conversation/parse-conversation.ts';
import { EVENT_STREAM } from '../event-stream.ts';
import { conversationMembers, parseBody, parseFlag } from '../parse.ts';
import type { Invocation, UnparsedInvocation } from '../surface.ts';

/** An invocation with the form of its answer. */
export interface NativeInvocation extends Invocation {
  /** True for the output as plain text. */
  readonly rawOutput: boolean;
}

/**
 * Parses a call. Throws `ServiceError`: `malformed_json` or `malformed_body` (400), `invalid_input`, `input_too_large`,
 * `invalid_parameter` (422).
 */
export function parseInvocation(unparsed: UnparsedInvocation, maxInputBytes: number): NativeInvocation {
  const body = parseBody(unparsed.body);
  const conversation = parseConversation(body, maxInputBytes);
  const rawOutput = parseFlag('rawOutput', unparsed.rawOutput);
  const stream = acceptsEventStream(unparsed.accept);
  if (rawOutput && stream) {
    throw new ServiceError('invalid_parameter', {
      detail: '"rawOutput" has no stream. Leave it out, or do not send "Accept: text/event-stream".',
    });
  }
  return {
    ...conversationMembers(unparsed, body, conversation),
    sentVariables: sentVariables(body),
    rawOutput,
    stream,
    leftOut: Object.keys(body).filter((name) => !Object.hasOwn(REQUEST_MEMBERS, name)),
  };
}

/** An exclusion in `Accept` (RFC 9110, section 12.5.1): `q=0`, `q=0.000`. */
const EXCLUDED = /;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i;

/** True when `Accept` names the media type itself: clients that take anything send a range such as `text/*`. */
export function acceptsEventStream(values: readonly string[]): boolean {
  return values
    .flatMap((value) => value.split(','))
    .some((range) => {
      const [type = ''] = range.split(';');
      return type.trim().toLowerCase() === EVENT_STREAM && !EXCLUDED.test(range);
    });
}
