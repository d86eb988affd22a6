// What the models of one organization cost.

import type { FlowPorts } from '../../core/flow/step.ts';
import { costOfUsage } from '../../core/pricing/cost.ts';
import { findPrice } from '../../core/pricing/find-price.ts';
import type { UsableSettings } from '../../core/settings/usable-settings.ts';

/** Null for a model without a price: the cost is unknown, which is not zero. */
export function toCostOf({ organization }: UsableSettings): FlowPorts['costOf'] {
  return (provider, model, usage) => {
    const price = findPrice(organization, provider, model);
    return price === undefined ? null : costOfUsage(usage, price);
  };
}
