// Finds the price of a model: the organization's own, or else the built-in one.
import type { Organization, Provider } from '../settings/organization-schema.ts';
import type { Price } from './cost.ts';
import { PRICE_TABLE } from './price-table.ts';

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
