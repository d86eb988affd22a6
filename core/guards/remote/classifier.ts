// The traits of models that classify: one text a call, short enough for a context of 8,192 tokens in any script.
import { type ClassifierGuard, mostTokens } from '../../settings/guards/remote/classifier.ts';
import type { ServiceTraits } from './traits.ts';

export const classifierTraits: ServiceTraits<ClassifierGuard> = {
  limits: { textCharacters: 4_000, callCharacters: 4_000, texts: 1, overlap: 500 },
  mostUsage: (guard, texts) => ({
    tokens: { provider: guard.provider, model: guard.model, usage: mostTokens(guard, texts) },
  }),
  // Tokens have the price of their model.
  unpriced: null,
};
