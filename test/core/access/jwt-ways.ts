// Ways to sign tokens, and claims and headers that are good or bad, for the properties of tokens.
import fc from 'fast-check';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import type { KeyAlgorithm } from '../../../core/ports/jwt.ts';
import { JWKS_ALGORITHMS } from '../../../core/settings/access-schema.ts';
import { jwkOf, PAIRS } from '../../adapters/jwt/key-pairs.ts';
import { BY_JWKS, BY_SECRET, JWKS_URL, portsWithKeys, verifyText } from './jwt-neuron.ts';
import { NOW_SECONDS, portsWithSecrets, SECRET, signWithKey, signWithSecret } from './tokens.ts';

export const PEM = PAIRS.RS256.publicKey.export({ type: 'spki', format: 'pem' }).toString();
/** One of each kind of key, so that every algorithm has one. */
export const KEYS = (['RS256', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const).map((alg) =>
  jwkOf(PAIRS[alg], { kid: alg }),
);
export const kidOf = (alg: KeyAlgorithm) => (/^[RP]S/.test(alg) ? 'RS256' : alg);
export const ALL_SECRETS = { ...BY_SECRET, algorithms: ['HS256', 'HS384', 'HS512'] };

/** A way to sign, and the neuron that takes what it signs. */
export interface Way {
  readonly jwt: object;
  readonly ports: JwtPorts;
  readonly sign: (claims: unknown, header?: object) => string;
}

export const bySecret = (alg: string): Way => ({
  jwt: ALL_SECRETS,
  ports: portsWithSecrets(),
  sign: (claims, header) => signWithSecret(claims, { alg, typ: 'JWT', ...header }, SECRET, alg),
});
export const byKey = (alg: KeyAlgorithm): Way => ({
  jwt: BY_JWKS,
  ports: portsWithKeys({ [JWKS_URL]: KEYS }),
  sign: (claims, header) =>
    signWithKey(PAIRS[alg].privateKey, claims, { alg, kid: kidOf(alg), ...header }, alg),
});
export const WAYS: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(['HS256', 'HS384', 'HS512'].map((alg) => [alg, bySecret(alg)])),
  ...Object.fromEntries(JWKS_ALGORITHMS.map((alg) => [alg, byKey(alg)])),
};
export const way = fc.constantFrom(...Object.values(WAYS));
export const outcomeOf = async ({ jwt, ports }: Way, text: string) =>
  (await verifyText(text, jwt, ports)).outcome;

/** Valid claims, as JSON text: the members that are checked, and any others. */
export const others = fc.dictionary(
  fc.string({ maxLength: 10 }).filter((name) => !['exp', 'nbf', 'iat', 'iss', 'aud'].includes(name)),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 4 },
);
export const goodClaims = fc
  .record({
    exp: fc.double({ min: NOW_SECONDS - 4.99, max: 1e308, noNaN: true }),
    nbf: fc.option(fc.double({ min: -1e308, max: NOW_SECONDS + 4.99, noNaN: true }), { nil: undefined }),
    iat: fc.option(fc.integer(), { nil: undefined }),
    others,
  })
  .map(({ others: more, ...known }) => JSON.stringify({ ...more, ...known }));

/** Members that end a token whatever else is in it. A repeated member counts as its last. */
export const badClaims = fc.constantFrom(
  '"exp":1e400',
  '"exp":-1e400',
  '"exp":"9999999999"',
  '"exp":null',
  '"exp":[9999999999]',
  `"exp":${NOW_SECONDS - 5}`,
  '"exp":0',
  `"nbf":${NOW_SECONDS + 5.001}`,
  '"nbf":1e308',
  '"nbf":-1e400',
  '"nbf":"0"',
  '"iat":"yesterday"',
  '"iat":1e400',
  '"iss":1',
  '"iss":["a"]',
  '"aud":1',
  '"aud":["a",2]',
  '"aud":{"a":1}',
);
export const badHeader = fc.constantFrom<object>(
  { crit: [] },
  { crit: ['b64'], b64: false },
  { crit: ['exp'] },
  { crit: null },
  { b64: false },
  { b64: 'false' },
  { kid: 1 },
  { kid: null },
  { alg: 'none' },
  { alg: '' },
  { alg: 'HS256 ' },
  { alg: 'RSA1_5' },
  { alg: 'dir', enc: 'A256GCM' },
  { alg: ['HS256'] },
  { alg: null },
  { crit: ['b64'], b64: true },
);
