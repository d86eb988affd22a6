// Masked values come back to their caller: in one piece and in many, and never within an address.
import { describe, expect, it } from 'vitest';
import { createPlaceholders } from '../../../core/guards/placeholders.ts';
import { createRestorer, restoreText } from '../../../core/guards/restore.ts';

const placeholders = createPlaceholders('a key');
const MASK = placeholders.mask('EMAIL', 'ann@example.com');
const NAME = MASK.slice(1, -1);

function inPieces(text: string, size: number): string {
  const restorer = createRestorer({ placeholders });
  let result = '';
  for (let at = 0; at < text.length; at += size) result += restorer.push(text.slice(at, at + size));
  return result + restorer.end();
}

const RESTORED: readonly (readonly [text: string, restored: string])[] = [
  [`Mail ${MASK}.`, 'Mail ann@example.com.'],
  [`${MASK}${MASK}`, 'ann@example.comann@example.com'],
  [`[[${MASK}]`, '[[ann@example.com]'],
  [`small: [${NAME.toLowerCase()}]`, 'small: ann@example.com'],
  [`escaped: \\[${NAME}\\]`, 'escaped: ann@example.com'],
  [`see https://x.example/ then ${MASK}`, 'see https://x.example/ then ann@example.com'],
  [`[a](b) ${MASK}`, '[a](b) ann@example.com'],
];
const LEFT: readonly string[] = [
  '[EMAIL_AAAAAAAA]',
  `[${NAME}`,
  `https://x.example/?q=${MASK}`,
  `//x.example/${MASK}/y`,
  `![i](x.png?${MASK})`,
  `![i](<https://x.example/a b${MASK}>)`,
  `<img src="x y?${MASK}">`,
  `<img src=x?${MASK}>`,
  `<a href='x y ${MASK}'>`,
  `[a]: /x?${MASK}`,
  `www.x.example/${MASK}`,
  `<https://x.example/ ${MASK}>`,
];

describe.each([1, 2, 3, 5, 7, 16, 10_000])('in pieces of %i', (size) => {
  it.each(RESTORED)('%s becomes %s', (text, restored) => {
    expect([restoreText(text, { placeholders }), inPieces(text, size)]).toEqual([restored, restored]);
  });

  it.each(LEFT)('%s stays', (text) => {
    expect([restoreText(text, { placeholders }), inPieces(text, size)]).toEqual([text, text]);
  });
});

describe('a placeholder', () => {
  it('is the same for the same value and key, and another one for any other', () => {
    const again = createPlaceholders('a key');
    expect(again.mask('EMAIL', 'ann@example.com')).toBe(MASK);
    // Whatever was masked before it, and how often.
    const later = createPlaceholders('a key');
    for (const name of ['bob', 'cleo', 'bob']) later.mask('EMAIL', `${name}@example.com`);
    expect([1, 2].map(() => later.mask('EMAIL', 'ann@example.com'))).toEqual([MASK, MASK]);
    const others = [
      again.mask('EMAIL', 'bob@example.com'),
      again.mask('CARD', 'ann@example.com'),
      createPlaceholders('another').mask('EMAIL', 'ann@example.com'),
    ];
    expect(new Set([MASK, ...others]).size).toBe(4);
  });

  it('of a second value is longer where the first eight letters are those of another', () => {
    // Found by a search of 1,422,011 addresses: 40 bits of their digests are equal.
    const [first, second] = ['a596825@example.com', 'a1422011@example.com'];
    const both = createPlaceholders('key');
    const masks = [both.mask('EMAIL', first), both.mask('EMAIL', second)];
    expect(masks).toEqual(['[EMAIL_3XGX42XK]', expect.stringMatching(/^\[EMAIL_3XGX42XK[A-Z2-7]{4}\]$/)]);
    expect(restoreText(masks.join(' and '), { placeholders: both })).toBe(`${first} and ${second}`);
    expect([both.mask('EMAIL', first), both.mask('EMAIL', second)]).toEqual(masks);
  });
});
