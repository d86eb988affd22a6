// The valid members of a document that its schema rejects, and which diagnostics of them are true of the whole.
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { isTrueOfWhole, keepValidMembers } from '../../../../core/admin/validate/valid-members.ts';

const schema = z.strictObject({ a: z.optional(z.string()), b: z.optional(z.object({ c: z.number() })) });
const validMembers = (value: unknown) => {
  const { error } = schema.safeParse(value);
  return keepValidMembers(value, error?.issues ?? []);
};

describe('the valid members of a document', () => {
  it('lack the member with an error, however deep', () => {
    expect(validMembers({ a: 'x', b: { c: 'no' } })).toEqual({ value: { a: 'x' }, removed: new Set(['b']) });
  });

  it('lack unknown members', () => {
    expect(validMembers({ a: 'x', d: 1, e: 2 })).toEqual({ value: { a: 'x' }, removed: new Set(['d', 'e']) });
  });

  it('do not exist where the document as a whole has an error', () => {
    expect(validMembers(['a'])).toBeUndefined();
    expect(validMembers('a')).toBeUndefined();
    expect(validMembers(null)).toBeUndefined();
  });
});

describe('a diagnostic of the valid members', () => {
  it.each([
    ['access', ['flow'], true],
    ['flow', ['access'], true],
    ['rateLimits', ['name'], true],
    ['rateLimits', ['access'], false],
    ['caching', ['flow'], false],
    ['access', ['access'], false],
  ])('at %s without %s is true of the whole: %s', (member, removed, expected) => {
    expect(isTrueOfWhole(new Set(removed), [member, 0])).toBe(expected);
  });

  it('about the whole document is not true', () => {
    expect(isTrueOfWhole(new Set(['name']), [])).toBe(false);
  });
});
