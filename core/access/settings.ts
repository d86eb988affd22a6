// The settings of a neuron that a decision needs, or the reason why there are none.
import type { Access, TokenCondition } from '../settings/access-schema.ts';

/** A neuron's access settings. Ids, since a slug may be deleted and used again. */
export interface NeuronAccess {
  readonly outcome: 'usable';
  readonly organizationId: string;
  readonly neuronId: string;
  /** For keys that are for patterns of slugs. */
  readonly slug: string;
  readonly access: Access;
  /** Conditions of its limits on the claims of a token. */
  readonly conditions: readonly TokenCondition[];
}

/** `not_found`: unknown, or settings that cannot be used. `unavailable`: the store failed. */
type UnusableSettings =
  | { readonly outcome: 'not_found'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

export type AccessSettings = NeuronAccess | UnusableSettings;
