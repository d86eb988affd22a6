// The trace of the caller as a header for a provider.
import type { ModelRequest } from '../../core/ports/providers.ts';

/** None where the caller sent none. */
export function traceHeaders({
  traceparent,
}: Pick<ModelRequest, 'traceparent'>): Readonly<Record<string, string>> {
  return traceparent === undefined ? {} : { traceparent };
}
