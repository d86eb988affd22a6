// Recognizers of personal data whose form can be checked: addresses of e-mail, cards, IBANs, US social security numbers, IP addresses.
import { isIP } from 'node:net';
import type { PiiEntity } from '../../settings/guards/guards-schema.ts';
import type { Find, Recognizer } from '../find.ts';
import { isCardNumber, isPrintedCard } from './cards.ts';

interface Form {
  readonly entity: string;
  /** Global; each quantifier is bounded. It looks at the first characters before it looks behind, which takes longer. */
  readonly pattern: RegExp;
  /** Where a match may begin, in order; absent where it may anywhere. A pattern with it is sticky. */
  readonly starts?: (text: string, from: number) => Iterable<number>;
  /** Global; matches at the end of a text what could still become one. */
  readonly open: RegExp;
  /** Matches the last two characters of such a text: most texts end otherwise. */
  readonly ends?: RegExp;
  /** The longest match, in characters. */
  readonly longest: number;
  readonly isOne?: (match: string) => boolean;
  /** Whether a match may be one without its last groups, or after other groups. Absent where only the whole match may. */
  readonly isPart?: (part: string) => boolean;
}

const DIGIT = /\d/;

/** Characters before an `@` that are looked at. */
const MAX_BEFORE = 65;
const LOCAL_PART = /[A-Za-z0-9._%+-]{1,65}$/;

/** Before each `@`. */
function* emailStarts(text: string, from: number): Generator<number> {
  for (let at = text.indexOf('@', from); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = LOCAL_PART.exec(text.slice(Math.max(0, at - MAX_BEFORE), at));
    const start = at - (before?.[0].length ?? 0);
    if (before !== null && start >= from) yield start;
  }
}

/** In each address of IPv4 from the last digit of its first number, and in each of IPv6 from its first colon. */
const IP_MARK = /\d\.\d{1,3}\.\d|:[0-9A-Fa-f]{0,4}:/g;
/** Characters of an address before its mark. */
const MAX_BEFORE_IP = 4;

function* ipStarts(text: string, from: number): Generator<number> {
  let next = from;
  for (let at = markFrom(text, from); at !== -1; at = markFrom(text, at + 1)) {
    for (next = Math.max(next, at - MAX_BEFORE_IP); next <= at; next += 1) yield next;
  }
}

function markFrom(text: string, from: number): number {
  IP_MARK.lastIndex = from;
  return IP_MARK.exec(text)?.index ?? -1;
}

/** A letter, digit or part of an address before or after which no find stands. */
const EDGE = '\\p{L}\\p{N}_';

/** Behind a `+` fewer digits are a phone number. */
const FOURTEEN = '\\d(?:[ -]?\\d){13}';

const IPV4 = '(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV6 = '(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}';

/** Entities with one form all over the world. */
export type FormEntity = Exclude<PiiEntity, 'nationalId' | 'phone'>;

const FORMS: Readonly<Record<FormEntity, Omit<Form, 'entity'>>> = {
  email: {
    pattern: new RegExp(
      `(?<![${EDGE}.%+-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,4}[A-Za-z]{2,24}(?![${EDGE}-])`,
      'yu',
    ),
    starts: emailStarts,
    open: /(?<![A-Za-z0-9._%+@-])[A-Za-z0-9._%+@-]{1,320}$/g,
    longest: 320,
  },
  card: {
    pattern: new RegExp(
      `(?=\\d)(?<![${EDGE}]|[${EDGE}][.-]|\\+(?!${FOURTEEN}))\\d(?:[ -]?\\d){11,18}(?![${EDGE}]|[-.]\\d)`,
      'gu',
    ),
    open: /\d(?:[ -]?\d){0,18}[ .-]?$/g,
    ends: DIGIT,
    longest: 38,
    isOne: (match) => isCardNumber(match.replaceAll(/[ -]/g, '')),
    isPart: isPrintedCard,
  },
  iban: {
    pattern: new RegExp(
      `(?=[A-Za-z]{2}\\d)(?<![${EDGE}])[A-Za-z]{2}\\d{2}(?: ?[A-Za-z0-9]){11,30}(?![${EDGE}])`,
      'gu',
    ),
    open: /(?<![A-Za-z0-9])[A-Za-z]{1,2}(?:\d{1,2}(?: ?[A-Za-z0-9]){0,30})? ?$/g,
    longest: 42,
    isOne: isIban,
    isPart: () => true,
  },
  usSsn: {
    pattern: new RegExp(
      `(?=\\d{3}[- ])(?<![${EDGE}]|[${EDGE}][.-])(?!000|666|9)\\d{3}([- ])(?!00)\\d{2}\\1(?!0000)\\d{4}(?![${EDGE}]|[-.]\\d)`,
      'gu',
    ),
    open: /\d(?:[ -]?\d){0,8}[-.]?$/g,
    ends: DIGIT,
    longest: 12,
  },
  ip: {
    pattern: new RegExp(
      `(?=[\\dA-Fa-f]{0,4}[.:])(?<![${EDGE}.:])(?:${IPV4}|${IPV6})(?![${EDGE}]|[.:][${EDGE}:])`,
      'yu',
    ),
    starts: ipStarts,
    open: /(?<![\dA-Fa-f:.])[\dA-Fa-f:][\dA-Fa-f:.]{0,45}$/g,
    longest: 46,
    isOne: (match) => !match.includes(':') || isIpv6(match),
  },
};

/** RFC 4291, without what code and clocks look like: of few groups only addresses that are in use (unicast, local). */
function isIpv6(text: string): boolean {
  const isLong = text.split(':').length > 3;
  return (
    isIP(text) === 6 &&
    /\d/.test(text) &&
    (isLong || /^(?:fe80|f[cd][0-9a-f]{2}|[23][0-9a-f]{3}):/i.test(text))
  );
}

/** ISO 13616-1: mod 97, and the length of its country where that is known. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '').toUpperCase();
  const length = IBAN_LENGTHS[plain.slice(0, 2)];
  if (length !== undefined && plain.length !== length) return false;
  if (length === undefined) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  let rest = 0;
  for (const character of moved) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** SWIFT's IBAN registry, release 99. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/**
 * Where a match is none by its check digit, it may be without its last groups (`DE89 … 00 and`), and another may begin within it: what stands
 * before `from` never decides.
 */
function findForms(form: Form, text: string, from: number): readonly Find[] {
  const { entity } = form;
  const finds: Find[] = [];
  for (let match = matchFrom(form, text, from); match !== null; ) {
    const start = match.index;
    const end = start + lengthOf(form, match[0], isWhole(text, start));
    if (end > start) finds.push({ entity, start, end });
    match = matchFrom(form, text, end > start ? end : start + 1);
  }
  return finds;
}

/** The first match at a place or after it. */
function matchFrom({ pattern, starts }: Form, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  if (starts === undefined) return pattern.exec(text);
  for (const start of starts(text, from)) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

/** False where the digits of another group stand before it. */
function isWhole(text: string, start: number): boolean {
  return !/\d[ -]$/.test(text.slice(Math.max(0, start - 2), start));
}

/** Characters of a match that are one; 0 where none is. */
function lengthOf({ isOne, isPart }: Form, match: string, isFirst: boolean): number {
  if (isOne === undefined) return match.length;
  if (isOne(match) && (isFirst || isPart?.(match) !== false)) return match.length;
  if (isPart === undefined) return 0;
  for (let end = lastGap(match, match.length); end > 0; end = lastGap(match, end)) {
    const part = match.slice(0, end);
    if (isPart(part) && isOne(part)) return end;
  }
  return 0;
}

function lastGap(text: string, before: number): number {
  return Math.max(text.lastIndexOf(' ', before - 1), text.lastIndexOf('-', before - 1));
}

/** The recognizer of one kind. */
export function recognizerOf(entity: FormEntity): Recognizer {
  const form: Form = { entity, ...FORMS[entity] };
  const { open, longest } = form;
  return {
    sign: entity === 'email' ? /@/ : DIGIT,
    find: (text, from = 0) => findForms(form, text, from),
    openFrom(text, from = 0) {
      if (form.ends?.test(text.slice(-2)) === false) return text.length;
      open.lastIndex = Math.max(from, text.length - longest);
      return open.exec(text)?.index ?? text.length;
    },
  };
}
