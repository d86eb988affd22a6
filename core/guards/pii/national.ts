// Recognizes national numbers of persons by their form and check digit, in the regions that an operator names.

import { compileBounded } from '../../flow/pattern.ts';
import type { Find, Recognizer } from '../find.ts';
import { followMatches } from '../open-match.ts';
import { isLuhn } from './cards.ts';
import {
  isAadhaar,
  isAhv,
  isBelgian,
  isBsn,
  isCnpj,
  isCodiceFiscale,
  isCpf,
  isDni,
  isHetu,
  isNhs,
  isNir,
  isPesel,
  isSteuerId,
  isTfn,
} from './check-digits.ts';

interface NationalNumber {
  /** RE2 and JavaScript alike, without look-around; every repetition is bounded. */
  readonly form: string;
  /** The number in capitals, without blanks and punctuation. */
  readonly isOne: (plain: string) => boolean;
  /** A word that stands before it, where its check digit alone would find too much. */
  readonly context?: RegExp;
}

const anyOne = (): boolean => true;

const NUMBERS: Readonly<Record<string, readonly NationalNumber[]>> = {
  AU: [{ form: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}', isOne: isTfn, context: /\b(?:TFN|tax file)\b/i }],
  BE: [{ form: '\\d{2}[. ]?\\d{2}[. ]?\\d{2}[- ]?\\d{3}[. ]?\\d{2}', isOne: isBelgian }],
  BR: [
    { form: '\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}', isOne: isCpf },
    { form: '\\d{2}\\.?\\d{3}\\.?\\d{3}/?\\d{4}-?\\d{2}', isOne: isCnpj },
  ],
  CA: [
    {
      form: '\\d{3}[ -]?\\d{3}[ -]?\\d{3}',
      isOne: isLuhn,
      context: /\b(?:SIN|NAS|social insurance|assurance sociale)\b/i,
    },
  ],
  CH: [{ form: '756\\.?\\d{4}\\.?\\d{4}\\.?\\d{2}', isOne: isAhv }],
  DE: [{ form: '[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}', isOne: isSteuerId }],
  ES: [{ form: '(?:\\d{8}|[XYZxyz][ -]?\\d{7})[ -]?[A-Za-z]', isOne: isDni }],
  FI: [{ form: '[0-3]\\d[01]\\d{3}[-+A-Fa-fU-Yu-y]\\d{3}[0-9A-Ya-y]', isOne: isHetu }],
  FR: [
    {
      form: '[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[ABab]) ?\\d{3} ?\\d{3} ?\\d{2}',
      isOne: isNir,
    },
  ],
  GB: [
    { form: '\\d{3}([ -])\\d{3}[ -]\\d{4}', isOne: isNhs },
    { form: '\\d{10}', isOne: isNhs, context: /\b(?:NHS|national health)\b/i },
    {
      form: '[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z][A-CEGHJ-NPR-TW-Za-ceghj-npr-tw-z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-Da-d]',
      isOne: (plain) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(plain),
    },
  ],
  IN: [{ form: '[2-9]\\d{3}[ -]?\\d{4}[ -]?\\d{4}', isOne: isAadhaar }],
  IT: [
    {
      form: '[A-Za-z]{6}[0-9L-Vl-v]{2}[A-EHLMPR-Ta-ehlmpr-t][0-9L-Vl-v]{2}[A-Za-z][0-9L-Vl-v]{3}[A-Za-z]',
      isOne: isCodiceFiscale,
    },
  ],
  NL: [
    {
      form: '\\d{4}\\.?\\d{2}\\.?\\d{3}',
      isOne: isBsn,
      context: /\b(?:BSN|burgerservicenummer|sofinummer)\b/i,
    },
  ],
  PL: [{ form: '\\d{11}', isOne: isPesel }],
  SE: [{ form: '(?:\\d{2})?\\d{2}[01]\\d[0-3]\\d[-+]\\d{4}', isOne: (plain) => isLuhn(plain.slice(-10)) }],
  US: [{ form: '9\\d{2}[- ](?:5\\d|6[0-5]|7\\d|8[0-8]|9[0-24-9])[- ]\\d{4}', isOne: anyOne }],
};

/** A letter or digit, beside which no number stands. */
const EDGE = '\\p{L}\\p{N}_';

/** Characters before a number in which its word may stand. */
const CONTEXT = 40;

/** The recognizer of the numbers of some regions. */
export function createNationalRecognizer(regions: readonly string[]): Recognizer {
  const numbers = regions
    .flatMap((region) => NUMBERS[region] ?? [])
    .map((one) => ({
      ...one,
      pattern: new RegExp(`(?<![${EDGE}]|[${EDGE}][.-])(?:${one.form})(?![${EDGE}]|[-.]\\d)`, 'gu'),
      // One character after it says that it has ended, and two where a digit after a hyphen would be its next group.
      open: followMatches(compileBounded(`(?:${one.form})[-.]?[\\s\\S]`, true)),
    }));
  return {
    sign: /\d/,
    find: (text, from = 0) => numbers.flatMap((one) => findNumbers(one, text, from)),
    openFrom: (text, from = 0) =>
      Math.min(text.length, ...numbers.map(({ open }) => open?.openFrom(text, from) ?? from)),
  };
}

function findNumbers(
  { pattern, isOne, context }: NationalNumber & { readonly pattern: RegExp },
  text: string,
  from: number,
): readonly Find[] {
  const finds: Find[] = [];
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [written] = match;
    const start = match.index;
    const isNamed = context?.test(text.slice(Math.max(0, start - CONTEXT), start)) !== false;
    const isFound = isNamed && isOne(written.replaceAll(/[ ./-]/g, '').toUpperCase());
    if (isFound) finds.push({ entity: 'nationalId', start, end: start + written.length });
    pattern.lastIndex = isFound ? start + written.length : start + 1;
  }
  return finds;
}
