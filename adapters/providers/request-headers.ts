// The headers that an organization adds to requests, with the values of their secrets.
import type { ProviderHeaders } from '../../core/settings/request-headers.ts';
import { type ApiKeySource, withApiKey } from './api-key.ts';

type Headers = Readonly<Record<string, string>>;

/**
 * Runs an attempt with these headers, in lower case. Secrets are read, read again after a 401, and redacted in what the provider says, as
 * `withApiKey` does with a key.
 */
export function withHeaders<Result>(
  configured: ProviderHeaders | undefined,
  source: ApiKeySource,
  attempt: (headers: Headers) => Promise<Result>,
): Promise<Result> {
  const add = (
    left: readonly (readonly [string, ProviderHeaders[string]])[],
    headers: Headers,
  ): Promise<Result> => {
    const [next, ...others] = left;
    if (next === undefined) return attempt(headers);
    const [name, value] = next;
    const go = (text: string): Promise<Result> => add(others, { ...headers, [name.toLowerCase()]: text });
    return typeof value === 'string' ? go(value) : withApiKey(value, source, go);
  };
  return add(Object.entries(configured ?? {}), {});
}
