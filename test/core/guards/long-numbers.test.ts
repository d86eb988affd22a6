// Numbers of JSON that a double cannot hold: they are looked at as they are written.
import { describe, expect, it } from 'vitest';
import { mapJsonText } from '../../../core/guards/map-json.ts';

const CARD = '6205500000000000004';
const mask = (text: string) => text.replaceAll(CARD, '[CARD]');

describe('a number of 19 digits in JSON', () => {
  it.each([
    ['a member', `{"card":${CARD},"name":"Ada"}`, '{"card":"[CARD]","name":"Ada"}'],
    ['of a list', `[1,${CARD}]`, '[1,"[CARD]"]'],
    ['alone', CARD, '"[CARD]"'],
    ['a text', `{"card":"${CARD}"}`, '{"card":"[CARD]"}'],
    ['within a name', `{"${CARD}":1}`, '{"[CARD]":1}'],
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
