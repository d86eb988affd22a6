// The family of the program that calls, by how released programs name themselves in User-Agent. A header is anybody's: no decision rests on it.

/** In this order: agents are built on the libraries below them, and name both. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['claude-code', /^claude-cli\//],
  ['codex', /^codex/i],
  ['opencode', /\bopencode\//],
  ['openai-agents', /^Agents\//],
  ['langchain', /langchain/i],
  ['ai-sdk', /\bai(?:-sdk)?\//],
  ['openai-node', /^(?:Async)?OpenAI\/JS/],
  ['openai-python', /^(?:Async)?OpenAI\/Python/],
  ['anthropic-node', /^Anthropic\/JS/],
  ['anthropic-python', /^(?:Async)?Anthropic\/Python/],
  ['curl', /^curl\//],
  ['browser', /^Mozilla\//],
];

/** More than any program says of itself. */
const MAX_LENGTH = 500;

/** One of a closed set of names, `other` for any other program, undefined for one that says nothing. */
export function clientKindOf(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined || userAgent === '') return undefined;
  const text = userAgent.slice(0, MAX_LENGTH);
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}
