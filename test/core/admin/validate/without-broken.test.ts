// What is left of a document that its schema refuses, and what may be said about it.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { holdsWithout, withoutBroken } from '../../../../core/admin/validate/without-broken.ts';

const schema = z.strictObject({ a: z.optional(z.string()), b: z.optional(z.object({ c: z.number() })) });
const remainder = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return withoutBroken(value, error?.issues ?? []);
};

describe('a document without its members at fault', () => {
  it('lacks the member that holds the fault, however deep', () => {
    expect(remainder({ a: 'x', b: { c: 'no' } })).toEqual({ value: { a: 'x' }, removed: new Set(['b']) });
  });

  it('lacks members that are not known', () => {
    expect(remainder({ a: 'x', d: 1, e: 2 })).toEqual({ value: { a: 'x' }, removed: new Set(['d', 'e']) });
  });

  it('does not exist where the document as a whole is at fault', () => {
    expect(remainder(['a'])).toBeUndefined();
    expect(remainder('a')).toBeUndefined();
    expect(remainder(null)).toBeUndefined();
  });
});

describe('a finding of the remainder', () => {
  it.each([
    ['access', ['flow'], true],
    ['flow', ['access'], true],
    ['rateLimits', ['name'], true],
    ['rateLimits', ['access'], false],
    ['caching', ['flow'], false],
    ['access', ['access'], false],
  ])('at %s without %s: %s', (member, removed, holds) => {
    expect(holdsWithout(new Set(removed), [member, 0])).toBe(holds);
  });

  it('about the whole document does not hold', () => {
    expect(holdsWithout(new Set(['name']), [])).toBe(false);
  });
});
