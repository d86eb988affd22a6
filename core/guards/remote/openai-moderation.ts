// The traits of OpenAI's moderation.
import type { OpenaiModerationGuard } from '../../settings/guards/remote/openai-moderation.ts';
import type { ServiceTraits } from './traits.ts';

/** Its guide advises parts of at most 2,000 characters: in longer ones a sentence is outweighed by what stands around it. */
export const openaiModerationTraits: ServiceTraits<OpenaiModerationGuard> = {
  limits: { textCharacters: 2_000, callCharacters: 40_000, texts: 20, overlap: 200 },
  mostUsage: () => ({ units: { call: 1 } }),
  // OpenAI asks no price for it.
  unpriced: 0,
};
