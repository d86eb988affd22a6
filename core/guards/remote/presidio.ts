// The traits of Presidio's analyzer: one text a call, which its models of language read whole.
import type { PresidioGuard } from '../../settings/guards/remote/presidio.ts';
import type { ServiceTraits } from './traits.ts';

/** spaCy refuses texts of more than 1,000,000 characters; a call of 50,000 takes seconds already. */
export const presidioTraits: ServiceTraits<PresidioGuard> = {
  limits: { textCharacters: 50_000, callCharacters: 50_000, texts: 1, overlap: 500 },
  mostUsage: () => ({ units: { call: 1 } }),
  unpriced: 0,
};
