// Counts the tokens of a text without the vocabulary of a model: at least as many as the vocabularies have that vendors published.
//
// Vocabularies differ by up to 3.7 times (Hindi: 54 tokens with o200k_base, 199 with Claude 2's), so one number cannot be close for each model.
// This one follows the largest. Figures per script: test/core/conversation/text-tokens.test.ts.

type Unit = readonly [RegExp, (unit: string) => number];

/** Words of languages whose letters have marks: vocabularies have few of them whole. */
const MARKED_WORD: Unit = [/[A-Z]?[a-z]+/y, ({ length }) => 0.6 + length / 4.5];

/** Units of a text that vocabularies seldom join, each with its tokens. Earlier ones win. */
const UNITS: readonly Unit[] = [
  // Long words are pieces, the shorter the longer they are; names in capitals, and what follows one of them, are pieces of two.
  [/[A-Z]?[a-z]+/y, ({ length }) => (length <= 8 ? 1 : Math.ceil(length / (length <= 14 ? 5 : 2.6)))],
  [/[A-Z]+/y, ({ length }) => Math.ceil(length / 2)],
  [/\d+/y, ({ length }) => Math.ceil(length / 2.5)],
  // A single space belongs to the word after it.
  [/ (?=[\p{L}\p{N}\p{P}\p{S}])/uy, () => 0],
  [/[ \t]+/y, ({ length }) => Math.ceil(length / 8)],
  [/[\r\n]+[ \t]*/y, ({ length }) => Math.ceil(length / 12)],
  // Lines that are drawn.
  [/([!-/:-@[-`{-~])\1{3,}/y, ({ length }) => Math.ceil(length / 6)],
  [/[!-/:-@[-`{-~]+/y, ({ length }) => 0.4 + length * 0.55],
  [/[\u2010-\u2027\u00a0-\u00bf]/y, () => 1],
  // A letter with a mark is a token, and parts its word.
  [/[\u00c0-\u024f\u1e00-\u1eff]/y, () => 2.1],
  [/\u200b|\u200c|\u200d|\ufe0f/y, () => 1],
  [/[\u{1f000}-\u{1faff}]/uy, () => 3],
  [/[\u2500-\u257f]+/y, ({ length }) => Math.ceil(length / 2)],
  [/[\u0400-\u052f]+/y, ({ length }) => Math.ceil(length * 0.6)],
  [/[\u0370-\u03ff]+/y, ({ length }) => Math.ceil(length * 1.25)],
  [/[\u0590-\u06ff]+/y, ({ length }) => Math.ceil(length * 1.1)],
  [/[\u0900-\u097f]+/y, ({ length }) => Math.ceil(length * 1.3)],
  [/[\u3000-\u30ff\uff00-\uffef]/y, () => 1.1],
  [/[\u4e00-\u9fff]/y, () => 1.3],
  [/[\uac00-\ud7af]/y, () => 1.5],
];

/** True for a text in which more than one of a hundred letters is Latin with a mark. */
function hasMarks(text: string): boolean {
  const marked = text.match(/[\u00c0-\u024f\u1e00-\u1eff]/g)?.length ?? 0;
  return marked * 100 > text.length;
}

/** Every other character: as many as it has bytes in UTF-8, of which none has more. */
const bytesOf = (code: number): number => (code > 0xffff ? 4 : code > 0x7ff ? 3 : 2);

/** An upper estimate for texts that people and programs write; a text of made-up letters can have more. */
export function countTextTokens(text: string): number {
  const units = hasMarks(text) ? [MARKED_WORD, ...UNITS] : UNITS;
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    let next = at;
    for (const [pattern, tokensOf] of units) {
      pattern.lastIndex = at;
      const unit = pattern.exec(text)?.[0];
      if (unit === undefined) continue;
      tokens += tokensOf(unit);
      next += unit.length;
      break;
    }
    if (next === at) {
      const code = text.codePointAt(at) ?? 0;
      tokens += code < 0x80 ? 1 : bytesOf(code);
      next += code > 0xffff ? 2 : 1;
    }
    at = next;
  }
  return Math.ceil(tokens);
}
