// Cuts texts into what one call of a service takes. Neighbouring chunks overlap, so that no find lies across a cut unseen.

/** In UTF-16 code units, which are never fewer than code points, and at least a third of the bytes. */
export interface CallLimits {
  /** Per text. */
  readonly textCharacters: number;
  /** All texts of a call together; not less than `textCharacters`. */
  readonly callCharacters: number;
  readonly texts: number;
  /** Characters that a chunk repeats of the one before it: the longest find that is surely seen. Less than half of `textCharacters`. */
  readonly overlap: number;
}

/** A part of a text of a list. */
export interface Chunk {
  /** The index of the whole text. */
  readonly text: number;
  /** Where the part begins in it. */
  readonly from: number;
  readonly value: string;
}

/** The parts of a list of texts, as the calls that take them all, in order. Blank texts are left out. */
export function chunkTexts(texts: readonly string[], limits: CallLimits): readonly (readonly Chunk[])[] {
  const calls: Chunk[][] = [];
  let characters = 0;
  for (const chunk of texts.flatMap((value, text) => cutText(value, text, limits))) {
    const last = calls.at(-1);
    const fits =
      last !== undefined &&
      last.length < limits.texts &&
      characters + chunk.value.length <= limits.callCharacters;
    if (fits) last.push(chunk);
    else calls.push([chunk]);
    characters = (fits ? characters : 0) + chunk.value.length;
  }
  return calls;
}

function cutText(value: string, text: number, { textCharacters, overlap }: CallLimits): readonly Chunk[] {
  if (value.trim() === '') return [];
  const chunks: Chunk[] = [];
  let from = 0;
  for (let end = 0; end < value.length; ) {
    end = withinPair(value, from + textCharacters) ? from + textCharacters - 1 : from + textCharacters;
    chunks.push({ text, from, value: value.slice(from, end) });
    const next = end - overlap;
    from = withinPair(value, next) ? next - 1 : next;
  }
  return chunks;
}

/** True between the two halves of a character beyond the basic plane. */
function withinPair(value: string, at: number): boolean {
  return isIn(value.charCodeAt(at - 1), 0xd800) && isIn(value.charCodeAt(at), 0xdc00);
}

function isIn(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400;
}
