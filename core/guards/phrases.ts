// Finds characters that nobody sees, and a few known phrases that tell a model to forget what it was told. No more than that: an
// instruction in other words is not found.
import type { Find, Recognizer } from './find.ts';
import { findInViews } from './patterns.ts';

/** Tag characters (Unicode, Tags block), which can spell out a text that nobody sees. */
const TAGS = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{0,8})[\u{e0001}\u{e0020}-\u{e007f}]+/gu;

/** Zero-width characters and variation selectors in numbers that no script needs. */
const RUNS = /(?:[\u200b-\u200f\u2060-\u2064]|\p{Variation_Selector}){8,}/gu;

/** Text that shows in another order than it is read (Unicode Technical Report 36, bidirectional text spoofing). */
const OVERRIDES = /[\u202d\u202e][^\u202c\n]{0,200}/gu;

const VERB = '(?:ignore|disregard|forget|override|bypass)';
const AIM = '(?:instructions?|prompts?|rules?|guidelines?|directions?|directives?)';
const EARLIER = '(?:previous|prior|above|earlier|preceding|foregoing|original|initial|system)';
const FEW = '(?:\\s+(?:all|any|of|the|these|those|your|my|our)){0,4}';

const PHRASES: readonly RegExp[] = [
  new RegExp(`\\b${VERB}${FEW}\\s+${EARLIER}(?:\\s+\\w{1,20}){0,2}\\s+${AIM}\\b`, 'giu'),
  new RegExp(
    `\\b${VERB}\\s+(?:everything|anything|all)\\s+(?:above|before\\s+this|you\\s+(?:were|have\\s+been)\\s+told)\\b`,
    'giu',
  ),
  /\b(?:reveal|print|repeat|show|output|disclose)\s+(?:me\s+)?(?:your|the)\s+(?:hidden\s+|initial\s+|original\s+|full\s+)?system\s+prompt\b/giu,
  /\byou\s+are\s+now\s+(?:in\s+)?(?:DAN|developer\s+mode|jailbroken)\b/giu,
];

const HIDDEN: readonly RegExp[] = [TAGS, RUNS, OVERRIDES];

/** `hidden` and `phrase`. A phrase may end with the next character, and begin long before it: a stream waits for its end. */
export const phraseRecognizer: Recognizer = {
  find: (text) => [
    ...HIDDEN.flatMap((pattern) => toFinds('hidden', spansOf(pattern, text))),
    ...PHRASES.flatMap((pattern) =>
      toFinds(
        'phrase',
        findInViews(text, (one) => spansOf(pattern, one)),
      ),
    ),
  ],
};

function* spansOf(pattern: RegExp, text: string): Generator<readonly [number, number]> {
  for (const { 0: match, index } of text.matchAll(pattern)) yield [index, index + match.length];
}

function toFinds(entity: string, spans: Iterable<readonly [number, number]>): readonly Find[] {
  return [...spans].map(([start, end]) => ({ entity, start, end }));
}
