// Reads the `Accept` header (RFC 9110, section 12.5.1) for the one question that is asked of it.

/** The media type of server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html). */
export const EVENT_STREAM = 'text/event-stream';

/** An exclusion weighs nothing: `q=0`, `q=0.000`. */
const EXCLUDED = /;\s*q=0(?:\.0{0,3})?\s*(?:;|$)/i;

/** True when a caller names the media type itself: a range such as `text/*` is what every client sends that takes anything. */
export function acceptsEventStream(values: readonly string[]): boolean {
  return values
    .flatMap((value) => value.split(','))
    .some((range) => {
      const [type = ''] = range.split(';');
      return type.trim().toLowerCase() === EVENT_STREAM && !EXCLUDED.test(range);
    });
}
