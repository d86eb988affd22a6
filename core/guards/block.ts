// Requests and answers that a guard lets through to nobody.
import type { Place } from './find-counts.ts';

/** A request that no model may see, and the answer in place of an error. */
export interface Block {
  readonly text: string | undefined;
  readonly place: Place;
}

/** The same one in whatever order the guards are listed. */
export function firstByName<One extends { readonly name: string }>(blocks: readonly One[]): One | undefined {
  return blocks.toSorted((a, b) => (a.name < b.name ? -1 : 1))[0];
}
