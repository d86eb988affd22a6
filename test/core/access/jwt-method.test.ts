// How settings have JWTs verified: which algorithms, which claims, which username.
import { describe, expect, it } from 'vitest';
import { chooseAlgorithm, toJwtMethod } from '../../../core/access/jwt-method.ts';
import {
  accessSchema,
  JWKS_ALGORITHMS,
  SHARED_SECRET_ALGORITHMS,
} from '../../../core/settings/access-schema.ts';

const SECRET = { sharedSecret: { secret: 'support-jwt' } };
const JWKS = { jwks: ['https://a.example/'] };

function methodOf(jwt: object) {
  const parsed = accessSchema.parse({ jwt }).jwt;
  return parsed === undefined ? undefined : toJwtMethod(parsed);
}

describe('the method', () => {
  it('with a shared secret takes HS256, or what is listed', () => {
    expect(methodOf(SECRET)?.signature).toEqual({
      kind: 'sharedSecret',
      secretName: 'support-jwt',
      algorithms: ['HS256'],
    });
    expect(methodOf({ ...SECRET, algorithms: ['HS512', 'HS384'] })?.signature.algorithms).toEqual([
      'HS384',
      'HS512',
    ]);
  });

  it('with JWKS takes every algorithm of public keys, or what is listed', () => {
    expect(methodOf(JWKS)?.signature).toEqual({
      kind: 'jwks',
      urls: ['https://a.example/'],
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
    });
    expect(methodOf({ ...JWKS, algorithms: ['EdDSA'] })?.signature.algorithms).toEqual(['EdDSA']);
  });

  it.each([{}, { ...SECRET, ...JWKS }, { jwks: [] }, { ...SECRET, jwks: [] }])('is none for %j', (jwt) => {
    expect(methodOf(jwt)).toBeUndefined();
  });

  it('is none with any algorithm of the other family', () => {
    for (const algorithm of JWKS_ALGORITHMS)
      expect(methodOf({ ...SECRET, algorithms: ['HS256', algorithm] })).toBeUndefined();
    for (const algorithm of SHARED_SECRET_ALGORITHMS)
      expect(methodOf({ ...JWKS, algorithms: [algorithm, 'RS256'] })).toBeUndefined();
  });

  it('never takes an algorithm that it does not list', () => {
    const method = methodOf({ ...JWKS, algorithms: ['RS256'] })?.signature;
    if (method === undefined) throw new Error('no method');
    expect(chooseAlgorithm(method, 'RS256')).toMatchObject({ algorithm: 'RS256' });
    for (const name of ['none', 'None', 'NONE', '', 'rs256', 'RS256 ', 'HS256', 'RS384', 'toString', '0']) {
      expect(chooseAlgorithm(method, name), name).toBeUndefined();
    }
  });
});

describe('what is asked of claims', () => {
  it('is exp alone where nothing is said', () => {
    expect(methodOf(SECRET)).toMatchObject({
      claims: { requireExpiry: true, issuers: undefined, audiences: undefined },
      usernamePath: undefined,
      requireUsername: false,
    });
  });

  it('is what the settings say, one or several', () => {
    const jwt = {
      ...SECRET,
      requireExpiry: false,
      issuer: 'a',
      audience: ['b', 'c'],
      usernamePath: 'user.id',
      requireUsername: true,
    };
    expect(methodOf(jwt)).toMatchObject({
      claims: { requireExpiry: false, issuers: ['a'], audiences: ['b', 'c'] },
      usernamePath: ['user', 'id'],
      requireUsername: true,
    });
    expect(methodOf({ ...SECRET, usernamePath: ['user.id'] })?.usernamePath).toEqual(['user.id']);
  });
});
