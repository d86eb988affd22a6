// Calculates the cost of a model call, in integer microdollars, by the organization's own price or else the built-in one.
import type { TokenUsage } from '../ports/providers.ts';
import type { Organization, Provider } from '../settings/organization-schema.ts';
import { PRICE_TABLE, type Price } from './price-table.ts';

const TOKENS_PER_PRICE = 1_000_000n;

/** Rounded up. Calculated with BigInt: tokens times price can exceed the safe integers. */
export function costOfUsage(usage: TokenUsage, price: Price): number {
  const cacheWrite = price.cacheWrite ?? price.input;
  const input = costOfParts(usage.input, price.input, [
    // The dearest first: parts that exceed the whole are cut from the end.
    [usage.cacheWrite1h, price.cacheWrite1h ?? cacheWrite],
    [usage.cacheWrite, cacheWrite],
    [usage.cachedInput, price.cachedInput ?? price.input],
  ]);
  const output = costOfParts(usage.output, price.output, [
    [usage.reasoning, price.reasoning ?? price.output],
  ]);
  return Number((input + output + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
}

/** Tokens times price. Parts with a price of their own are within the whole, whatever the provider reports. */
function costOfParts(
  whole: number,
  price: number,
  parts: readonly (readonly [tokens: number | undefined, price: number])[],
): bigint {
  let left = whole;
  let total = 0n;
  for (const [tokens = 0, own] of parts) {
    const counted = Math.min(tokens, left);
    left -= counted;
    total += BigInt(counted) * BigInt(own);
  }
  return total + BigInt(left) * BigInt(price);
}

/** The settings of an organization that prices depend on. */
type PricedOrganization = Pick<Organization, 'providers' | 'prices'>;

const FREE: Price = { input: 0, output: 0 };

/** Undefined means an unknown cost, which is not 0. */
export function findPrice(
  { providers, prices }: PricedOrganization,
  providerName: string,
  model: string,
): Price | undefined {
  const key = `${providerName}/${model}`;
  if (Object.hasOwn(prices, key)) return prices[key];
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  return provider === undefined ? undefined : findBuiltIn(provider, model);
}

/** Only for the vendors' own endpoints: the same model may have another price elsewhere. */
function findBuiltIn(provider: Provider, model: string): Price | undefined {
  if (provider.type === 'echo' || provider.type === 'lexical') return FREE;
  const host = 'baseUrl' in provider ? new URL(provider.baseUrl).host : undefined;
  const list = PRICE_TABLE.lists.find((one) => one.host === host && Object.hasOwn(one.prices, model));
  return list?.prices[model];
}
