// Numbers of payment cards: their check digit, and the numbers that networks issue.

/** ISO/IEC 7812-1, annex B. */
export function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

/** First digits (ISO/IEC 7812-1, issuer identification numbers) with the lengths that the networks issue, rather too many than too few. */
const ISSUED: readonly RegExp[] = [
  // Visa.
  /^4(?:\d{12}|\d{15,18})$/,
  // Mastercard.
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  // Mir, Borica.
  /^220[0-5]\d{12,15}$/,
  // American Express.
  /^3[47]\d{13}$/,
  // Diners Club.
  /^3(?:0[0-59]|[689]\d)\d{11,16}$/,
  // JCB, with a few more than its 3528 to 3589, which samples have.
  /^35\d{14,17}$/,
  // JCB's older ones.
  /^2131\d{11}$/,
  // UATP, and JCB's older ones.
  /^1\d{14}$/,
  // GPN.
  /^1946\d{12}$/,
  // Maestro, Discover, UnionPay, RuPay, Verve, Elo, Hipercard and others.
  /^(?:0604|5[0678]\d\d|6\d{3})\d{8,15}$/,
  // UnionPay, RuPay, UzCard.
  /^8[0126]\d{14,17}$/,
  // Troy, Humo.
  /^9(?:792|860)\d{12}$/,
];

/** Digits without blanks or hyphens. */
export function isCardNumber(digits: string): boolean {
  return ISSUED.some((one) => one.test(digits)) && isLuhn(digits);
}

/** How cards are printed: groups of four, or four, six and the rest. */
const CARD_GROUPS = /^\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?$|^\d{4}([ -])\d{6}\2\d{4,5}$/;

/** One that numbers stand beside, such as a date: what is left of them must look like a card. */
export function isPrintedCard(text: string): boolean {
  return /^\d{12,19}$/.test(text) || CARD_GROUPS.test(text);
}
