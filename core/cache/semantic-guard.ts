// Tells apart what vectors do not: inputs that read alike and ask something else. Deterministic, and blind to what it does not list.
import { digestOfParts } from '../text/digest.ts';

/*
 * It cannot see: opposites that are plain words (enable and disable, cheapest and dearest, from A to B in lower case), names in
 * lower case or at the beginning of a sentence, numbers and units beyond the words below, negation in languages other than
 * those below, and what only the world tells apart. Inputs that differ in none of what it sees are left to the threshold.
 */

/** What two inputs must have in common to ask the same; each kind in the order in which it stands in the text. */
export interface Features {
  /** With the unit where one follows, and signs: of arithmetic, comparison and currency, and pictures. */
  readonly numbers: readonly string[];
  readonly units: readonly string[];
  readonly dates: readonly string[];
  readonly negations: readonly string[];
  /** Between quotation marks or backticks, exactly as it stands there. */
  readonly quotes: readonly string[];
  /** Words capitalised inside a sentence, and words with a capital further in, wherever they stand. */
  readonly names: readonly string[];
  /** Addresses, paths and identifiers. */
  readonly literals: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const CARDINALS: ReadonlyMap<string, string> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, value) => [word, String(value)]),
);
const AMOUNTS = words(
  'thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred ' +
    'thousand million billion trillion half quarter dozen first third fourth fifth once twice thrice single double triple both',
);
/** Said of a number before them only; by themselves they are letters and words. */
const SHORT_UNITS = words(
  'mg g kg t ml cl l dl mm cm m km in ft yd mi oz lb lbs s sec secs ms min mins h hr hrs d c f k b kb mb gb tb kib mib gib w kw kwh ' +
    'v a hz khz mhz ghz bar psi mph kmh am pm px pt usd eur gbp',
);
const UNITS = words(
  'percent percentage milligram milligrams gram grams kilogram kilograms kilo kilos tonne tonnes ton tons ounce ounces pound ' +
    'pounds milliliter milliliters millilitre millilitres liter liters litre litres gallon gallons millimeter millimeters ' +
    'centimeter centimeters meter meters metre metres kilometer kilometers kilometre kilometres inch inches foot feet yard yards ' +
    'mile miles celsius fahrenheit kelvin byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte terabytes ' +
    'second seconds minute minutes hour hours day days week weeks month months year years decade decades century centuries ' +
    'daily weekly monthly yearly annual annually hourly ' +
    'ohm ohms amp amps ampere amperes joule joules newton newtons degree degrees radian radians ' +
    'dollar dollars cent cents euro euros franc francs yen rupee rupees watt watts volt volts calorie calories usd eur gbp jpy chf',
);
const DATES = words(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct ' +
    'nov dec monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun today tomorrow ' +
    'yesterday tonight morning noon afternoon evening midnight weekend spring summer autumn fall winter ' +
    'next last previous current ago before after since until till',
);
const NEGATIONS = words(
  'not no never none nobody nothing nowhere neither nor without cannot except unless hardly barely ' +
    'nicht kein keine keinen keinem keiner keines nie niemals ohne weder ne pas jamais sans aucun aucune nunca sin ni jamás ' +
    'non mai senza não nao sem niet geen nooit zonder',
);

/** `~` decorates, a backtick quotes; a hyphen is a minus only after a number, and `!` is a factorial only there, which the number takes along. */
const SIGN = /(?<=[\p{N})]\s?)[-−]|(?![~`])[\p{S}%‰#&*]/u;
/** A word, with what is joined to it; or a number; or a sign. Sentence ends are kept, since the next word begins one. */
const TOKEN = new RegExp(
  `${/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[\p{Sc}#]?[-−]?\p{Nd}+(?:[.,:/-]\p{Nd}+)*!?/u.source}|${SIGN.source}|[.!?\\n]`,
  'gu',
);
/** Runs of what addresses, paths and identifiers are made of; one of these signs inside makes a run one of them. */
const RUN = /[\p{L}\p{N}@_/\\.:=&~%-]+/gu;
const JOINED = /[@_/\\]|\p{L}\.\p{L}/u;

/** Finds the features of an input. */
export function findFeatures(input: string): Features {
  // One spelling for full-width digits, ligatures and the like.
  const text = input.normalize('NFKC');
  const found = { numbers: [], units: [], dates: [], negations: [], names: [] } as Record<
    'numbers' | 'units' | 'dates' | 'negations' | 'names',
    string[]
  >;
  let before = '\n';
  for (const [token] of text.matchAll(TOKEN)) {
    const word = token.toLowerCase();
    const last = found.numbers.length - 1;
    if (/\p{Nd}/u.test(token)) found.numbers.push(word.replace('−', '-'));
    else if (/^[\p{S}\p{P}]$/u.test(token) && !isSentenceEnd(token))
      found.numbers.push(token === '−' ? '-' : token);
    else if (CARDINALS.has(word)) found.numbers.push(CARDINALS.get(word) ?? word);
    else if (AMOUNTS.has(word)) found.numbers.push(word);
    else if (SHORT_UNITS.has(word) && /[\p{Nd}°]$/u.test(before)) found.numbers[last] += token;
    else if (UNITS.has(word)) found.units.push(word.replace(/s$/, ''));
    else if (DATES.has(word)) found.dates.push(word);
    else if (NEGATIONS.has(word)) found.negations.push(word === 'cannot' ? 'not' : word);
    else if (/n['’]t$/.test(word)) found.negations.push('not');
    else if (isName(token, before)) found.names.push(token.replace(/['’]s$/, ''));
    before = token;
  }
  return {
    ...found,
    quotes: findQuotes(text),
    literals: [...text.matchAll(RUN)].flatMap(([run]) => (JOINED.test(run) ? withoutEnd(run) : [])),
  };
}

/** The digest of an input's features: two inputs may ask the same only if theirs is the same. */
export function digestOfFeatures(input: string): string {
  return digestOfParts(
    Object.entries(findFeatures(input)).flatMap(([kind, found]) => [kind, String(found.length), ...found]),
  );
}

/** The first word of a sentence is capitalised whatever it is, and `I` is no name. */
function isName(token: string, before: string): boolean {
  if (/^I(?:['’]\p{L}+)?$/u.test(token)) return false;
  if (/^.\P{Lu}*\p{Lu}/u.test(token)) return true;
  return /^\p{Lu}/u.test(token) && !isSentenceEnd(before);
}

function isSentenceEnd(token: string): boolean {
  return /^[.!?\n]$/.test(token);
}

/** Without the punctuation of the sentence that it may end. A loop, since a pattern would try every beginning of it. */
function withoutEnd(run: string): string {
  let end = run.length;
  while (end > 0 && '.:-'.includes(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}

/** What closes each mark. */
const CLOSES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“”'],
  ['«', '»'],
  ['‘', '’'],
  ["'", "'"],
  ['`', '`'],
]);
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The quoted parts, exactly as they stand there; what stands within one is not looked at again. */
function findQuotes(text: string): string[] {
  const quotes: string[] = [];
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    const closers = CLOSES.get(mark);
    if (closers === undefined || unclosed.has(mark) || isApostrophe(text, at)) continue;
    const end = findEnd(text, at + 1, closers);
    if (end === undefined) {
      // None closes it from here, so none closes a later one.
      unclosed.add(mark);
      continue;
    }
    if (end > at + 1) quotes.push(text.slice(at + 1, end));
    at = end;
  }
  return quotes;
}

function findEnd(text: string, from: number, closers: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const isWithinWord = "'’".includes(text.charAt(at)) && LETTER_OR_DIGIT.test(text.charAt(at + 1));
    if (closers.includes(text.charAt(at)) && !isWithinWord) return at;
  }
  return undefined;
}

/** As in `don't`: a letter or digit stands before it. */
function isApostrophe(text: string, at: number): boolean {
  return text.charAt(at) === "'" && at > 0 && LETTER_OR_DIGIT.test(text.charAt(at - 1));
}
