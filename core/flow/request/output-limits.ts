// The longest answers of models whose vendors name a maximum, in tokens.

/**
 * By the vendors' names, which may stand behind a prefix of a region or an endpoint (`us.anthropic.`, `openai/`). Claude:
 * github.com/Effect-TS/effect, release @effect/ai-anthropic@4.0.0-beta.106 (4.5 and later), github.com/labring/fastgpt-plugin/pull/242
 * (4 and 4.1), api.koog.ai (Haiku 3). OpenAI: www.scriptbyai.com/token-limit-openai-chatgpt, and community.openai.com/t/524066 (GPT-3.5).
 */
const MAXIMUMS: readonly (readonly [RegExp, number])[] = [
  [/(?:^|[./])claude-(?:opus-4-[678]|sonnet-4-6|(?:opus|sonnet|haiku)-5)/, 128_000],
  [/(?:^|[./])claude-(?:opus-4-5|sonnet-4|haiku-4)/, 64_000],
  [/(?:^|[./])claude-opus-4/, 32_000],
  [/(?:^|[./])claude-3-haiku/, 4_096],
  [/(?:^|[./])gpt-5/, 128_000],
  [/(?:^|[./])o(?:1|3|4-mini)(?![\w.])/, 100_000],
  [/(?:^|[./])gpt-4\.1/, 32_768],
  [/(?:^|[./])gpt-4o/, 16_384],
  [/(?:^|[./])gpt-3\.5/, 4_096],
];

/** For every other model: enough for coding agents, and no more than a limit can bear to be reserved. */
export const UNKNOWN_MAXIMUM = 32_000;

/** The tokens that a caller may ask of a model. */
export function maxOutputOf(model: string): number {
  const name = model.toLowerCase();
  return MAXIMUMS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_MAXIMUM;
}
