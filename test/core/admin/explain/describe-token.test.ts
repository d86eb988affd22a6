// The description of a token: names of members, never their values.
import { describe, expect, it } from 'vitest';
import { describeToken } from '../../../../core/admin/explain/explain.ts';
import { CLAIMS, signWithSecret } from '../../access/tokens.ts';

describe('a token', () => {
  it('is described by the names in its header and its payload, in its order', () => {
    const token = signWithSecret(
      { ...CLAIMS, 'https://example.com/plan': 'gold' },
      { typ: 'JWT', alg: 'HS256' },
    );
    expect(describeToken(token)).toEqual({
      header: ['typ', 'alg'],
      claims: ['sub', 'exp', 'https://example.com/plan'],
    });
  });

  it.each(['', 'nrn_abc', 'a.b', 'eyJhbGciOiJIUzI1NiJ9.W10.c2ln'])(
    'is not described where it is none: %j',
    (text) => {
      expect(describeToken(text)).toBeUndefined();
    },
  );
});
