// Which member of a request a provider blames, whichever way its API spells it.
import type { RequestMember } from '../../core/ports/providers.ts';

/** The spellings of OpenAI (`param`), Anthropic (the path in a message) and Bedrock (the path in a message, and Anthropic's within it). */
const SPELLINGS: readonly (readonly [RegExp, RequestMember])[] = [
  [/^temperature\b/, 'temperature'],
  [/^top_?p\b/, 'topP'],
  [/^max_?(?:completion_?)?tokens\b/, 'maxTokens'],
  [/^stop(?:_?sequences)?\b/, 'stopSequences'],
  [/^seed\b/, 'seed'],
  [/^(?:tools|toolconfig\.tools)\b/, 'tools'],
  [/^(?:tool_choice|(?:toolconfig\.)?toolchoice)\b/, 'toolChoice'],
  [/^(?:response_format|text\.format|output_(?:config\.)?format|outputconfig\.textformat)\b/, 'schema'],
  [/^(?:reasoning_effort|reasoning\.effort|effort|output_?config\.effort|thinking)\b/, 'reasoningEffort'],
  [/^model(?:id)?\b/, 'model'],
];

/** The member that a name or path stands for; undefined for what a caller says and for what is not known. */
export function memberNamed(name: string): RequestMember | undefined {
  const plain = name
    .replace(/^[`'"]+/, '')
    .replace(/^(?:inferenceConfig|#\/)[./]?/i, '')
    .toLowerCase();
  return SPELLINGS.find(([spelling]) => spelling.test(plain))?.[1];
}

/** `temperature` and `top_p` cannot both be specified for this model. */
const BOTH = /^`?(\w+)`? and `?(\w+)`? cannot both be specified\b/;

/** The tools field is not supported; This model doesn't support the temperature field. */
const UNSUPPORTED =
  /^this model does(?:n['’]t| not) support (?:the )?`?(\w+)`?(?: (?:field|parameter|use)\b|\.)/i;

/**
 * The members that a message of Anthropic or Bedrock is about. Only its beginning is read: further on it might quote what a caller
 * said.
 */
export function membersBlamed(message: string): readonly RequestMember[] {
  const both = BOTH.exec(message);
  const unsupported = UNSUPPORTED.exec(message)?.[1];
  const names =
    both !== null ? both.slice(1, 3) : [unsupported === undefined ? message : plural(unsupported)];
  return names.flatMap((name) => memberNamed(name) ?? []);
}

/** Bedrock says `tool use` of tools. */
function plural(name: string): string {
  return name === 'tool' ? 'tools' : name;
}
