// What `apply` refuses and warns about in `jwt`.
import { describe, expect, it } from 'vitest';
import type { PartDiagnostic } from '../../../../../core/admin/diagnostic.ts';
import { validateJwt } from '../../../../../core/admin/validate/access/jwt.ts';
import { accessSchema } from '../../../../../core/settings/access-schema.ts';
import { splitDiagnostics } from '../../../../support/split-diagnostics.ts';
import { JWT_BLOCKS } from '../../../access/jwt-decision-table.ts';
import { accessOf } from '../../../access/table-cases.ts';

const JWKS = 'https://login.example.com/.well-known/jwks.json';
const SECRET = { sharedSecret: { secret: 'support-jwt' } };

function validate(jwt: unknown, allowLoopback = false) {
  return splitDiagnostics(validateJwt(accessSchema.parse({ jwt }).jwt, { allowLoopback }));
}

function show(diagnostics: readonly PartDiagnostic[]): string[] {
  return diagnostics.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('settings of jwt', () => {
  it('are none where there are none', () => {
    expect(validateJwt(undefined, { allowLoopback: false })).toEqual([]);
  });

  it.each([
    SECRET,
    { ...SECRET, algorithms: ['HS512', 'HS256'] },
    { ...SECRET, issuer: 'a', audience: ['b', 'c'], usernamePath: 'user.id', requireUsername: true },
    { ...SECRET, usernamePath: ['https://example.com/name'] },
    { jwks: [JWKS], audience: 'support' },
    { jwks: [JWKS, `${JWKS}?second`], audience: 'support', algorithms: ['RS256', 'PS512', 'ES384', 'EdDSA'] },
  ])('are taken: %j', (jwt) => {
    expect(validate(jwt)).toEqual({ errors: [], warnings: [] });
  });

  it.each(JWT_BLOCKS.flatMap(({ settings }) => settings))('of the decision table are taken: %s', (words) => {
    expect(validate(accessOf(words)['jwt']).errors).toEqual([]);
  });

  it('refuses both methods, and neither', () => {
    expect(show(validate({ ...SECRET, jwks: [JWKS], audience: 'a' }).errors)).toEqual([
      'jwt: has both jwks and sharedSecret, so that whoever has either key could sign. Keep the one that your tokens are signed for.',
    ]);
    expect(show(validate({}).errors)).toEqual([
      'jwt: has neither jwks nor sharedSecret, so no token could be verified. Add jwks: [URL], or sharedSecret: { secret: NAME }.',
    ]);
  });

  it('takes the secret before this one, and refuses the same one twice', () => {
    const rotated = (previous: string) => ({ sharedSecret: { secret: 'support-jwt', previous } });
    expect(validate(rotated('support-jwt-1'))).toEqual({ errors: [], warnings: [] });
    expect(show(validate(rotated('support-jwt')).errors)).toEqual([
      'jwt.sharedSecret.previous: is the same name as secret. Name the secret that was used before, or leave previous out when the rotation has ended.',
    ]);
  });

  it('refuses an empty list of URLs, and a URL twice', () => {
    expect(show(validate({ jwks: [], audience: 'a' }).errors)).toEqual([
      'jwt.jwks: is empty, which would let nobody in. List the URL that publishes the keys of your tokens.',
    ]);
    expect(show(validate({ jwks: [JWKS, 'https://a.example/', JWKS], audience: 'a' }).errors)).toEqual([
      'jwt.jwks.2: is listed twice. Remove one of them.',
    ]);
  });

  it('refuses algorithms of the other family, and one twice', () => {
    expect(show(validate({ ...SECRET, algorithms: ['HS256', 'RS256'] }).errors)).toEqual([
      'jwt.algorithms.1: is RS256, with which sharedSecret verifies nothing. List algorithms of the family HS.',
    ]);
    expect(show(validate({ jwks: [JWKS], audience: 'a', algorithms: ['HS256', 'ES256'] }).errors)).toEqual([
      'jwt.algorithms.0: is HS256, with which jwks verifies nothing. List algorithms of the family RS, PS, ES or EdDSA.',
    ]);
    expect(show(validate({ ...SECRET, algorithms: ['HS256', 'HS256'] }).errors)).toEqual([
      'jwt.algorithms.1: is HS256, which is listed twice. Remove one of them.',
    ]);
    expect(validate({ algorithms: ['HS256', 'RS256'] }).errors).toHaveLength(1);
  });

  it('refuses to require a username without a path, and a path with an empty name', () => {
    expect(show(validate({ ...SECRET, requireUsername: true }).errors)).toEqual([
      'jwt.requireUsername: is true, but no usernamePath says where the username is, so nobody could be let in. Add usernamePath, such as sub.',
    ]);
    for (const usernamePath of ['.sub', 'user..id', 'user.']) {
      expect(show(validate({ ...SECRET, usernamePath }).errors)).toEqual([
        `jwt.usernamePath: is ${JSON.stringify(usernamePath)}, which has an empty name before or after a dot. Write the names with one dot between them.`,
      ]);
    }
  });

  it('warns where tokens of other applications, or for ever, are let in', () => {
    expect(show(validate({ jwks: [JWKS] }).warnings)).toEqual([
      'jwt: checks no audience, so every token of the same login service is let in, also one that was made for another application. Add audience.',
    ]);
    expect(show(validate({ ...SECRET, requireExpiry: false }).warnings)).toEqual([
      'jwt.requireExpiry: is false, so a token without exp is let in for ever: a stolen one stays good until its key is changed.',
    ]);
  });

  it.each(['https://example.com/name', 'http://example.com/name'])(
    'warns about the path of a claim that is named by a URL: %s',
    (usernamePath) => {
      expect(show(validate({ ...SECRET, usernamePath }).warnings)).toEqual([
        `jwt.usernamePath: is split at its dots, which a claim that is named by a URL does not mean. Write it as a list: ["${usernamePath}"].`,
      ]);
    },
  );

  it('warns about no path that has a URL further on', () => {
    expect(validate({ ...SECRET, usernamePath: 'user.https://example' }).warnings).toEqual([]);
  });
});

describe('a JWKS URL', () => {
  it.each([
    'http://login.example.com/jwks',
    'https://127.0.0.1/jwks',
    'https://127.0.0.1:9001/2018-06-01/runtime/invocation/next',
    'https://127.1:2772/',
    'https://0x7f000001:2773/',
    'https://2130706433:2000/',
    'https://0177.0.0.1/',
    'https://１２７.０.０.１/',
    'https://①②⑦.0.0.1/',
    'https://127。0。0。1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://100.64.0.1/',
    'https://0.0.0.0/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://login.localhost/',
    'https://login.internal/',
    'https://login.local/',
    'https://login/',
  ])('is refused where it leads into the network: %s', (url) => {
    const { errors } = validate({ jwks: ['https://login.example.com/jwks', url], audience: 'a' });
    expect(errors.map(({ path }) => path.join('.'))).toEqual(['jwt.jwks.1']);
  });

  it('is taken on this machine for the local run alone', () => {
    for (const url of ['http://127.0.0.1:3001/jwks', 'https://localhost:3001/jwks', 'https://[::1]/']) {
      expect(validate({ jwks: [url], audience: 'a' }, true).errors, url).toEqual([]);
      expect(validate({ jwks: [url], audience: 'a' }).errors, url).toHaveLength(1);
    }
    expect(validate({ jwks: ['https://169.254.169.254/'], audience: 'a' }, true).errors).toHaveLength(1);
  });
});
