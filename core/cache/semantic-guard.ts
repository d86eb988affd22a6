// Distinguishes inputs that vectors do not: similar texts with another meaning. Deterministic, and limited to the features listed here.
import { digestOfParts } from '../text/digest.ts';
import { findQuotes, findSigns } from './signs.ts';
import { joinedPrefixes, turnedWord } from './turned-words.ts';

/*
 * It cannot see: opposites that are plain words (open and close, cheapest and dearest, from A to B in lower case), names in
 * lower case or at the beginning of a sentence, numbers and units beyond the words below, negation in languages other than
 * those below, and what only the world tells apart. Inputs that differ in none of what it sees are left to the threshold.
 */

/** The features that two inputs with the same meaning share, each kind in the order of the text. */
export interface Features {
  /** With a unit that follows; also signs of arithmetic, comparison and currency, and pictures. */
  readonly numbers: readonly string[];
  readonly units: readonly string[];
  readonly dates: readonly string[];
  readonly negations: readonly string[];
  /** Texts between quotation marks or backticks, unchanged. */
  readonly quotes: readonly string[];
  /** Words capitalised inside a sentence, and all words with a capital after the first letter. */
  readonly names: readonly string[];
  /** Addresses, paths and identifiers. */
  readonly literals: readonly string[];
  /** Points and quotes beside numbers, operators, and signs before names, with what they belong to. */
  readonly signs: readonly string[];
  /** Prefixes that turn a word round, with its beginning. */
  readonly prefixes: readonly string[];
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
/** Units only after a number; alone they are letters and words. */
const SHORT_UNITS = words(
  'mg g kg t ml cl l dl mm cm m km in ft yd mi oz lb lbs s sec secs ms min mins h hr hrs d c f k b kb mb gb tb kib mib gib w kw kwh ' +
    'v a hz khz mhz ghz bar psi mph kmh am pm px pt usd eur gbp chf jpy cny inr cad aud sek nok dkk pln czk ' +
    'μg ug ng pg mcg iu u μl ul mol mmol μmol ppm ppb dpi fps rpm bpm cal kcal j kj mj n kn pa kpa mpa hpa atm torr mmhg ha acre sqm sqft ' +
    'bps kbps mbps gbps bit kbit mbit gbit va kva mv kv ma mah ah wh mwh gwh mw gw tw ev kev mev sv msv bq ci gy rad lm lx cd db st cwt ' +
    'gal qt tsp tbsp bbl ct pc pcs doz ns us μs μm um nm yr yrs mo mos wk wks y bn mn m2 m3 ft2 pct bp pp x',
);
const UNITS = words(
  'percent percentage milligram milligrams gram grams kilogram kilograms kilo kilos tonne tonnes ton tons ounce ounces pound ' +
    'pounds milliliter milliliters millilitre millilitres liter liters litre litres gallon gallons millimeter millimeters ' +
    'centimeter centimeters meter meters metre metres kilometer kilometers kilometre kilometres inch inches foot feet yard yards ' +
    'mile miles celsius fahrenheit kelvin byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte terabytes ' +
    'second seconds minute minutes hour hours day days week weeks month months year years decade decades century centuries ' +
    'daily weekly monthly yearly annual annually hourly ' +
    'ohm ohms amp amps ampere amperes joule joules newton newtons degree degrees radian radians ' +
    'bit bits pixel pixels pint pints quart quarts cup cups teaspoon teaspoons tablespoon tablespoons acre acres hectare hectares knot ' +
    'knots microgram micrograms nanogram nanograms kilowatt kilowatts megawatt megawatts kilojoule kilojoules millisecond milliseconds ' +
    'microsecond microseconds nanosecond nanoseconds fortnight quarterly hertz pascal pascals mole moles ' +
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

/** A hyphen is a minus only after a number; `~` decorates and a backtick quotes. (`!` after a number is part of it.) */
const SIGN = /(?<=[\p{N})]\s?)[-−]|(?![~`])[\p{S}%‰#&*]/u;
/** Words with apostrophes, numbers, signs, and the ends of sentences. */
const TOKEN = new RegExp(
  `${/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[\p{Sc}#]?[-−]?\p{Nd}+(?:[.,:/-]\p{Nd}+)*!?/u.source}|${SIGN.source}|[.!?\\n]`,
  'gu',
);
/** Digits and signs of an exponent (Unicode, Superscripts and Subscripts). */
const RAISED = /[⁰¹²³⁴-⁹⁺⁻]+/gu;
/** Characters of addresses, paths and identifiers; a run with one of the signs of JOINED inside is one of these. */
const RUN = /[\p{L}\p{N}@_/\\.:=&~%-]+/gu;
const JOINED = /[@_/\\]|\p{L}\.\p{L}/u;

export function findFeatures(input: string): Features {
  // One spelling for full-width digits, ligatures and the like. A raised digit is none of them: 10² is not 102.
  const text = input.replaceAll(RAISED, (raised) => `^${raised}`).normalize('NFKC');
  const found = { numbers: [], units: [], dates: [], negations: [], names: [], prefixes: [] } as Record<
    'numbers' | 'units' | 'dates' | 'negations' | 'names' | 'prefixes',
    string[]
  >;
  const quotes = findQuotes(text);
  const marks = new Set(quotes.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]));
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
    else {
      const turned = turnedWord(word);
      if (turned !== undefined) found.prefixes.push(turned);
      if (isName(token, before)) found.names.push(token.replace(/['’]s$/, ''));
    }
    before = token;
  }
  return {
    ...found,
    prefixes: [...found.prefixes, ...joinedPrefixes(text)],
    quotes: quotes.map((quote) => quote.text),
    signs: findSigns(text, (index) => marks.has(index)),
    literals: [...text.matchAll(RUN)].flatMap(([run]) => (JOINED.test(run) ? withoutEnd(run) : [])),
  };
}

/** The digest of an input's features; inputs with different digests have different meanings. */
export function digestOfFeatures(input: string): string {
  return digestOfParts(
    Object.entries(findFeatures(input)).flatMap(([kind, found]) => [kind, String(found.length), ...found]),
  );
}

/** The first word of a sentence is always capitalised, and `I` is no name. */
function isName(token: string, before: string): boolean {
  if (/^I(?:['’]\p{L}+)?$/u.test(token)) return false;
  if (/^.\P{Lu}*\p{Lu}/u.test(token)) return true;
  return /^\p{Lu}/u.test(token) && !isSentenceEnd(before);
}

function isSentenceEnd(token: string): boolean {
  return /^[.!?\n]$/.test(token);
}

/** Removes punctuation at the end of a sentence. A loop, since a pattern would try every beginning. */
function withoutEnd(run: string): string {
  let end = run.length;
  while (end > 0 && '.:-'.includes(run.charAt(end - 1))) end -= 1;
  return run.slice(0, end);
}
