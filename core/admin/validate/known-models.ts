// What is known of models by their names. Such lists are always late: they warn, and refuse only what never worked.
import type { Provider } from '../../settings/organization-schema.ts';

/** What a model is known for. */
export type ModelTrait = 'thinks' | 'refusesSampling' | 'takesNoImages' | 'takesNoSchema' | 'takesNoEffort';

/** Names as each vendor writes them; a prefix of the vendor or of a region of Bedrock may stand before them. */
const KNOWN: Readonly<Record<ModelTrait, RegExp>> = {
  // platform.openai.com/docs/guides/reasoning, platform.claude.com/docs/en/build-with-claude/adaptive-thinking
  thinks: /^(?:o[134](?:-|$)|gpt-5|claude-(?:opus-(?:4-[789]|5)|sonnet-5|fable-)|deepseek-(?:r1|reasoner))/,
  // Opus 4.7 and later, Sonnet 5, Opus 5: "`temperature` is deprecated for this model."
  refusesSampling: /^(?:o[134](?:-|$)|gpt-5|claude-(?:opus-(?:4-[789]|5)|sonnet-5|fable-))/,
  // platform.openai.com/docs/models, docs.aws.amazon.com/nova/latest/userguide/what-is-nova.html, api-docs.deepseek.com
  takesNoImages:
    /^(?:gpt-3\.5|gpt-4(?:-0613|-32k)?$|o1-mini|o3-mini|gpt-oss|claude-(?:instant|v?2)|nova-micro|titan-(?:text|embed)|deepseek-(?:chat|reasoner|r1)|mistral-7b|mixtral|command-r|jamba|j2-)/,
  // platform.openai.com/docs/guides/structured-outputs (gpt-4o-2024-08-06 and later), platform.claude.com (Claude 4.5 and later)
  takesNoSchema:
    /^(?:gpt-3\.5|gpt-4(?:-0613|-32k|-turbo.*)?$|o1-mini|o1-preview|claude-(?:instant|v?2|3-|opus-4-(?:0|20250514)|sonnet-4-(?:0|20250514))|titan-|jamba|j2-)/,
  // platform.claude.com/docs/en/build-with-claude/effort: Opus 4.5 and later, Sonnet 4.6 and later
  takesNoEffort:
    /^(?:gpt-3\.5|gpt-4|claude-(?:instant|v?2|3-|haiku-4|sonnet-4-(?:0|5|20250514)|opus-4-(?:0|1|20250514))|titan-|nova-(?:micro|lite|pro|premier))/,
};

/** Before the name of a model on Bedrock, such as `us.anthropic.`; before one at other servers, such as `openai/`. */
const PREFIX = /^(?:(?:us|eu|apac|global|us-gov|jp|au)\.)?(?:[a-z0-9]+\.)?(?=[a-z])|^[A-Za-z0-9_-]+\//;

/** Whether a model is known for something; false for what is not known. */
export function isKnownFor(trait: ModelTrait, type: Provider['type'], model: string): boolean {
  if (type === 'echo' || type === 'lexical') return false;
  const lower = model.toLowerCase();
  const bare = type === 'bedrock' ? lower.replace(PREFIX, '') : lower.replace(/^.*\//, '');
  return KNOWN[trait].test(bare);
}
