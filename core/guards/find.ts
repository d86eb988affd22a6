// A find of a guard in a text, and what is done with several that overlap.

/** Offsets are UTF-16 code units of the text that was inspected; `end` is after the last. */
export interface Find {
  readonly entity: string;
  readonly start: number;
  readonly end: number;
}

export type OpenFrom = (text: string, from?: number) => number;

/** Finds kinds of things in a text. */
export interface Recognizer {
  /** Those that begin at `from` or after it. Reads at most `LOOK_BEHIND` characters before a find, and none after it but the next one. */
  find(text: string, from?: number): readonly Find[];
  /** Every find has a match of it within: where there is none, nothing is to be found. */
  readonly sign?: RegExp;
  /**
   * Where a find could begin, at `from` or after it, that the next characters of a stream would make or change: the length of the text where
   * there is none. Absent where it could begin anywhere: then nothing leaves before the end.
   */
  readonly openFrom?: OpenFrom;
}

/** Characters before a find that may count, such as a word that says what it is. */
export const LOOK_BEHIND = 320;

/** A part of a text that is cut out, and what takes its place. */
export interface Cut {
  readonly start: number;
  readonly end: number;
  /** The name in its place. Where cuts overlap, the one for the longest find names them all; of equally long ones the first name in the alphabet. */
  readonly label: string;
  /** The length of its find. */
  readonly length: number;
  readonly action: CutAction;
  /** Where a masked value comes back; of several guards where each of them says so. */
  readonly restores: ReadonlySet<RestorePlace>;
}

export type RestorePlace = 'output' | 'toolCalls';

/** A masked value comes back in the answer of the same request; of several actions on one part the first of these counts. */
const CUT_ACTIONS = ['block', 'redact', 'mask'] as const;
export type CutAction = (typeof CUT_ACTIONS)[number];

/** Cuts that do not overlap, in order. Overlapping ones become one, so that no part of either is left. */
export function mergeCuts(cuts: readonly Cut[]): readonly Cut[] {
  const merged: Cut[] = [];
  for (const next of cuts.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || last.end <= next.start) merged.push(next);
    else merged[merged.length - 1] = joinCuts(last, next);
  }
  return merged;
}

function joinCuts(a: Cut, b: Cut): Cut {
  const isFirst = a.length > b.length || (a.length === b.length && a.label <= b.label);
  return {
    ...(isFirst ? a : b),
    start: Math.min(a.start, b.start),
    end: Math.max(a.end, b.end),
    action: CUT_ACTIONS.find((one) => one === a.action || one === b.action) ?? a.action,
    restores: a.restores.intersection(b.restores),
  };
}

/** Finds of one kind that do not overlap, in order: of two that do, the longer one. */
export function withoutOverlaps(finds: readonly Find[]): readonly Find[] {
  const kept: Find[] = [];
  for (const find of finds.toSorted((a, b) => b.end - b.start - (a.end - a.start))) {
    const at = placeOf(find, kept);
    const [before, after] = [kept[at - 1], kept[at]];
    const isFree = (before?.end ?? 0) <= find.start && find.end <= (after?.start ?? Number.POSITIVE_INFINITY);
    if (isFree) kept.splice(at, 0, find);
  }
  return kept;
}

/** The index of the first of the finds, which are in order, that does not begin before one. */
function placeOf({ start }: Find, finds: readonly Find[]): number {
  let [low, high] = [0, finds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((finds[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
