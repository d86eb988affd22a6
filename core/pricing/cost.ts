// What a model call costs: integer microdollars, rounded up.
import type { TokenUsage } from '../ports/providers.ts';

/** Microdollars per 1,000,000 tokens. */
export interface Price {
  readonly input: number;
  /** For input from the provider's prompt cache; when absent, the price of other input applies. */
  readonly cachedInput?: number | undefined;
  /** Reasoning tokens are billed as output tokens. */
  readonly output: number;
}

const TOKENS_PER_PRICE = 1_000_000n;

/** Calculated with BigInt: tokens times price can exceed the safe integers. */
export function costOfUsage(usage: TokenUsage, price: Price): number {
  // Cached input is part of the input, whatever the provider reports.
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const total =
    BigInt(usage.input - cached) * BigInt(price.input) +
    BigInt(cached) * BigInt(price.cachedInput ?? price.input) +
    BigInt(usage.output) * BigInt(price.output);
  return Number((total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
}
