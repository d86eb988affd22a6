// The headers of a request to an OpenAI-compatible endpoint: those of the organization, and its key as `auth` says.
import type { Provider } from '../../../core/settings/organization-schema.ts';
import { type ApiKeySource, withApiKey } from '../api-key.ts';
import { withHeaders } from '../request-headers.ts';

export type OpenaiSettings = Extract<Provider, { type: 'openai' }>;

/** Without `apiKey` no key is sent, for servers on one's own machine. Throws as `withApiKey` does. */
export function withCredentials<Result>(
  { apiKey, auth, headers }: OpenaiSettings,
  source: ApiKeySource,
  attempt: (headers: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const send = (own: Readonly<Record<string, string>>): Promise<Result> =>
    withHeaders(headers, source, (added) => attempt({ ...added, ...own }));
  if (apiKey === undefined) return send({});
  // Azure OpenAI's name of the header (learn.microsoft.com/azure/ai-foundry/openai/reference, "Authentication").
  return withApiKey(apiKey, source, (key) =>
    send(auth === 'api-key' ? { 'api-key': key } : { authorization: `Bearer ${key}` }),
  );
}
