// The JWT that an explanation makes up: what it says, and that it is valid for its own ports and for nothing else.
import { expect, it } from 'vitest';
import { readToken, type Token } from '../../../../core/access/token-shape.ts';
import { makeExampleJwt, NO_JWTS } from '../../../../core/admin/explain/example-jwt.ts';
import { BY_JWKS, BY_SECRET, JWKS_URL, methodOf } from '../../access/jwt-neuron.ts';

const BUDGET = { endsAtMs: 0 };
const EXPIRY = 2_000_000_000;

function read(text: string): Token {
  const reading = readToken(text);
  if ('reason' in reading) throw new Error(reading.reason);
  return reading.token;
}

const exampleOf = (jwt: object) => makeExampleJwt(methodOf(jwt));
const claimsOf = (jwt: object) => read(exampleOf(jwt).token).claims;

it('says nothing but when it ends where the settings ask for nothing', () => {
  expect(claimsOf(BY_SECRET)).toEqual({ exp: EXPIRY });
});

it('says what the settings ask for, the first of each list', () => {
  const asked = { issuer: ['https://a.example', 'https://b.example'], audience: ['one', 'two'] };
  expect(claimsOf({ ...BY_JWKS, ...asked, usernamePath: 'user.id' })).toEqual({
    exp: EXPIRY,
    iss: 'https://a.example',
    aud: 'one',
    user: { id: 'example' },
  });
});

it('is verified by a key of the algorithms of the settings, and by none where they name a secret', async () => {
  const algorithmsOf = async (jwt: object) => {
    const keys = await exampleOf(jwt).ports.keySets.read(JWKS_URL, BUDGET);
    return keys === 'failed' ? keys : keys.map(({ algorithms }) => algorithms);
  };
  expect(await algorithmsOf({ ...BY_JWKS, algorithms: ['ES256', 'EdDSA'] })).toEqual([['ES256', 'EdDSA']]);
  expect(await algorithmsOf(BY_SECRET)).toEqual([[]]);
});

it('refuses every token by the ports that know no secret and no key', async () => {
  const { text } = read(exampleOf(BY_SECRET).token);
  expect(await NO_JWTS.secrets.read('acme', 'jwt', 'support-jwt', { fresh: false })).toBeUndefined();
  expect(await NO_JWTS.verifyWithSecret(text, 'HS256', '')).toBe(false);
  expect(NO_JWTS.keySets.openBudget()).toEqual(BUDGET);
  expect(await NO_JWTS.keySets.read(JWKS_URL, BUDGET)).toBe('failed');
  expect(await NO_JWTS.keySets.refresh(JWKS_URL, BUDGET)).toBe('failed');
});
