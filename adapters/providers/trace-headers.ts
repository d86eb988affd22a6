// Passes the caller's trace on to a provider.
import type { ModelRequest } from '../../core/ports/providers.ts';

export function traceHeaders({
  traceparent,
}: Pick<ModelRequest, 'traceparent'>): Readonly<Record<string, string>> {
  return traceparent === undefined ? {} : { traceparent };
}
