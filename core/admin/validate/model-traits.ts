// Models that are known not to take something, by their names. A model that is not listed may be either.
import type { Provider } from '../../settings/organization-schema.ts';

export type ModelTrait = 'thinks' | 'rejectsSampling' | 'takesNoImages' | 'takesNoSchema' | 'takesNoEffort';

/** Names as each vendor writes them; a prefix of the vendor or of a region of Bedrock may stand before them. */
const KNOWN: Readonly<Record<ModelTrait, RegExp>> = {
  // platform.openai.com/docs/guides/reasoning, platform.claude.com/docs/en/build-with-claude/adaptive-thinking
  thinks: /^(?:o[134](?:-|$)|gpt-5|claude-(?:opus-(?:4-[789]|5)|sonnet-5|fable-)|deepseek-(?:r1|reasoner))/,
  // Opus 4.7 and later, Sonnet 5, Opus 5: "`temperature` is deprecated for this model."
  rejectsSampling: /^(?:o[134](?:-|$)|gpt-5|claude-(?:opus-(?:4-[789]|5)|sonnet-5|fable-))/,
  // docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html, "Vision"; openrouter.ai/openai/o3-mini
  takesNoImages: /^(?:o1-mini|o3-mini|claude-(?:instant|v?2)|nova-micro|titan-text|jamba|j2-)/,
  // reference.langchain.com (withStructuredOutput): gpt-4o-2024-08-06 and later; github.com/langchain-ai/langchain-aws/issues/883: Claude 4.5 and later
  takesNoSchema:
    /^(?:gpt-3\.5|gpt-4(?:-0613|-32k|-turbo.*)?$|claude-(?:instant|v?2|3-|opus-4-(?:0|20250514)|sonnet-4-(?:0|20250514))|titan-text|jamba|j2-)/,
  // "This model does not support the effort parameter": github.com/anthropics/claude-code/issues/30760 (Haiku 4.5), 30795 (Sonnet 4.5)
  // OpenAI's models that do not reason: github.com/AAswordman/Operit/issues/1048 (GPT-4o), github.com/BoundaryML/baml/pull/2708 (GPT-4.1)
  takesNoEffort: /^(?:gpt-4(?:o|\.1)|claude-(?:haiku-4-5|sonnet-4-5))/,
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
