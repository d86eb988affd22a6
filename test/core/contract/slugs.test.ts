// Which path segments may name something.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSlug, isVersionId } from '../../../core/contract/slugs.ts';

describe('a slug', () => {
  it.each(['a', '7', 'acme', 'a-b', 'a--b', '0-0', 'a'.repeat(63), 'pings', 'ping-1'])(
    'may be %s',
    (slug) => {
      expect(isSlug(slug)).toBe(true);
      expect(isVersionId(slug)).toBe(true);
    },
  );

  it.each([
    '',
    '-',
    '-a',
    'a-',
    'Acme',
    'a b',
    'a_b',
    'a.b',
    'a/b',
    'a#b',
    'a%2Fb',
    'ä',
    'a\n',
    '\na',
    '..',
    '__proto__',
    'a'.repeat(64),
  ])('refuses %j', (text) => {
    expect(isSlug(text)).toBe(false);
    expect(isVersionId(text)).toBe(false);
  });

  it.each('ping sping v1 chat completions responses messages embeddings models mcp'.split(' '))(
    'refuses the reserved word %s, which a version may still have as its id',
    (word) => {
      expect(isSlug(word)).toBe(false);
      expect(isVersionId(word)).toBe(true);
    },
  );

  it.each([undefined, null, 7, ['a'], { length: 1 }])('refuses %s, which is no text', (value) => {
    expect(isSlug(value)).toBe(false);
    expect(isVersionId(value)).toBe(false);
  });

  it('stays the same in a URL, whatever it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/), (slug) => {
        fc.pre(!['ping', 'sping', 'chat'].includes(slug));
        expect(isSlug(slug)).toBe(true);
        expect(new URL(`http://localhost/${slug}`).pathname).toBe(`/${slug}`);
        expect(encodeURIComponent(slug)).toBe(slug);
      }),
    );
  });

  it('never lets a separator of a table key or an ARN through', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('#', '/', ':', '*', '?', '$'),
        fc.string(),
        (a, separator, b) => {
          expect(isSlug(`${a}${separator}${b}`)).toBe(false);
        },
      ),
    );
  });
});
