// The cost of asking services about the longest message that a caller may send, so that a price is known before it is paid.
import { MAX_PARTS } from '../../conversation/parse-parts.ts';
import type { ActiveGuard } from '../../guards/active-guards.ts';
import { spendingOf } from '../../guards/remote/charge.ts';
import { chunkTexts } from '../../guards/remote/chunks.ts';
import { traitsOf } from '../../guards/remote/traits.ts';
import { costOfUsage, findPrice } from '../../pricing/cost.ts';
import type { Guard } from '../../settings/guards/guards-schema.ts';
import type { Organization } from '../../settings/organization-schema.ts';

/** One question of a guard, about one message of `maxInputBytes`. */
export interface ServiceCost {
  readonly guard: string;
  readonly type: Guard['type'];
  /** Calls of its service. */
  readonly calls: number;
  /** Null where a price is not known. */
  readonly costMicrodollars: number | null;
}

/** One for each guard by a service. */
export function costsOf(
  active: readonly ActiveGuard[],
  maxInputBytes: number,
  organization: Pick<Organization, 'providers' | 'prices'>,
): readonly ServiceCost[] {
  const texts = textsOfMessage(maxInputBytes);
  return active.flatMap(({ name, type, service }) => {
    if (service === undefined) return [];
    const traits = traitsOf(service.guard);
    const calls = chunkTexts(texts, traits.limits);
    const usages = calls.map((call) =>
      traits.mostUsage(
        service.guard,
        call.map(({ value }) => value),
      ),
    );
    const { costMicrodollars } = spendingOf(service.guard, usages, (provider, model, usage) => {
      const price = findPrice(organization, provider, model);
      return price === undefined ? null : costOfUsage(usage, price);
    });
    return [{ guard: name, type, calls: calls.length, costMicrodollars }];
  });
}

/** A message that costs most: each part is rounded up by itself, and all of them are asked about as one text too. */
function textsOfMessage(characters: number): readonly string[] {
  const small = Math.min(MAX_PARTS, characters) - 1;
  return [
    ...Array.from({ length: small }, () => 'x'),
    'x'.repeat(characters - small),
    'x'.repeat(characters),
  ];
}
