// The traits of Bedrock's guardrails and checks, which are charged by text units of up to 1,000 characters.
import {
  type BedrockChecksGuard,
  type BedrockGuard,
  checksOf,
} from '../../settings/guards/remote/bedrock.ts';
import type { ServiceTraits } from './traits.ts';

const UNIT_CHARACTERS = 1_000;

/** Units where each text is rounded up by itself: never fewer than where all of a call are. */
function unitsOf(texts: readonly string[]): number {
  return texts.reduce((units, text) => units + Math.ceil(text.length / UNIT_CHARACTERS), 0);
}

/**
 * Some regions take 25 units a call (docs.aws.amazon.com/general/latest/gr/bedrock.html): 15 and one more for each of ten texts. Which
 * policies a guardrail has is not known here: those with a price are reserved.
 */
export const bedrockTraits: ServiceTraits<BedrockGuard> = {
  limits: { textCharacters: 15_000, callCharacters: 15_000, texts: 10, overlap: 500 },
  mostUsage({ prices }, texts) {
    const units = unitsOf(texts);
    const policies = Object.keys(prices ?? { content: undefined });
    return { units: Object.fromEntries(policies.map((policy) => [policy, units])) };
  },
  unpriced: null,
};

/** Texts of 75,000 characters are taken, and at most 1,000 finds given. */
export const bedrockChecksTraits: ServiceTraits<BedrockChecksGuard> = {
  limits: { textCharacters: 25_000, callCharacters: 25_000, texts: 100, overlap: 500 },
  mostUsage(guard, texts) {
    const units = unitsOf(texts);
    return { units: Object.fromEntries(checksOf(guard).map((check) => [check, units])) };
  },
  unpriced: null,
};
