// What a decision needs to know of a neuron, or why it cannot know it.
import type { Access } from '../settings/access-schema.ts';

/** Whose access it is, and how it is set. Ids, since a slug may be deleted and used again. */
export interface NeuronAccess {
  readonly outcome: 'usable';
  readonly organizationId: string;
  readonly neuronId: string;
  readonly access: Access;
}

/** `not_found`: unknown, or settings that cannot be used. `unavailable`: the store failed, with what it threw. */
type UnusableSettings =
  | { readonly outcome: 'not_found'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string; readonly cause: unknown };

/** Settings as `decide` takes them. */
export type AccessSettings = NeuronAccess | UnusableSettings;
