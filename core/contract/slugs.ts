// Slugs: the path segments that name an organization, a neuron and a version.

/** 1 to 63 characters of `a-z`, `0-9` and `-`, beginning and ending with a letter or digit: safe in a URL, an ARN and a table key. */
export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Slugs nobody may use. API Gateway answers `/ping` and `/sping` itself on custom domains
 * (docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html); the others are segments of the routes for
 * OpenAI's, Anthropic's and MCP's clients.
 */
export const RESERVED_SLUGS: readonly string[] = [
  'ping',
  'sping',
  'v1',
  'chat',
  'completions',
  'responses',
  'messages',
  'embeddings',
  'models',
  'mcp',
];

const MAX_LENGTH = 63;

/** True for a slug that may name an organization or a neuron. */
export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && SLUG_PATTERN.test(value) && !RESERVED_SLUGS.includes(value);
}

/** Why a text is no slug, to follow its name in a sentence; undefined for a slug. */
export function explainSlug(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (RESERVED_SLUGS.includes(text)) return 'is reserved; choose another name';
  if (text.length > MAX_LENGTH) return `has ${text.length} characters; a slug has at most ${MAX_LENGTH}`;
  return SLUG_PATTERN.test(text) ? undefined : explainCharacters(text);
}

function explainCharacters(text: string): string {
  const near = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `may have only a-z, 0-9 and -, and no - at its ends${isSlug(near) ? `, such as ${near}` : ''}`;
}

/** True for the id of a version, which has the form of a slug (`v12`). */
export function isVersionId(value: unknown): value is string {
  return typeof value === 'string' && SLUG_PATTERN.test(value);
}
