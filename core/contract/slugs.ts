// Slugs: the path segments that name an organization, a neuron and a version.

/** 1 to 63 characters of `a-z`, `0-9` and `-`, beginning and ending with a letter or digit: safe in a URL, an ARN and a table key. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Slugs nobody may use. API Gateway answers `/ping` and `/sping` itself on custom domains
 * (docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html); `v1` is the root of the routes for OpenAI clients;
 * `chat` is kept for later.
 */
export const RESERVED_SLUGS: readonly string[] = ['ping', 'sping', 'chat', 'v1'];

/** True for a slug that may name an organization or a neuron. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && SLUG_PATTERN.test(value) && !RESERVED_SLUGS.includes(value);
}

/** True for the id of a version, which has the form of a slug (`v12`). */
export function isVersionId(value: unknown): value is string {
  return typeof value === 'string' && SLUG_PATTERN.test(value);
}
