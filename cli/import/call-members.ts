// The members of a step that name models and what it accepts of callers, for targets and fallbacks of another gateway.
import { isKnownFor } from '../../core/admin/validate/model-traits.ts';
import { ACCEPTABLE } from '../../core/settings/flow-schema.ts';
import type { ProviderDocument } from './providers.ts';
import type { Note } from './write-imported.ts';

/** A model of a provider of the organization. */
export interface Reference {
  readonly provider: string;
  readonly model: string;
  /** Its type says which models of it are known. */
  readonly type: ProviderDocument['type'];
}

export interface WeightedReference extends Reference {
  readonly weight: number;
}

const MAX_TARGETS = 10;
const MAX_FALLBACKS = 5;

/** Where there is no target, the first fallback takes its place. */
export function toCallMembers(
  targets: readonly WeightedReference[],
  others: readonly Reference[],
  note: Note,
): Record<string, unknown> {
  const merged = mergeEqual(targets);
  const [first, ...rest] = merged.length === 0 ? others : merged;
  const fallbacks = merged.length === 0 ? rest : others;
  if (merged.length > MAX_TARGETS)
    note('targets', `a step has at most ${MAX_TARGETS} targets, the rest was left out`);
  if (fallbacks.length > MAX_FALLBACKS)
    note('fallbacks', `a step has at most ${MAX_FALLBACKS} fallbacks, the rest was left out`);
  const weights = toWeights(merged.map(({ weight }) => weight));
  const isEven = weights.every((weight) => weight === weights[0]);
  const balanced = merged.map(({ provider, model }, index) => ({
    provider,
    model,
    ...(isEven ? {} : { weight: weights[index] }),
  }));
  return {
    ...(merged.length > 1
      ? { targets: balanced.slice(0, MAX_TARGETS) }
      : { provider: first?.provider, model: first?.model }),
    ...toAccepts([...merged, ...others], note),
    ...(fallbacks.length === 0
      ? {}
      : { fallbacks: fallbacks.slice(0, MAX_FALLBACKS).map(({ provider, model }) => ({ provider, model })) }),
  };
}

/** Two deployments of one model are one target of both weights. */
function mergeEqual(targets: readonly WeightedReference[]): WeightedReference[] {
  const merged = new Map<string, WeightedReference>();
  for (const target of targets) {
    const name = `${target.provider}/${target.model}`;
    merged.set(name, { ...target, weight: target.weight + (merged.get(name)?.weight ?? 0) });
  }
  return [...merged.values()];
}

/** Everything, but for what a model among them is known not to take. */
function toAccepts(models: readonly Reference[], note: Note): Record<string, unknown> {
  const lacking = [
    { member: 'schema', trait: 'takesNoSchema', what: 'structured output' },
    { member: 'images', trait: 'takesNoImages', what: 'images' },
  ] as const;
  const missing = lacking.flatMap(({ member, trait, what }) => {
    const model = models.find((one) => isKnownFor(trait, one.type, one.model));
    if (model === undefined) return [];
    note('accepts', `${model.model} has no ${what}: requests that ask for it are refused`);
    return [member as string];
  });
  const images = missing.includes('images') ? {} : { images: { byAddress: true } };
  if (missing.length === 0) return { accepts: 'all', ...images };
  const accepts = ACCEPTABLE.filter((what) => what !== 'passThrough' && !missing.includes(what));
  return { accepts, ...images };
}

/** Whole numbers of 1 to 1000 in the proportion of weights that may be fractions. */
function toWeights(weights: readonly number[]): number[] {
  if (weights.every((weight) => Number.isInteger(weight) && weight >= 1 && weight <= 1000))
    return [...weights];
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => Math.max(1, Math.round((100 * weight) / total)));
  const least = Math.min(...shares);
  return shares.every((share) => share % least === 0) ? shares.map((share) => share / least) : shares;
}
