// What a model call costs: integer microdollars, rounded up.
import type { TokenUsage } from '../ports/providers.ts';

/** Microdollars per 1,000,000 tokens. */
export interface Price {
  readonly input: number;
  /** For input that the provider took from its prompt cache; like other input where absent. */
  readonly cachedInput?: number | undefined;
  /** Reasoning tokens are output tokens and cost the same. */
  readonly output: number;
}

const TOKENS_PER_PRICE = 1_000_000n;

/** Integer arithmetic throughout: tokens times price outgrow what a double holds exactly. */
export function costOfUsage(usage: TokenUsage, price: Price): number {
  // A provider that reports more cached input than input is not believed beyond the input.
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const total =
    BigInt(usage.input - cached) * BigInt(price.input) +
    BigInt(cached) * BigInt(price.cachedInput ?? price.input) +
    BigInt(usage.output) * BigInt(price.output);
  return Number((total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
}
