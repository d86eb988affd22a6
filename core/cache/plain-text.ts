// Which inputs may be compared semantically: those in which everything that a model reads can be seen by a reader, and by the guard.

/**
 * What neither features nor an embedding of spelling see, or readers either, though a model reads it: controls but tab and line ends,
 * format characters (zero width, bidirectional, tags), private use, lone surrogates, unassigned code points, variation selectors
 * and all else that is ignored by default, spaces of unusual width, and brackets but the quotation marks among them.
 */
const UNSEEN =
  /(?![\t\n\r„‚])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u1680\u2000-\u200a\u205f\p{Ps}\p{Pe}]/u;
/** Marks of no script, which stand on any letter: those that a composed letter holds are gone after normalization. */
const LOOSE_MARK = /(?=\p{M})[\p{Script=Inherited}\p{Script=Common}]/u;
/** The square in `10²`: in the spelling that features and vectors are of, it is 102. */
const RAISED_NUMBER = /\p{N}\p{No}/u;

/** False for an input that may hold more than is seen of it. */
export function isPlainText(input: string): boolean {
  return !UNSEEN.test(input) && !RAISED_NUMBER.test(input) && !LOOSE_MARK.test(input.normalize('NFC'));
}
