// `neuron explain` for neurons that take JWTs: what a valid one would change, beside what a key would.
import { describe, expect, it } from 'vitest';
import { explain, renderExplanation } from '../../../../core/admin/explain/explain.ts';
import { settingsWith } from '../../access/examples.ts';
import { BY_JWKS, BY_SECRET } from '../../access/jwt-neuron.ts';

const STRICT = {
  issuer: ['https://login.example.com', 'https://other.example.com'],
  audience: 'support',
  usernamePath: 'user.id',
  requireUsername: true,
};

describe('a valid JWT', () => {
  it.each([
    ['a shared secret', BY_SECRET],
    ['a shared secret and longer hashes', { ...BY_SECRET, algorithms: ['HS512'] }],
    ['key sets', BY_JWKS],
    ['claims of every kind', { ...BY_JWKS, ...STRICT }],
  ])('lets in where the settings ask for %s', async (_name, jwt) => {
    const explanation = await explain(settingsWith({ jwt }), {});
    expect(renderExplanation(explanation).slice(-2)).toEqual([
      'Without a valid JWT: 401 unauthorized',
      'With a valid JWT: allowed as jwt',
    ]);
    expect(explanation.withApiKey).toBeUndefined();
  });

  it('is shown with each part that passed, after the line of its check', async () => {
    const { withJwt } = await explain(settingsWith({ jwt: { ...BY_SECRET, ...STRICT } }), {});
    expect(withJwt).toMatchObject({ outcome: 'allow', username: 'example' });
    if (withJwt === undefined) throw new Error('no decision');
    const lines = renderExplanation({ anonymous: withJwt, withApiKey: undefined, withJwt: undefined });
    expect(lines).toEqual([
      'settings    passes   the neuron exists and its settings can be used',
      'public      off      not asked for by the settings',
      'referers    off      not asked for by the settings',
      'ips         off      not asked for by the settings',
      'credentials passes   the JWT is valid, with a username',
      '            - the token has the form of a signed JWT',
      '            - its algorithm is listed',
      '            - its times, issuer and audience are valid',
      '            - its signature was made with the shared secret',
      'enabled     allows   every check that is enabled has passed',
      'Any caller like this: allowed as jwt',
    ]);
  });

  it('is shown beside an API key where both let in', async () => {
    const lines = renderExplanation(await explain(settingsWith({ jwt: BY_SECRET, apiKey: true }), {}));
    expect(lines.slice(-3)).toEqual([
      'Without a valid API key or JWT: 401 unauthorized',
      'With a valid API key: allowed as apiKey',
      'With a valid JWT: allowed as jwt',
    ]);
  });

  it('is not asked about where it changes nothing', async () => {
    const open = await explain(settingsWith({ ips: ['198.51.100.9'] }), { ip: '198.51.100.9' });
    expect([open.withApiKey, open.withJwt]).toEqual([undefined, undefined]);
    const keys = await explain(settingsWith({ apiKey: true }), {});
    expect(keys.withJwt).toBeUndefined();
  });
});

it('takes a caller without a Referer for one that sends none', async () => {
  const lines = renderExplanation(await explain(settingsWith({ referers: ['app.example.com'] }), {}));
  expect(lines).toContain('referers    passes   the request carries neither Referer nor Origin');
});
