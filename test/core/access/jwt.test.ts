// A whole token against the settings of a neuron: the order of the checks, the ports that are called, and the result.
import { describe, expect, it } from 'vitest';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import { jwkOf, PAIRS } from '../../adapters/jwt/key-pairs.ts';
import { BY_JWKS, BY_SECRET, JWKS_URL, portsWithKeys, verifyText } from './jwt-neuron.ts';
import {
  CLAIMS,
  encode,
  NOW_SECONDS,
  portsWithSecrets,
  SECRET,
  signWithKey,
  signWithSecret,
} from './tokens.ts';

const KEYS = { [JWKS_URL]: [jwkOf(PAIRS.RS256, { kid: 'rsa' }), jwkOf(PAIRS.ES256, { kid: 'ec' })] };
const rs256 = (claims: object = CLAIMS, header: object = {}) =>
  signWithKey(PAIRS.RS256.privateKey, claims, { alg: 'RS256', kid: 'rsa', ...header });

/** Ports that record what is asked of them. */
function watch(ports: JwtPorts) {
  const asked: string[] = [];
  const watched: JwtPorts = {
    secrets: {
      read: (organizationId, purpose, name, detail) => {
        asked.push(`secret ${organizationId}/${purpose}/${name}${detail?.fresh === true ? ' fresh' : ''}`);
        return ports.secrets.read(organizationId, purpose, name, detail);
      },
    },
    verifyWithSecret: (token, algorithm, secret) => {
      asked.push(`verify ${algorithm}`);
      return ports.verifyWithSecret(token, algorithm, secret);
    },
    keySets: {
      ...ports.keySets,
      read: (url, budget) => {
        asked.push(`keys ${url}`);
        return ports.keySets.read(url, budget);
      },
    },
  };
  return { asked, ports: watched };
}

describe('a token by shared secret', () => {
  it('holds, after one read of the secret and one verification', async () => {
    const { asked, ports } = watch(portsWithSecrets());
    expect(await verifyText(signWithSecret(), BY_SECRET, ports)).toEqual({
      outcome: 'valid',
      username: undefined,
      reason: 'the JWT is valid, without a username',
    });
    expect(asked).toEqual(['secret org-acme/jwt/support-jwt', 'verify HS256']);
  });

  it.each(['HS384', 'HS512'])('refuses %s unless it is listed', async (alg) => {
    const token = signWithSecret(CLAIMS, { alg });
    const reason = 'the algorithm of the token is not one that the settings list';
    expect(await verifyText(token, BY_SECRET, portsWithSecrets())).toEqual({ outcome: 'invalid', reason });
    const listed = { ...BY_SECRET, algorithms: [alg] };
    expect((await verifyText(token, listed, portsWithSecrets())).outcome).toBe('valid');
    expect((await verifyText(signWithSecret(), listed, portsWithSecrets())).outcome).toBe('invalid');
  });

  it('reads the secret again when the signature fails, and verifies again where it has changed', async () => {
    const old = 'the secret before the rotation, long enough';
    const { asked, ports } = watch({
      ...portsWithSecrets(),
      secrets: { read: async (_id, _purpose, _name, detail) => (detail?.fresh === true ? SECRET : old) },
    });
    expect((await verifyText(signWithSecret(), BY_SECRET, ports)).outcome).toBe('valid');
    expect(asked).toEqual([
      'secret org-acme/jwt/support-jwt',
      'verify HS256',
      'secret org-acme/jwt/support-jwt fresh',
      'verify HS256',
    ]);
  });

  it('refuses a forged token after that one read, without a second verification', async () => {
    const { asked, ports } = watch(portsWithSecrets());
    const forged = signWithSecret(CLAIMS, { alg: 'HS256' }, 'another secret, as long as the right one');
    expect(await verifyText(forged, BY_SECRET, ports)).toEqual({
      outcome: 'invalid',
      reason: 'the signature of the token was not made with the shared secret',
    });
    expect(asked).toEqual([
      'secret org-acme/jwt/support-jwt',
      'verify HS256',
      'secret org-acme/jwt/support-jwt fresh',
    ]);
  });

  it.each([
    ['is not set', {}, 'the secret for JWTs is not set'],
    ['is empty', { 'org-acme/jwt/support-jwt': ' ' }, 'the secret for JWTs is empty'],
    [
      'is a public key',
      {
        'org-acme/jwt/support-jwt': PAIRS.RS256.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      },
      'the secret for JWTs is a key or certificate that others have too',
    ],
    [
      'is known to everybody',
      { 'org-acme/jwt/support-jwt': 'secret' },
      'the secret for JWTs is a value that is known from documentation and examples',
    ],
    ['is another organization’s', { 'org-other/jwt/support-jwt': SECRET }, 'the secret for JWTs is not set'],
  ])('is 500, whoever calls, where the secret %s', async (_name, values, reason) => {
    const [value] = Object.values(values);
    const token = signWithSecret(CLAIMS, { alg: 'HS256' }, value ?? SECRET);
    expect(await verifyText(token, BY_SECRET, portsWithSecrets(values))).toEqual({
      outcome: 'configuration',
      reason,
    });
  });

  it('is 503 where the secret cannot be read, first or again', async () => {
    const cause = new Error('down');
    const down: JwtPorts = { ...portsWithSecrets(), secrets: { read: () => Promise.reject(cause) } };
    const reason = 'the secret for JWTs could not be read';
    expect(await verifyText(signWithSecret(), BY_SECRET, down)).toEqual({
      outcome: 'unavailable',
      reason,
      cause,
    });
    const again: JwtPorts = {
      ...portsWithSecrets(),
      secrets: {
        read: (_id, _purpose, _name, detail) =>
          detail?.fresh === true ? Promise.reject(cause) : Promise.resolve('the secret before the rotation'),
      },
    };
    expect(await verifyText(signWithSecret(), BY_SECRET, again)).toMatchObject({
      outcome: 'unavailable',
      reason,
    });
  });
});

describe('a token by JWKS', () => {
  it('holds by the key that its kid names, with one fetch for all that come after it', async () => {
    const ports = portsWithKeys(KEYS);
    for (const token of [
      rs256(),
      signWithKey(PAIRS.ES256.privateKey, CLAIMS, { alg: 'ES256', kid: 'ec' }),
      rs256(),
    ]) {
      expect((await verifyText(token, BY_JWKS, ports)).outcome).toBe('valid');
    }
    expect(ports.fetches).toEqual([JWKS_URL]);
  });

  it('holds without a kid by whichever key verifies it', async () => {
    const token = signWithKey(PAIRS.ES256.privateKey, CLAIMS, { alg: 'ES256' });
    expect((await verifyText(token, BY_JWKS, portsWithKeys(KEYS))).outcome).toBe('valid');
  });

  it('refuses an algorithm that is not listed, whatever keys there are', async () => {
    const jwt = { ...BY_JWKS, algorithms: ['ES256'] };
    expect(await verifyText(rs256(), jwt, portsWithKeys(KEYS))).toEqual({
      outcome: 'invalid',
      reason: 'the algorithm of the token is not one that the settings list',
    });
  });

  it('refuses a token that names the key of another algorithm', async () => {
    const token = signWithKey(PAIRS.RS256.privateKey, CLAIMS, { alg: 'RS256', kid: 'ec' });
    expect(await verifyText(token, BY_JWKS, portsWithKeys(KEYS))).toEqual({
      outcome: 'invalid',
      reason: 'no key of the JWKS endpoints verifies the token',
    });
  });

  it('is 503 where no endpoint answers, and 401 where one does', async () => {
    const jwt = { jwks: ['https://down.example/', JWKS_URL] };
    expect(await verifyText(rs256(), jwt, portsWithKeys({}))).toMatchObject({
      outcome: 'unavailable',
      reason: 'no JWKS endpoint gave keys',
    });
    expect((await verifyText(rs256(), jwt, portsWithKeys({ [JWKS_URL]: [] }))).outcome).toBe('invalid');
    expect((await verifyText(rs256(), jwt, portsWithKeys(KEYS))).outcome).toBe('valid');
  });
});

describe('what is checked first', () => {
  const nobody = { [JWKS_URL]: [] };
  it.each([
    ['its form', 'a.b', 'the token is neither an API key nor a signed JWT'],
    [
      'its header',
      rs256(CLAIMS, { crit: ['exp'] }),
      'the header of the token has crit, and no extension is understood',
    ],
    [
      'its algorithm',
      `${encode({ alg: 'none' })}.${encode({})}.AA`,
      'the algorithm of the token is not one that the settings list',
    ],
    ['its expiry', rs256({ exp: NOW_SECONDS - 5 }), 'the token has expired'],
    ['its beginning', rs256({ ...CLAIMS, nbf: NOW_SECONDS + 6 }), 'the token is not valid yet'],
    [
      'its issuer',
      rs256({ ...CLAIMS, aud: 'b', iss: 'eve' }),
      'the iss of the token is not one that the settings list',
    ],
    [
      'its audience',
      rs256({ ...CLAIMS, aud: 'eve', iss: 'a' }),
      'the aud of the token is not one that the settings list',
    ],
  ])('is %s, before any key is asked for', async (_name, token, reason) => {
    const { asked, ports } = watch(portsWithKeys(nobody));
    const jwt = { ...BY_JWKS, issuer: 'a', audience: ['b'] };
    expect(await verifyText(token, jwt, ports)).toEqual({ outcome: 'invalid', reason });
    expect(asked).toEqual([]);
  });
});

describe('the username', () => {
  const jwt = { ...BY_SECRET, usernamePath: 'sub' };

  it('is the value at the path of the settings', async () => {
    expect(await verifyText(signWithSecret(), jwt, portsWithSecrets())).toEqual({
      outcome: 'valid',
      username: 'ada',
      reason: 'the JWT is valid, with a username',
    });
    const numbered = signWithSecret({ ...CLAIMS, sub: 42 });
    expect(await verifyText(numbered, jwt, portsWithSecrets())).toMatchObject({ username: '42' });
  });

  it.each([undefined, '', 'a\nb', null, 1.5, ['ada']])(
    'is none where it is %j, which only some neurons refuse',
    async (sub) => {
      const token = signWithSecret({ exp: CLAIMS.exp, ...(sub === undefined ? {} : { sub }) });
      expect(await verifyText(token, jwt, portsWithSecrets())).toMatchObject({
        outcome: 'valid',
        username: undefined,
      });
      expect(await verifyText(token, { ...jwt, requireUsername: true }, portsWithSecrets())).toEqual({
        outcome: 'invalid',
        reason: 'the token has no username that can be used',
      });
    },
  );

  it('is asked for after the signature, so that nobody learns of paths by forged tokens', async () => {
    const forged = signWithSecret(
      { exp: CLAIMS.exp },
      { alg: 'HS256' },
      'another secret, as long as the right one',
    );
    expect(await verifyText(forged, { ...jwt, requireUsername: true }, portsWithSecrets())).toMatchObject({
      reason: 'the signature of the token was not made with the shared secret',
    });
  });
});

it('names its steps for whoever asks, and nothing of the token', async () => {
  const notes: string[] = [];
  await verifyText(rs256(), BY_JWKS, portsWithKeys(KEYS), { note: (passed) => void notes.push(passed) });
  expect(notes).toEqual([
    'the token has the form of a signed JWT',
    'its algorithm is listed',
    'its times, issuer and audience are valid',
    `${JWKS_URL} has the key that verifies the token`,
  ]);
});
