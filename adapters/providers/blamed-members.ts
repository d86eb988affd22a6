// Finds the member of a request that a provider blames for an error, however its API spells it.
import type { RequestMember } from '../../core/ports/providers.ts';

/** The spellings of OpenAI (`param`), Anthropic (the path in a message) and Bedrock (the path in a message, and Anthropic's within it). */
const SPELLINGS: readonly (readonly [RegExp, RequestMember])[] = [
  [/^temperature\b/, 'temperature'],
  [/^top_?p\b/, 'topP'],
  [/^max_?(?:completion_?)?tokens\b/, 'maxTokens'],
  [/^stop(?:_?sequences)?\b/, 'stopSequences'],
  [/^seed\b/, 'seed'],
  [/^(?:output_)?dimensions?\b/, 'dimensions'],
  [/^(?:tools|toolconfig\.tools)\b/, 'tools'],
  [/^(?:tool_choice|(?:toolconfig\.)?toolchoice)\b/, 'toolChoice'],
  [/^(?:response_format|text\.format|output_(?:config\.)?format|outputconfig\.textformat)\b/, 'schema'],
  [/^(?:reasoning_effort|reasoning\.effort|effort|output_?config\.effort)\b/, 'reasoningEffort'],
  [/^(?:additionalmodelrequestfields\.)?thinking\b/, 'thinking'],
  [/^frequency_?penalty\b/, 'frequencyPenalty'],
  [/^presence_?penalty\b/, 'presencePenalty'],
  [/^logit_?bias\b/, 'logitBias'],
  [/^(?:verbosity|text\.verbosity)\b/, 'verbosity'],
  [/^(?:parallel_tool_calls|tool_choice\.disable_parallel_tool_use)\b/, 'parallelToolCalls'],
  [/^prompt_cache_key\b/, 'promptCacheKey'],
  [/^model(?:id)?\b/, 'model'],
];

/** The member that a name or path stands for; undefined for text of a caller and for unknown names. */
export function memberNamed(name: string): RequestMember | undefined {
  const plain = name
    .replace(/^[`'"]+/, '')
    .replace(/^(?:inferenceConfig|#\/)[./]?/i, '')
    .toLowerCase();
  return SPELLINGS.find(([spelling]) => spelling.test(plain))?.[1];
}

/** Such as "`temperature` and `top_p` cannot both be specified for this model". */
const BOTH = /^`?(\w+)`? and `?(\w+)`? cannot both be specified\b/;

/** Such as "This model doesn't support the temperature field". */
const UNSUPPORTED =
  /^this model does(?:n['’]t| not) support (?:the )?`?(\w+)`?(?: (?:field|parameter|use)\b|\.)/i;

/**
 * The members that a message of Anthropic or Bedrock blames. Only its beginning is read: the rest may quote a caller.
 */
export function membersBlamed(message: string): readonly RequestMember[] {
  const both = BOTH.exec(message);
  const unsupported = UNSUPPORTED.exec(message)?.[1];
  const names =
    both !== null ? both.slice(1, 3) : [unsupported === undefined ? message : toPlural(unsupported)];
  return names.flatMap((name) => memberNamed(name) ?? []);
}

/** Bedrock says `tool use` of tools. */
function toPlural(name: string): string {
  return name === 'tool' ? 'tools' : name;
}
