// A stream waits for a match of an operator's pattern exactly as long as one is open.
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { followMatches } from '../../../core/guards/open-match.ts';

const follow = (pattern: string) => followMatches(RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE));

describe('the longest match of a pattern', () => {
  it.each([
    ['falcon', 6],
    ['project\\s{1,3}falcon', 16],
    ['a|bcd|ef', 3],
    ['(?:ab){2,5}c?', 11],
    ['x$', 1],
    ['\\bAB-\\d{6}\\b', 9],
    ['[\\x{1f600}-\\x{1f64f}]{2}', 2],
    ['x{400}', 400],
  ])('of %s has %i characters', (pattern, longest) => {
    expect(follow(pattern)?.longest).toBe(longest);
  });

  it.each(['a+', 'a.*b', '(?:ab)*', 'x{2,}', 'a(?:b|c+)d', 'x{1000}y{25}', 'x{1000}'])(
    'of %s has no bound that a stream could wait for',
    (pattern) => expect(follow(pattern)).toBeUndefined(),
  );
});

it.each(['^falcon', '(?m)^falcon', 'a|^b'])(
  'what %s stands at the beginning of is not known in a stream',
  (pattern) => expect(follow(pattern)).toBeUndefined(),
);

describe('what is open at the end of a text', () => {
  it.each([
    ['falcon', 'the fal', 4],
    ['falcon', 'the falx', 8],
    ['falcon', 'the FALCO', 4],
    ['falcon', 'falcon', 6],
    ['\\bfalcon', 'afal', 4],
    ['falcon\\b', 'the falcon', 4],
    ['falcon$', 'a falcon', 2],
    ['aab', 'aaaa', 2],
    ['a{2,5}', 'xaaa', 1],
    ['[\\x{1f600}-\\x{1f64f}]{2}', 'a\u{1f601}', 1],
    ['x', '', 0],
  ])('of %s in "%s" begins at %i', (pattern, text, place) => {
    expect(follow(pattern)?.openFrom(text)).toBe(place);
  });

  it('begins at no place that has left', () => {
    expect(follow('aab')?.openFrom('aaaa', 3)).toBe(3);
    expect(follow('aab')?.openFrom('aaaa', 4)).toBe(4);
  });
});
