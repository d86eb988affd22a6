// A text with cuts, and with things that stand between its characters.
import type { Cut } from './find.ts';

/** A piece of text, or something that stood between two pieces. */
export type Piece<Item> = { readonly text: string } | { readonly item: Item };

export interface Placement<Item> {
  readonly at: number;
  readonly item: Item;
}

/** Gives the text in the place of a value. */
export type Replace = (cut: Cut, value: string) => string;

interface Passage<Item> {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  /** They do not overlap, and are in order, as the items are. */
  readonly cuts: readonly Cut[];
  readonly items: readonly Placement<Item>[];
}

/** From one place of a text to another. An item that stands within a cut comes after it. */
export function split<Item>(
  { text, from, until, cuts, items }: Passage<Item>,
  replace: Replace,
): readonly Piece<Item>[] {
  const released: Piece<Item>[] = [];
  const waiting = items.filter(({ at }) => at <= until);
  let at = from;
  let piece = '';
  const copyTo = (place: number): void => {
    piece += text.slice(at, Math.max(at, place));
    at = Math.max(at, place);
  };
  const goTo = (place: number): void => {
    for (let next = waiting[0]; next !== undefined && next.at <= place; next = waiting[0]) {
      copyTo(next.at);
      if (piece !== '') released.push({ text: piece });
      piece = '';
      released.push({ item: next.item });
      waiting.shift();
    }
    copyTo(place);
  };
  for (const cut of cuts) {
    goTo(cut.start);
    piece += replace(cut, text.slice(cut.start, cut.end));
    at = cut.end;
  }
  goTo(until);
  if (piece !== '') released.push({ text: piece });
  return released;
}

/** The same for texts that are read as one: as many as there were. */
export function splitTexts(
  texts: readonly string[],
  cuts: readonly Cut[],
  replace: Replace,
): readonly string[] {
  const text = texts.join('');
  const items: Placement<true>[] = [];
  let at = 0;
  for (const one of texts.slice(0, -1)) {
    at += one.length;
    items.push({ at, item: true });
  }
  const result = [''];
  for (const one of split({ text, from: 0, until: text.length, cuts, items }, replace)) {
    if ('item' in one) result.push('');
    else result[result.length - 1] += one.text;
  }
  return result;
}
