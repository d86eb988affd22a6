// The models that a `callModel` step may ask: one of its own or several targets, and the fallbacks after them.
import * as z from 'zod/mini';
import { sum } from '../text/numbers.ts';
import { members } from './members.ts';
import type { Path } from './path.ts';
import { callableModel, integer, providerName } from './scalars.ts';
import { needing } from './schema-notes.ts';

export interface ModelReference {
  readonly provider: string;
  readonly model: string;
}

const reference = { provider: providerName, model: callableModel };

const MAX_TARGETS = 10;
const MAX_FALLBACKS = 5;
const MAX_WEIGHT = 1_000;

/** The members of a step that name models: `provider` and `model`, or `targets`. */
export const targetMembers = {
  provider: z.optional(providerName),
  model: z.optional(callableModel),
  targets: z.optional(
    z
      .array(members({ ...reference, weight: z._default(integer(1, MAX_WEIGHT), 1) }))
      .check(z.minLength(1), z.maxLength(MAX_TARGETS)),
  ),
};

export const fallbacks = z._default(z.array(members(reference)).check(z.maxLength(MAX_FALLBACKS)), []);

/** Keywords of JSON Schema for a step with `targetMembers`. */
export const TARGET_KEYWORDS = {
  oneOf: [{ type: 'object', required: ['provider', 'model'] }, needing('targets')],
};

/** The models of a step as parsed. */
export interface CallTargets {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly targets?: readonly WeightedTarget[] | undefined;
}

interface WeightedTarget extends ModelReference {
  readonly weight: number;
}

/** The error of a step that names its model in both ways or in neither, at the member that is one too many or missing. */
export const namesModel = z.check<CallTargets>(({ value, issues }) => {
  for (const name of ['provider', 'model'] as const) {
    const isThere = value[name] !== undefined;
    if (value.targets === undefined && !isThere) {
      issues.push({ code: 'custom', input: undefined, path: [name], message: 'must be text' });
    } else if (value.targets !== undefined && isThere) {
      const message = `must not stand beside targets, which name a ${name} each: take one of them out`;
      issues.push({ code: 'custom', input: value[name], path: [name], message });
    }
  }
});

/** A model that a step may ask, with its path from the step: empty for its own. */
export interface PlacedTarget extends ModelReference {
  readonly at: Path;
}

/** The models among which attempts are spread: at least one, each with its weight. */
export function primaryTargets({
  provider,
  model,
  targets = [],
}: CallTargets): readonly (PlacedTarget & WeightedTarget)[] {
  if (provider !== undefined && model !== undefined) return [{ provider, model, weight: 1, at: [] }];
  return targets.map((one, index) => ({ ...one, at: ['targets', index] }));
}

/** Every model that a step may ask, its fallbacks last. */
export function allTargets(
  call: CallTargets & { readonly fallbacks: readonly ModelReference[] },
): readonly PlacedTarget[] {
  return [
    ...primaryTargets(call).map(({ provider, model, at }) => ({ provider, model, at })),
    ...call.fallbacks.map((one, index) => ({ ...one, at: ['fallbacks', index] })),
  ];
}

/**
 * Each target once. The chance to be the next one is its share of the weights that are left. One random number is drawn for each target but
 * the last, always as many, so that recorded numbers give the same order again.
 */
export function drawTargets(call: CallTargets, random: { fraction(): number }): readonly ModelReference[] {
  const left = [...primaryTargets(call)];
  const drawn: ModelReference[] = [];
  while (left.length > 0) {
    const index = left.length === 1 ? 0 : pick(left, random.fraction());
    drawn.push(...left.splice(index, 1).map(({ provider, model }) => ({ provider, model })));
  }
  return drawn;
}

/** The index whose part of the weights holds a fraction of all of them. */
function pick(targets: readonly { readonly weight: number }[], fraction: number): number {
  let point = fraction * sum(targets.map(({ weight }) => weight));
  const index = targets.findIndex(({ weight }) => {
    point -= weight;
    return point < 0;
  });
  // Rounding may leave the point at the very end.
  return index === -1 ? targets.length - 1 : index;
}
