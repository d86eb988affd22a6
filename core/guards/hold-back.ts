// Judges a text that comes in pieces: nothing leaves that a find could still begin or go on in, and nothing else waits.
import { type Cut, mergeCuts, type OpenFrom } from './find.ts';
import { behind } from './in-views.ts';
import { type Piece, type Placement, type Replace, split } from './split.ts';

/** Judges a text: what is cut out of it, and from where on the next characters could change that. */
export interface Inspector {
  /** Those that begin at `from` or after it. */
  cutsOf(text: string, from: number): readonly Cut[];
  readonly openFrom: OpenFrom;
}

export interface HoldBack<Item> {
  push(piece: string): readonly Piece<Item>[];
  /** Something that is no text, in its place: no find ends there. */
  put(item: Item): readonly Piece<Item>[];
  /** The rest, at the end of the text. */
  end(): readonly Piece<Item>[];
}

/** Pieces end between characters, not in the middle of a surrogate pair. What `replace` throws ends the text. */
export function createHoldBack<Item>({ cutsOf, openFrom }: Inspector, replace: Replace): HoldBack<Item> {
  /** The end of what has left, as it came, and what is held. */
  let text = '';
  let left = 0;
  let items: readonly Placement<Item>[] = [];
  function release(isEnd: boolean): readonly Piece<Item>[] {
    let open = isEnd ? text.length : Math.max(left, openFrom(text, left));
    if (open === left && items[0]?.at !== left) return [];
    const cuts = mergeCuts(cutsOf(text, left));
    // A find that reaches into what is held is held whole.
    open = cuts.find(({ start, end }) => start < open && end > open)?.start ?? open;
    const leaving = cuts.filter(({ end }) => end <= open);
    const released = split({ text, from: left, until: open, cuts: leaving, items }, replace);
    const kept = behind(text, open);
    items = items.filter(({ at }) => at > open).map(({ at, item }) => ({ at: at - kept, item }));
    text = text.slice(kept);
    left = open - kept;
    return released;
  }
  return {
    push(piece) {
      text += piece;
      return release(false);
    },
    put(item) {
      items = [...items, { at: text.length, item }];
      return release(false);
    },
    end: () => release(true),
  };
}
