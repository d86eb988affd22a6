// What the authorizer hands to the execution function survives the way, and nothing else is taken for an admission.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AuthorizerContext,
  parseContext,
  renderContext,
} from '../../../adapters/apigateway/authorizer-context.ts';

const ADMITTED = {
  outcome: 'allow',
  organization: 'acme',
  neuron: 'hello',
  organizationId: 'org-1',
  neuronId: 'neu-1',
  authentication: 'jwt',
  keyId: undefined,
  username: 'ann',
  settingsVersion: '7.12',
} as const satisfies AuthorizerContext;

const rendered = renderContext(ADMITTED) as Record<string, unknown>;

describe('an admission', () => {
  it('is rendered as texts, the username as base64url, and without what is not known', () => {
    expect(rendered).toEqual({
      outcome: 'allow',
      organization: 'acme',
      neuron: 'hello',
      organizationId: 'org-1',
      neuronId: 'neu-1',
      authentication: 'jwt',
      username: 'YW5u',
      settingsVersion: '7.12',
    });
  });

  it('reads back as it was rendered, beside what API Gateway adds', () => {
    expect(parseContext({ ...rendered, principalId: 'caller', integrationLatency: 12 })).toEqual(ADMITTED);
  });

  it.each(['a#b', 'Ünïcödé', '😀', '名前', 'a b', '"quoted"', '\u2028', '0', 'null'])(
    'carries the username %s unchanged, in ASCII',
    (username) => {
      const context = renderContext({ ...ADMITTED, username });
      expect(JSON.stringify(context)).toMatch(/^[\x20-\x7e]*$/);
      expect(parseContext(context)).toMatchObject({ username });
    },
  );

  it('carries every username and key id unchanged', () => {
    const some = fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 256 }), { nil: undefined });
    fc.assert(
      fc.property(
        some,
        fc.option(fc.stringMatching(/^[A-Za-z0-9]{1,30}$/), { nil: undefined }),
        (username, keyId) => {
          const context = renderContext({ ...ADMITTED, username, keyId });
          expect(Object.values(context ?? {}).every((value) => /^[\x20-\x7e]+$/.test(String(value)))).toBe(
            true,
          );
          expect(parseContext(context)).toEqual({ ...ADMITTED, username, keyId });
        },
      ),
    );
  });

  it.each(['public', 'referer', 'ip', 'apiKey', 'jwt'] as const)('may rest on %s', (authentication) => {
    expect(parseContext(renderContext({ ...ADMITTED, authentication }))).toMatchObject({ authentication });
  });
});

describe('a context that is not whole', () => {
  const needed = [
    'organization',
    'neuron',
    'organizationId',
    'neuronId',
    'authentication',
    'settingsVersion',
  ];

  it.each(needed)('is no admission: without %s, with it empty, and with it of another type', (name) => {
    const { [name]: _left, ...rest } = rendered;
    expect(parseContext(rest)).toBeUndefined();
    for (const value of ['', null, 7, true, ['acme'], { acme: 1 }]) {
      expect(parseContext({ ...rendered, [name]: value })).toBeUndefined();
    }
    expect(parseContext(Object.assign(Object.create({ [name]: rendered[name] }), rest))).toBeUndefined();
  });

  it.each([
    undefined,
    null,
    {},
    { outcome: '' },
    { outcome: 'ALLOW' },
    { outcome: true },
    { principalId: 'caller' },
  ])('is no admission: %j', (context) => {
    expect(parseContext(context)).toBeUndefined();
  });

  it('refuses an authentication that there is not', () => {
    expect(parseContext({ ...rendered, authentication: 'none' })).toBeUndefined();
    expect(parseContext({ ...rendered, authentication: 'toString' })).toBeUndefined();
  });
});

describe('a request that goes on to be refused', () => {
  it.each(['not_found', 'configuration', 'unavailable'] as const)(
    'is passed on as %s, with nothing of an admission',
    (outcome) => {
      expect(renderContext({ outcome })).toEqual({ outcome });
      expect(parseContext({ ...rendered, outcome })).toEqual({ outcome });
    },
  );

  it('takes the reason along, which only the log shows', () => {
    const authorizerContext = { outcome: 'configuration' as const, reason: 'the secret for JWTs is not set' };
    expect(renderContext(authorizerContext)).toEqual(authorizerContext);
    expect(parseContext(authorizerContext)).toEqual(authorizerContext);
  });
});

describe('a denial', () => {
  it.each(['referer_not_allowed', 'ip_not_allowed', 'access_closed'] as const)(
    'is passed on with its code %s, and with nothing of an admission',
    (code) => {
      expect(renderContext({ outcome: 'denied', code })).toEqual({ outcome: 'denied', code });
      expect(parseContext({ ...rendered, outcome: 'denied', code })).toEqual({ outcome: 'denied', code });
    },
  );

  it.each([undefined, '', null, 7, ['access_closed'], 'ACCESS_CLOSED', 'internal', 'toString', 'allow'])(
    'refuses the code %j, which no denial has',
    (code) => {
      expect(parseContext({ ...rendered, outcome: 'denied', code })).toBeUndefined();
    },
  );
});
