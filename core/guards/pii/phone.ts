// Recognizes phone numbers: in their international form always, in a national one behind a word that says so.
import type { Find, Recognizer } from '../find.ts';

/** True for a number as it is written in a region, and without one for a number with its country code. */
export type IsPhoneNumber = (text: string, region?: string) => boolean;

/** A letter or digit, beside which no number stands. */
const EDGE = '\\p{L}\\p{N}_';

/** ITU-T E.164: 15 digits at most, with what is written between them. */
const DIGITS = '\\d(?:[ ().\\/-]{0,2}\\d){5,14}';
const EXTENSION = ' ?(?:x|ext\\.?) ?\\d{1,5}';
const NUMBER = new RegExp(
  `(?:(?<![${EDGE}+])\\+|(?<![${EDGE}+]|[${EDGE}][.,-])\\(?)${DIGITS}(?:${EXTENSION})?(?![${EDGE}]|[-.,]\\d)`,
  'gu',
);
const OPEN =
  /(?:\+|\()?\d(?:[ ()./-]{0,2}\d){0,14}(?:[ ()./,-]{0,2}| ?(?:x|e|ex|ext\.?) ?\d{0,5}[.,-]?)$|[+(]$/g;
/** Two characters between 15 digits, and an extension. */
const LONGEST = 64;

/** Shorter ones are house numbers and times too often. */
const MIN_DIGITS = 7;

/** Characters before a number in which its word may stand. */
const CONTEXT = 40;
/** Words of twelve languages before a number, whole ones. */
const WORDS = new RegExp(
  `(?<![${EDGE}])(?:${[
    'phones?|phone number|telephone|tel|mobile|mob|cell|cellphone|fax|call|calls|called|calling|dial|ring|reach|sms|whatsapp|signal|voicemail|hotline|answering|contact|extension|desk|message|messages|text',
    'telefon|telefonnummer|tel\\.-nr|handy|handynummer|mobil|mobilnummer|anrufen|anruf|rufnummer|rückruf|durchwahl|festnetz|erreichbar',
    'téléphone|portable|appeler|appelez|joindre|teléfono|móvil|celular|llamar|llame|telefone|telemóvel|ligar|ligue|telefono|cellulare|chiamare|chiama',
    'telefoon|telefoonnummer|mobiel|bellen|bel|telefonu|komórka|zadzwoń|telefonnummer|mobilnummer|ring|puhelin|puhelinnumero|soita',
  ].join('|')})(?![${EDGE}])`,
  'iu',
);

/** The recognizer of phone numbers; national forms are those of the regions. */
export function createPhoneRecognizer(regions: readonly string[], isOne: IsPhoneNumber): Recognizer {
  return {
    sign: /\d/,
    find(text, from = 0) {
      const finds: Find[] = [];
      NUMBER.lastIndex = from;
      for (let match = NUMBER.exec(text); match !== null; match = NUMBER.exec(text)) {
        const start = match.index;
        const before = text.slice(Math.max(0, start - CONTEXT), start);
        const end = start + lengthOf(match[0], regionsFor(match[0], before, regions), isOne);
        if (end > start) finds.push({ entity: 'phone', start, end });
        NUMBER.lastIndex = end > start ? end : start + 1;
      }
      return finds;
    },
    openFrom(text, from = 0) {
      OPEN.lastIndex = Math.max(from, text.length - LONGEST);
      return OPEN.exec(text)?.index ?? text.length;
    },
  };
}

/** The regions whose forms count; undefined stands for that of all countries. */
function regionsFor(
  match: string,
  before: string,
  regions: readonly string[],
): readonly (string | undefined)[] {
  if (match.startsWith('+')) return [undefined];
  return WORDS.test(before) ? regions : [];
}

/** Characters of a match that are a number, which may be without its last groups; 0 where none is. */
function lengthOf(match: string, regions: readonly (string | undefined)[], isOne: IsPhoneNumber): number {
  if (regions.length === 0) return 0;
  for (let end = match.length; end > 0; end = lastGap(match, end)) {
    const part = match.slice(0, end);
    if (part.replaceAll(/\D/g, '').length < MIN_DIGITS) return 0;
    if (regions.some((region) => isOne(part, region))) return end;
  }
  return 0;
}

function lastGap(text: string, before: number): number {
  return Math.max(...[' ', '-', '/', '.'].map((gap) => text.lastIndexOf(gap, before - 1)));
}
