// National numbers are found by form and check digit; the numbers are examples of python-stdnum's documentation and of the authorities.
import { describe, expect, it } from 'vitest';
import { createNationalRecognizer } from '../../../core/guards/pii/national.ts';

function findIn(region: string, text: string): readonly string[] {
  const finds = createNationalRecognizer([region]).find(text);
  return finds.map(({ start, end }) => text.slice(start, end));
}

describe('a national number', () => {
  it.each([
    ['AU', 'My TFN is 123 456 782.', '123 456 782'],
    ['BE', 'nr 85.07.30-033.28', '85.07.30-033.28'],
    ['BE', '17073003384', '17073003384'],
    ['BR', 'CPF 390.533.447-05', '390.533.447-05'],
    ['BR', 'CNPJ: 16.727.230/0001-97', '16.727.230/0001-97'],
    ['CA', 'SIN: 123-456-782', '123-456-782'],
    ['CH', 'AHV 756.9217.0769.85', '756.9217.0769.85'],
    ['DE', 'IdNr. 36 574 261 809', '36 574 261 809'],
    ['DE', '65929970489', '65929970489'],
    ['ES', 'DNI 54362315K', '54362315K'],
    ['ES', 'x-2482300w', 'x-2482300w'],
    ['FI', '131052-308T', '131052-308T'],
    ['FR', 'NIR 2 95 10 99 126 111 93', '2 95 10 99 126 111 93'],
    ['GB', '943 476 5919', '943 476 5919'],
    ['GB', 'NHS number 9434765919', '9434765919'],
    ['GB', 'NI no. AB 12 34 56 C', 'AB 12 34 56 C'],
    ['IN', '2341 2341 2346', '2341 2341 2346'],
    ['IT', 'RCCMNL83S18D969H', 'RCCMNL83S18D969H'],
    ['NL', 'BSN: 1112.22.333', '1112.22.333'],
    ['PL', '44051401359', '44051401359'],
    ['SE', '880320-0016', '880320-0016'],
    ['US', 'ITIN 912-90-3456', '912-90-3456'],
  ] as const)('of %s is found in "%s"', (region, text, number) => {
    expect(findIn(region, text)).toEqual([number]);
    expect(findIn(region, `(${text})`)).toEqual([number]);
  });

  it.each([
    ['AU', 'My TFN is 999 999 998.'],
    ['AU', 'call 123 456 782'],
    ['BE', '12345678901'],
    ['BR', '231.002.999-00'],
    ['BR', '111.111.111-11'],
    ['BR', '16.727.230/0001-98'],
    ['CA', '123-456-782'],
    ['CA', 'SIN: 123-456-783'],
    ['CH', '756.9217.0769.84'],
    ['DE', '36574261890'],
    ['DE', '12345678901'],
    ['ES', '54362315Z'],
    ['ES', 'X2482300A'],
    ['FI', '131052-308U'],
    ['FR', '2 95 10 99 126 111 99'],
    ['GB', '943 476 5918'],
    ['GB', '9434765919'],
    ['GB', 'BG123456C'],
    ['IN', '234123412347'],
    ['IT', 'RCCMNL83S18D969A'],
    ['NL', 'BSN: 111252333'],
    ['NL', 'order 111222333'],
    ['PL', '44051401358'],
    ['SE', '880320-0018'],
    ['US', '912-89-3456'],
    ['DE', 'x65929970489'],
    ['DE', '659299704891'],
    ['DE', '65929970489-12'],
  ] as const)('of %s is not found in "%s"', (region, text) => {
    expect(findIn(region, text)).toEqual([]);
  });

  it('is looked for in the named regions alone', () => {
    expect(findIn('ES', '65929970489')).toEqual([]);
    expect(createNationalRecognizer(['ES', 'DE']).find('65929970489 54362315K')).toHaveLength(2);
  });
});
