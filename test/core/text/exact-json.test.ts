// Numbers of JSON that a double cannot hold stay as they are written, and are looked at so.
import { describe, expect, it } from 'vitest';
import { mapJsonText } from '../../../core/guards/map-json.ts';
import { canonicalJson } from '../../../core/text/canonical-json.ts';
import { exactNumber, isExactNumber, parseExactJson, withDoubles } from '../../../core/text/exact-json.ts';
import { isJsonObject } from '../../../core/text/json.ts';

const CARD = '6205500000000000004';
const mask = (text: string) => text.replaceAll(CARD, '[CARD]');

describe('a number that a double cannot hold', () => {
  it.each([
    '9223372036854775807',
    '-9007199254740993',
    '12345678901234567890123',
    '9007199254740993.5',
    `${'9'.repeat(400)}`,
    '1000000000000000000000',
    '1e400',
    '-1.5E+999',
    '2E400',
    '7.25e+0400',
    '1234567890123456789e-3',
  ])('stays as it is written: %s', (number) => {
    for (const text of [number, `[${number}]`, `{"a":[1,{"b":${number}}]}`]) {
      expect(JSON.stringify(parseExactJson(text))).toBe(text);
    }
    expect(parseExactJson(`{"a":\n\t ${number} }`)).toEqual({ a: exactNumber(number) });
    expect(withDoubles(parseExactJson(`{"a":[${number}]}`))).toEqual({ a: [Number(number)] });
  });

  it('is no object, and canonical as it is written', () => {
    const value = parseExactJson(CARD);
    expect(isJsonObject(value)).toBe(false);
    expect(canonicalJson({ b: value, a: 1 })).toBe(`{"a":1,"b":${CARD}}`);
    expect(canonicalJson({ rawJSON: CARD })).toBe(`{"rawJSON":"${CARD}"}`);
  });

  it('is told from a member of that name', () => {
    expect([{ rawJSON: CARD }, Object.freeze({ rawJSON: '1' }), 1, null, CARD].some(isExactNumber)).toBe(
      false,
    );
  });
});

describe('every other value', () => {
  it.each([
    '1',
    '-0',
    '1.0',
    '1e3',
    '9007199254740991',
    '1234567890123456',
    '0.1234567890123456789',
    '"1"',
    'null',
  ])('is what JSON.parse makes of %s', (text) => {
    for (const json of [text, `[${text}]`, `{"a":${text},"b":"1, ${CARD}"}`]) {
      expect(parseExactJson(json)).toEqual(JSON.parse(json));
      const value = parseExactJson(json);
      expect(withDoubles(value)).toBe(value);
    }
  });

  it.each(['', '{', `{"a":${CARD}`, `[0${CARD}]`, `[${CARD}.]`, `[-${CARD}-]`, 'undefined'])(
    'is undefined for %j, which is no JSON',
    (text) => {
      expect(parseExactJson(text)).toBeUndefined();
    },
  );
});

describe('a number of 19 digits in JSON', () => {
  it.each([
    ['a member', `{"card":${CARD},"name":"Ada"}`, '{"card":"[CARD]","name":"Ada"}'],
    ['of a list', `[1,${CARD}]`, '[1,"[CARD]"]'],
    ['alone', CARD, '"[CARD]"'],
    ['a text', `{"card":"${CARD}"}`, '{"card":"[CARD]"}'],
    ['within a name', `{"${CARD}":1}`, '{"[CARD]":1}'],
    [
      'beside another',
      `{"id":9223372036854775807,"card":${CARD}}`,
      '{"id":9223372036854775807,"card":"[CARD]"}',
    ],
  ])('is changed as %s', (_where, text, changed) => {
    expect(mapJsonText(text, mask)).toBe(changed);
  });

  it.each([`{"id":12345678901234567890, "b": 1.0}`, '{"a":1e3,"b":0.1234567890123456789}'])(
    'leaves %s as it is written where nothing is found',
    (text) => {
      expect(mapJsonText(text, mask)).toBe(text);
    },
  );

  it('is changed in what is no JSON, too', () => {
    expect(mapJsonText(`{"card":${CARD}`, mask)).toBe('{"card":[CARD]');
  });
});
