// Check digits of national numbers. Each takes the number without blanks and punctuation, in capitals.

const digitsOf = (text: string): readonly number[] => [...text].map(Number);

/** The sum of digits times weights. */
function weigh(text: string, weights: readonly number[]): number {
  const digits = digitsOf(text);
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** England's NHS number: weights 10 to 2, modulo 11. */
export function isNhs(text: string): boolean {
  const check = 11 - (weigh(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return Number(text[9]) === (check === 11 ? 0 : check);
}

/** Germany's tax identification number: ISO/IEC 7064, MOD 11,10; of its first ten digits one comes twice or three times. */
export function isSteuerId(text: string): boolean {
  const first = text.slice(0, 10);
  const counts = [...Map.groupBy(first, (digit) => digit).values()].map(({ length }) => length);
  if (counts.filter((count) => count > 1).length !== 1 || Math.max(...counts) > 3) return false;
  let rest = 10;
  for (const digit of digitsOf(first)) {
    const sum = (digit + rest) % 10;
    rest = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - rest) % 10 === Number(text[10]);
}

/** France's NIR: 97 less the number modulo 97. The departments of Corsica are letters. */
export function isNir(text: string): boolean {
  const corsica = text[6] === 'A' ? 1_000_000 : text[6] === 'B' ? 2_000_000 : 0;
  const number = Number(text.slice(0, 13).replace(/[AB]/, '0')) - corsica;
  return 97 - (number % 97) === Number(text.slice(13));
}

/** Spain's DNI and NIE: a letter by the number modulo 23. */
export function isDni(text: string): boolean {
  const number = Number(text.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter))));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] === text.at(-1);
}

/** Values of characters at odd places of Italy's codice fiscale, 0 to 9 and A to Z. */
const ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16,
  10, 22, 25, 24, 23,
];

/** Italy's codice fiscale: a letter by the sum of fifteen characters modulo 26. */
export function isCodiceFiscale(text: string): boolean {
  const sum = [...text.slice(0, 15)].reduce((total, character, index) => {
    const value = Number.parseInt(character, 36);
    return total + (index % 2 === 0 ? (ODD[value] ?? 0) : value < 10 ? value : value - 10);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

/** The Netherlands' BSN: weights 9 to 2 and -1, modulo 11. */
export function isBsn(text: string): boolean {
  return weigh(text, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** Poland's PESEL: weights 1, 3, 7, 9, modulo 10. The month says the century. */
export function isPesel(text: string): boolean {
  const month = Number(text.slice(2, 4)) % 20;
  const isDate = month >= 1 && month <= 12 && isDay(text.slice(4, 6));
  return isDate && (10 - (weigh(text, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(text[10]);
}

function isDay(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 31;
}

/** Belgium's national register number: 97 less the number modulo 97; from the year 2000 on with a 2 before it. */
export function isBelgian(text: string): boolean {
  const check = Number(text.slice(9));
  return ['', '2'].some((century) => 97 - (Number(century + text.slice(0, 9)) % 97) === check);
}

/** Finland's personal identity code: a character by the date and number modulo 31. */
export function isHetu(text: string): boolean {
  const number = Number(text.slice(0, 6) + text.slice(-4, -1));
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[number % 31] === text.at(-1);
}

/** Switzerland's AHV number: EAN-13. */
export function isAhv(text: string): boolean {
  return (10 - (weigh(text, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(text[12]);
}

/** Australia's tax file number: weights, modulo 11. */
export function isTfn(text: string): boolean {
  return weigh(text, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
}

/** Verhoeff's scheme, by the dihedral group of ten: its products, and a permutation for each place. */
const PRODUCTS = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTATIONS = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** India's Aadhaar: Verhoeff's check digit. */
export function isAadhaar(text: string): boolean {
  const rest = digitsOf(text)
    .toReversed()
    .reduce((sum, digit, place) => {
      const permuted = Number(PERMUTATIONS[place % 8]?.[digit]);
      return Number(PRODUCTS[sum]?.[permuted]);
    }, 0);
  return rest === 0;
}

/** A check digit of Brazil: 11 less the sum modulo 11, and 0 for 10 and 11. */
function brazilian(text: string, weights: readonly number[]): number {
  const check = 11 - (weigh(text, weights) % 11);
  return check > 9 ? 0 : check;
}

/** Brazil's CPF: two check digits. */
export function isCpf(text: string): boolean {
  if (/^(\d)\1*$/.test(text)) return false;
  const first = brazilian(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]);
  const second = brazilian(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
  return text.endsWith(`${first}${second}`);
}

/** Brazil's CNPJ: two check digits. */
export function isCnpj(text: string): boolean {
  const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
  const first = brazilian(text, weights.slice(1));
  const second = brazilian(text, weights);
  return text.endsWith(`${first}${second}`);
}
