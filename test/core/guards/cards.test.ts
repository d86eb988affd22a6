// Cards are the numbers that networks issue: others are found by nobody, whatever their check digit.
import { describe, expect, it } from 'vitest';
import { recognizerOf } from '../../../core/guards/pii/forms.ts';

const card = recognizerOf('card');
const cardsIn = (text: string) => card.find(text).map(({ start, end }) => text.slice(start, end));

/** Without its last digit, which is the check digit. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const ISSUED: readonly (readonly [network: string, first: string, lengths: readonly number[]])[] = [
  ['Visa', '4', [13, 16, 18, 19]],
  ['Mastercard', '5105', [16]],
  ['Mastercard', '5599', [16]],
  ['Mastercard', '2221', [16]],
  ['Mastercard', '2720', [16]],
  ['Mir', '2204', [16, 19]],
  ['American Express', '34', [15]],
  ['American Express', '37', [15]],
  ['Diners Club', '305', [14, 19]],
  ['Diners Club', '36', [14, 16]],
  ['Diners Club', '39', [14, 16]],
  ['JCB', '3528', [16, 19]],
  ['JCB', '3589', [16]],
  ['JCB', '2131', [15]],
  ['JCB', '1800', [15]],
  ['UATP', '1001', [15]],
  ['GPN', '1946', [16]],
  ['Maestro', '5018', [12, 16, 19]],
  ['Maestro', '6759', [12, 16, 19]],
  ['Verve', '5061', [16, 19]],
  ['Discover', '6011', [16, 19]],
  ['UnionPay', '62', [16, 19]],
  ['UnionPay', '81', [16, 19]],
  ['RuPay', '82', [16]],
  ['UzCard', '8600', [16]],
  ['Troy', '9792', [16]],
  ['Humo', '9860', [16]],
];

describe('a card', () => {
  it.each(ISSUED)('of %s that begins with %s is found', (_network, first, lengths) => {
    for (const length of lengths) {
      const number = withCheckDigit(first.padEnd(length - 1, '03'));
      expect([number.length, cardsIn(`by ${number}, please`)]).toEqual([length, [number]]);
      const wrong = `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`;
      expect(cardsIn(`by ${wrong}, please`)).toEqual([]);
    }
  });

  it.each([
    ['1', 16],
    ['1995', 16],
    ['1800', 16],
    ['2', 13],
    ['2220', 15],
    ['2721', 16],
    ['31', 14],
    ['33', 16],
    ['34', 16],
    ['4', 12],
    ['4', 14],
    ['51', 15],
    ['59', 16],
    ['7', 16],
    ['83', 16],
    ['9', 16],
    ['0', 16],
  ])('that begins with %s is none with %i digits', (first, length) => {
    const number = withCheckDigit(first.padEnd(length - 1, '03'));
    expect([number.length, cardsIn(`by ${number}, please`)]).toEqual([length, []]);
  });

  it('is no row of years, and no phone number behind its sign', () => {
    expect(cardsIn('in 1995 1996 1997 1992')).toEqual([]);
    expect(cardsIn('call +4915123456787')).toEqual([]);
    expect(cardsIn('call +49 1512 3456787')).toEqual([]);
    expect(cardsIn('order 4915123456787')).toEqual(['4915123456787']);
    expect(cardsIn('I pay by +4111 1111 1111 1111')).toEqual(['4111 1111 1111 1111']);
  });
});
