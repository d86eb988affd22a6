// Phone numbers: with a country code anywhere, in a national form behind a word, and nothing else.
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { isPhoneNumber } from '../../../adapters/phone/is-phone-number.ts';
import { createPhoneRecognizer } from '../../../core/guards/pii/phone.ts';
import { REGIONS } from '../../../core/settings/guards/regions.ts';

function findIn(text: string, regions: readonly string[] = ['DE', 'US', 'GB']): readonly string[] {
  const finds = createPhoneRecognizer(regions, isPhoneNumber).find(text);
  return finds.map(({ start, end }) => text.slice(start, end));
}

describe('a phone number', () => {
  it.each([
    ['Write to +49 30 901820, please', '+49 30 901820'],
    ['+1 (212) 555-0123.', '+1 (212) 555-0123'],
    ['(+442079460958)', '+442079460958'],
    ['+33 1 42 68 53 00 2026', '+33 1 42 68 53 00'],
    ['Call me at 212-555-0123 x18 now', '212-555-0123 x18'],
    ['My phone number is (212) 555-0123.', '(212) 555-0123'],
    ['Phone:\n212.555.0123', '212.555.0123'],
    ['Telefon: 030/901820', '030/901820'],
    ['Handy 0151 23456789', '0151 23456789'],
    ['you can reach her on 020 7946 0958', '020 7946 0958'],
  ])('is found in "%s"', (text, number) => {
    expect(findIn(text)).toEqual([number]);
    expect(findIn(`Ünï ${text}`)).toEqual([number]);
  });

  it.each([
    'The order 212-555-0123 has left',
    'Social security number 455-99-6622',
    'It is 2026-11-27, 12:30.',
    '+1 234',
    '+999 123 456 789',
    'call 1234',
    'a+4930901820',
    'phone_2125550123x',
    'Recall 212-555-0123',
    '4111 1111 1111 1111',
    'version 1.22.333.4444',
  ])('is none in "%s"', (text) => {
    expect(findIn(text)).toEqual([]);
  });

  it('of a national form needs its region', () => {
    expect(findIn('tel 030 901820', [])).toEqual([]);
    expect(findIn('tel 212-555-0123', ['US'])).toEqual(['212-555-0123']);
    expect(findIn('tel +1 212 555 0123', [])).toEqual(['+1 212 555 0123']);
  });

  it('is looked for in time that grows with the text', () => {
    for (const part of ['1', '1 ', '+1', '(1) ', 'call 1-', '0/', '1 x', '+(']) {
      const text = part.repeat(100_000 / part.length);
      const before = process.cpuUsage();
      const recognizer = createPhoneRecognizer(['DE', 'US', 'GB', 'FR'], isPhoneNumber);
      recognizer.find(text);
      recognizer.openFrom?.(text);
      expect(process.cpuUsage(before).user / 1_000, part).toBeLessThan(1_500);
    }
  });

  it('may be of every country with a numbering plan', () => {
    expect(REGIONS).toEqual(Object.keys(metadata.countries).sort());
  });
});
