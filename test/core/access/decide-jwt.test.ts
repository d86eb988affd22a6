// The decision where JWTs are enabled: the whole table, settings that admit nobody, and what a decision contains.
import { describe, expect, it } from 'vitest';
import type { JwtPorts } from '../../../core/access/jwt.ts';
import type { KeyStore } from '../../../core/ports/keys.ts';
import { headers, keys, verdictOf } from './decide-case.ts';
import { ADDRESS_KINDS, REFERER_KINDS } from './decision-table.ts';
import { decide, requestWith, settingsWith } from './examples.ts';
import { JWT_BLOCKS, JWT_CREDENTIAL_KINDS, type JwtCredentialKind } from './jwt-decision-table.ts';
import { accessOf, casesOf } from './table-cases.ts';
import { CLAIMS, NOW_SECONDS, portsWithSecrets, signWithSecret } from './tokens.ts';

const DOWN_KEYS: KeyStore = { read: () => Promise.reject(new Error('the table is gone')) };
const DOWN_SECRETS: JwtPorts = {
  ...portsWithSecrets(),
  secrets: { read: () => Promise.reject(new Error('the secrets are gone')) },
};
const TOKEN = signWithSecret();

const AUTHORIZATIONS: Readonly<Record<JwtCredentialKind, readonly string[]>> = {
  absent: [],
  doubled: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
  notBearer: [`Basic ${TOKEN}`],
  key: headers.valid,
  keyUnreachable: headers.valid,
  keyRevoked: headers.revoked,
  keyMalformed: headers.malformed,
  jwt: [`Bearer ${TOKEN}`],
  jwtUnreachable: [`Bearer ${TOKEN}`],
  jwtUnset: [`Bearer ${TOKEN}`],
  jwtForged: [
    `Bearer ${signWithSecret(CLAIMS, { alg: 'HS256' }, 'another secret, as long as the right one')}`,
  ],
  jwtExpired: [`Bearer ${signWithSecret({ ...CLAIMS, exp: NOW_SECONDS - 5 })}`],
  jwtMalformed: [`Bearer ${TOKEN}.${TOKEN}`],
};

function portsFor(credential: JwtCredentialKind) {
  const jwt =
    credential === 'jwtUnreachable'
      ? DOWN_SECRETS
      : portsWithSecrets(credential === 'jwtUnset' ? {} : undefined);
  return { keys: credential === 'keyUnreachable' ? DOWN_KEYS : keys, jwt };
}

describe.each(JWT_BLOCKS.flatMap((block) => block.settings.map((words) => ({ words, block }))))(
  'a neuron with $words',
  ({ words, block }) => {
    it('decides every kind of request as the table says', async () => {
      const cases = casesOf(block, JWT_CREDENTIAL_KINDS);
      expect(cases).toHaveLength(10 * 4 * 13);
      const wrong: unknown[] = [];
      for (const { referer, address, credential, verdict } of cases) {
        const request = requestWith({
          ...REFERER_KINDS[referer],
          sourceIp: ADDRESS_KINDS[address],
          authorizations: AUTHORIZATIONS[credential],
        });
        const got = verdictOf(await decide(settingsWith(accessOf(words)), request, portsFor(credential)));
        if (got !== verdict) wrong.push({ referer, address, credential, verdict, got });
      }
      expect(wrong).toEqual([]);
    });
  },
);

describe('settings that apply refuses', () => {
  const good = requestWith({ authorizations: [`Bearer ${TOKEN}`], sourceIp: '198.51.100.9' });
  const sharedSecret = { secret: 'support-jwt' };
  const decideWith = (access: unknown) =>
    decide(settingsWith(access), good, { keys, jwt: portsWithSecrets() });

  it.each([
    ['no method', {}],
    ['both methods', { sharedSecret, jwks: ['https://login.example.com/jwks'] }],
    ['no URL', { jwks: [] }],
    ['an algorithm of public keys', { sharedSecret, algorithms: ['HS256', 'RS256'] }],
    ['an algorithm of shared secrets', { jwks: ['https://login.example.com/jwks'], algorithms: ['HS256'] }],
  ])('refuses everybody with 404 where jwt has %s', async (_name, jwt) => {
    expect(verdictOf(await decideWith({ jwt }))).toBe('404 not_found');
    expect(verdictOf(await decideWith({ jwt, apiKey: true }))).toBe('404 not_found');
    expect((await decideWith({ jwt })).reason).toBe(
      'jwt has not exactly one of jwks and sharedSecret with algorithms of its own family',
    );
  });

  it.each([
    [{ public: false }, '403 access_closed'],
    [{ apiKey: false }, '403 access_closed'],
    [{ ips: [] }, '403 ip_not_allowed'],
    [{ referers: [] }, '403 access_closed'],
    [{ public: true }, '404 not_found'],
  ])('denies a valid token where %j is set beside jwt', async (beside, verdict) => {
    expect(verdictOf(await decideWith({ jwt: { sharedSecret } }))).toBe('allow as jwt');
    expect(verdictOf(await decideWith({ jwt: { sharedSecret }, ...beside }))).toBe(verdict);
  });
});

describe('the decision', () => {
  const access = { jwt: { sharedSecret: { secret: 'support-jwt' }, usernamePath: 'sub' }, apiKey: true };
  const decideWith = (authorizations: readonly string[]) =>
    decide(settingsWith(access), requestWith({ authorizations }), { keys, jwt: portsWithSecrets() });

  it('is the username of a JWT, exactly as it is, and no key', async () => {
    const token = signWithSecret({ ...CLAIMS, sub: ' Ada|Lovelace ü ', role: 'admin' });
    const decision = await decideWith([`Bearer ${token}`]);
    expect(decision).toMatchObject({ outcome: 'allow', authentication: 'jwt', username: ' Ada|Lovelace ü ' });
    expect('keyId' in decision && decision.keyId).toBeUndefined();
    expect(JSON.stringify(decision)).not.toContain('admin');
  });

  it('is what passed of a JWT, part by part, also where a later part refuses it', async () => {
    const passed = (await decideWith([`Bearer ${TOKEN}`])).steps.find(({ check }) => check === 'credentials');
    expect(passed).toEqual({
      check: 'credentials',
      verdict: 'passes',
      reason: 'the JWT is valid, with a username',
      details: [
        'the token has the form of a signed JWT',
        'its algorithm is listed',
        'its times, issuer and audience are valid',
        'its signature was made with the shared secret',
      ],
    });
    const rejected = await decideWith([`Bearer ${signWithSecret({ ...CLAIMS, exp: NOW_SECONDS - 5 })}`]);
    expect(rejected.steps.at(-1)).toEqual({
      check: 'credentials',
      verdict: 'refuses',
      reason: 'the token has expired',
      details: ['the token has the form of a signed JWT', 'its algorithm is listed'],
    });
  });

  it('is nothing but the reason where there is no secret to verify with', async () => {
    const request = requestWith({ authorizations: [`Bearer ${TOKEN}`] });
    const decision = await decide(settingsWith(access), request, { keys, jwt: portsWithSecrets({}) });
    expect({ ...decision, steps: [] }).toEqual({
      outcome: 'configuration',
      reason: 'the secret for JWTs is not set',
      steps: [],
    });
  });

  it('is the key of an API key, and no username', async () => {
    const decision = await decideWith(headers.valid);
    expect(decision).toMatchObject({ outcome: 'allow', authentication: 'apiKey', username: undefined });
  });
});
