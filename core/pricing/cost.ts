// Calculates the cost of a model call, in integer microdollars, by the organization's own price or else the built-in one.
import type { TokenUsage } from '../ports/providers.ts';
import type { Organization, Provider } from '../settings/organization-schema.ts';
import { PRICE_TABLE, type Price } from './price-table.ts';

const TOKENS_PER_PRICE = 1_000_000n;

/** Rounded up. Calculated with BigInt: tokens times price can exceed the safe integers. */
export function costOfUsage(usage: TokenUsage, price: Price): number {
  // Cached input is part of the input, whatever the provider reports.
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const total =
    BigInt(usage.input - cached) * BigInt(price.input) +
    BigInt(cached) * BigInt(price.cachedInput ?? price.input) +
    BigInt(usage.output) * BigInt(price.output);
  return Number((total + TOKENS_PER_PRICE - 1n) / TOKENS_PER_PRICE);
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
