// Publicly known secrets: those of the list, and that nothing else is taken for one.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KNOWN_SECRET_DIGESTS } from '../../../core/access/known-secret-digests.ts';
import { isKnownSecret } from '../../../core/access/known-secrets.ts';
import { findSecretFlaw } from '../../../core/access/shared-secret-strength.ts';

/** By their place in the list, its first, last and middle ones included: values of examples, tutorials and starter kits. */
const LISTED = {
  first: 'e42d8dd28adf34fc489044d5aa21e5166f22a6ef',
  second: 'f9c6f57a-4c80-4c3b-ab97-fe1514cf849e',
  third: 'my-very-unique-secure-secret-long-long',
  quarter: '{{ oidc_playground_jwt_secret }}',
  beforeMiddle: 'gIYDuai0ZMiaNyn4C21ymubakiG9dfY2',
  middle: 'sg must be lunched today by the virtue of grace',
  afterMiddle: 'f9c0ac32-5738-48e1-9a6a-cde8ebe92fe8',
  secondLast: 'HolaSoyUnaClaveSuperSecretaQueNadieNuncaSabraParaLosTokens!\\"#!\\"#',
  last: '37I55x+uqygp+G2VIRXczS6Wew77xm6iJ37L7J5CnY0=',
  keyOfManyTutorials: 'r9iMKoe5CRMgvJBBtp4HrqN7QiPpUToj',
};

describe('a publicly known secret', () => {
  it.each(Object.entries(LISTED))('is found: %s', (_place, value) => {
    expect(isKnownSecret(value)).toBe(true);
    expect(findSecretFlaw(`\n ${value} `)).toBe('is a value that is known from documentation and examples');
  });

  it.each(Object.entries(LISTED))('is not what differs from it by a character: %s', (_place, value) => {
    expect(isKnownSecret(`${value}x`)).toBe(false);
    expect(isKnownSecret(value.slice(1))).toBe(false);
  });

  it('is not what is random', () => {
    for (let made = 0; made < 2_000; made += 1) {
      expect(isKnownSecret(randomBytes(48).toString('base64'))).toBe(false);
    }
  });
});

describe('the list', () => {
  const digests = KNOWN_SECRET_DIGESTS.match(/.{8}/gs) ?? [];

  it('has 1,829 digests, in order and each once, as searching them needs', () => {
    expect(KNOWN_SECRET_DIGESTS).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(KNOWN_SECRET_DIGESTS).toHaveLength(1_829 * 8);
    expect([...new Set(digests)].sort()).toEqual(digests);
  });
});
