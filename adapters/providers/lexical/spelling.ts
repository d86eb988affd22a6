// A vector of how a text is spelled: its words and their runs of three to five characters, counted into so many places by hash.

const SHORTEST = 3;
const LONGEST = 5;
/** Said of a word as a whole, which says more than any part of it. */
const WORD_WEIGHT = 2;

/** Length 1. Case, accents' forms, punctuation and spaces do not count. */
export function embedSpelling(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  for (const word of words) {
    add(vector, `=${word}`, WORD_WEIGHT);
    const characters = [...`^${word}$`];
    for (let size = SHORTEST; size <= LONGEST; size += 1) {
      for (let at = 0; at + size <= characters.length; at += 1) {
        add(vector, characters.slice(at, at + size).join(''), 1);
      }
    }
  }
  // A text of punctuation alone has no words, and a vector of zeros no direction.
  if (words.length === 0) add(vector, text, 1);
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (norm === 0) return vector.fill(1 / Math.sqrt(dimensions));
  return vector.map((value) => value / norm);
}

/** The sign comes from the hash too, so that two runs in one place cancel out as often as they add up. */
function add(vector: number[], gram: string, weight: number): void {
  const hash = fnv1a(gram);
  const place = (hash >>> 1) % vector.length;
  vector[place] = (vector[place] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}

/** FNV-1a, 32 bits, over UTF-16 units (draft-eastlake-fnv), and a last mix, since its low bits are weak. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
