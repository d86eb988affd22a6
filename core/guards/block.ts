// Requests and answers that a guard lets through to nobody.
import type { Place } from './find-counts.ts';

/** A request that no model may see, and the answer in place of an error. */
export interface Block {
  readonly text: string | undefined;
  readonly place: Place;
}

/** The same one in whatever order the guards are listed. */
export function firstByName<One extends { readonly name: string }>(list: readonly One[]): One | undefined {
  return list.toSorted((a, b) => compare(a.name, b.name))[0];
}

/** Several guards that block as one: without a text where one of them has none. The same in whatever order they are listed. */
export function strictest<One extends Pick<Block, 'text'> & { readonly name: string }>(
  blocks: readonly One[],
): One | undefined {
  const bare = blocks.filter(({ text }) => text === undefined);
  return firstByName(bare) ?? firstByName(blocks.toSorted((a, b) => compare(a.text ?? '', b.text ?? '')));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
